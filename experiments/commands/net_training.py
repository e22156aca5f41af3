"""`evenhand train` for learners of kind `net`: train networks that read cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from agents.dqn import require_torch
from agents.policy.evaluate import best_action
from agents.roster.policy import PolicyAgent
from agents.roster.reader import LIMITS, N_NODES
from agents.roster.turn import reading_agent
from balance import Interval, Learner, pairings
from experiments.experiment import Experiment
from experiments.files.output_file import network_file_name
from experiments.learning.learner_kind import check_kind
from experiments.learning.net_run import NetRun, Networks
from experiments.learning.places import check_learners, mean_rate, play_in_place
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, percent
from sim import error_place

_PURPOSE = "net"
TRAINED = "trained"
SHIPPED = "shipped"
POLICY = "policy"


class NetVerdict(NamedTuple):
    """Win rate of a search with a trained value, a row of `verdicts.csv`.

    Attributes:
        learner: name of the learner.
        trained: win rate of a search with the trained value over all pairings, with its 95 %
            interval.
        shipped: win rate of a search with the shipped values in the same games.
        policy: win rate of the trained policy in the same games.
        n: number of games per pairing.
    """

    learner: str
    trained: Annotated[Interval, ("trained", "trained_low", "trained_high")]
    shipped: Annotated[Interval, ("shipped", "shipped_low", "shipped_high")]
    policy: Annotated[Interval, ("policy", "policy_low", "policy_high")]
    n: int


def check_net_training(experiment: Experiment, *, tensorboard: bool = False) -> None:
    """Check that all learners of an experiment can be trained, before anything is written.

    Args:
        experiment: the experiment with the learners.
        tensorboard: whether event files for TensorBoard are wanted, which rounds do not support.

    Raises:
        InputError: torch or a GPU is missing, the learners are of different kinds, or an option or
            setting does not fit them.
    """
    require_torch("training")
    check_learners(experiment)
    check_kind(experiment, "net", tensorboard=tensorboard)
    from agents.torch_device import device_named  # noqa: PLC0415 (loads torch)

    with error_place("net"):
        device_named(experiment.settings.net.device)


def run_net_training(run: Run) -> Findings:
    """Train the networks of all learners; return their rounds and final win rates."""
    settings = run.experiment.settings
    verdicts = list[NetVerdict]()
    for learner in settings.learners:
        networks = NetRun(run, learner).train()
        run.screen.stage(f"playing against the opponents of {learner.name}")
        verdicts.append(_verdict(run, learner, networks))
        run.folder.log(f"trained {learner.name}")
    return Findings(
        tables={"verdicts.csv": (NetVerdict, verdicts)},
        summary={
            "command": "train",
            "seed": settings.seed,
            "learners": [
                _entry(learner, verdict)
                for learner, verdict in zip(settings.learners, verdicts, strict=True)
            ],
            "seconds": run.seconds,
        },
        shown=[_shown(verdicts)],
    )


def _verdict(run: Run, learner: Learner, networks: Networks) -> NetVerdict:
    """Return the win rates of the trained networks, and of a search with the shipped values."""
    settings = run.experiment.settings
    contest = run.experiment.contest()
    agents = [
        reading_agent(TRAINED, N_NODES, **LIMITS).with_networks(*networks),
        reading_agent(SHIPPED, N_NODES, **LIMITS),
        PolicyAgent(POLICY, best_action).with_network(networks.policy),
    ]
    n_games = settings.net.judge_games
    outcomes = play_in_place(
        contest, learner, agents, n_games=n_games, run_seed=settings.seed, purpose=_PURPOSE
    )
    places = pairings(contest, learner)
    trained, shipped, policy = (
        mean_rate(outcomes[name], places) for name in (TRAINED, SHIPPED, POLICY)
    )
    return NetVerdict(learner.name, trained, shipped, policy, n_games)


def _entry(learner: Learner, verdict: NetVerdict) -> dict[str, Any]:
    """Return the entry of a learner in the summary: its file and its win rates."""
    return {
        "name": learner.name,
        "kind": learner.kind,
        "networks": network_file_name(learner.name),
        "trained": verdict.trained.as_entry(),
        "shipped": verdict.shipped.as_entry(),
        "policy": verdict.policy.as_entry(),
        "n": verdict.n,
    }


def _shown(verdicts: Sequence[NetVerdict]) -> Shown:
    """Return a table of the win rates of the trained and the shipped networks."""
    return Table(
        "Searches with the trained and with the shipped values, and the trained policy, on fresh "
        "games (± half of the 95 % interval)",
        ("learner", "trained, %", "shipped, %", "policy, %", "games"),
        [
            (
                verdict.learner,
                percent(verdict.trained),
                percent(verdict.shipped),
                percent(verdict.policy),
                f"{verdict.n:,}",
            )
            for verdict in verdicts
        ],
    )
