"""`evenhand train` for learners of kind `net`: train values of positions for searches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from agents.dqn import require_torch
from agents.roster.reader import N_LEAVES, N_NODES
from agents.roster.turn import reading_agent
from agents.search.value.network_file import load_network, network_bytes
from balance import Interval, Learner, pairings
from experiments.experiment import Experiment
from experiments.files.output_file import curve_file_name, value_file_name
from experiments.learning.learner_kind import check_kind
from experiments.learning.places import check_learners, mean_rate, play_in_place
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, percent
from sim import read_rows

if TYPE_CHECKING:  # not imported at run time, since this module loads torch
    from agents.search.value.encoder import ValueNetwork

_PURPOSE = "net"
TRAINED = "trained"
SHIPPED = "shipped"


class RoundRow(NamedTuple):
    """Round of the training of a value, a row of `<learner>_curve.csv`.

    Attributes:
        round: number of the round, from 1.
        games: number of games of the round.
        positions: number of recorded positions of all rounds so far.
        loss: mean logarithmic loss on games that a network was not trained on.
    """

    round: int
    games: int
    positions: int
    loss: float


class NetVerdict(NamedTuple):
    """Win rate of a search with a trained value, a row of `verdicts.csv`.

    Attributes:
        learner: name of the learner.
        trained: win rate with the trained value over all pairings, with its 95 % interval.
        shipped: win rate with the shipped values in the same games.
        n: number of games per pairing.
    """

    learner: str
    trained: Annotated[Interval, ("trained", "trained_low", "trained_high")]
    shipped: Annotated[Interval, ("shipped", "shipped_low", "shipped_high")]
    n: int


def check_net_training(experiment: Experiment, *, tensorboard: bool = False) -> None:
    """Check that all learners of an experiment can be trained, before anything is written.

    Args:
        experiment: the experiment with the learners.
        tensorboard: whether event files for TensorBoard are wanted, which rounds do not support.

    Raises:
        InputError: torch is missing, the learners are of different kinds, or an option or setting
            does not fit them.
    """
    require_torch("training")
    check_learners(experiment)
    check_kind(experiment, "net", tensorboard=tensorboard)


def run_net_training(run: Run) -> Findings:
    """Train the values of all learners; return their rounds and final win rates."""
    settings = run.experiment.settings
    verdicts = list[NetVerdict]()
    for learner in settings.learners:
        network = _train(run, learner)
        run.screen.stage(f"playing against the opponents of {learner.name}")
        verdicts.append(_verdict(run, learner, network))
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


def _train(run: Run, learner: Learner) -> ValueNetwork:
    """Train the value of a learner in rounds, and write its file; continue from stored rounds."""
    from balance.learning.value_rounds import value_rounds  # noqa: PLC0415 (loads torch)

    settings = run.experiment.settings.net
    folder = run.folder
    names = [value_file_name(learner.name, number + 1) for number in range(settings.rounds)]
    stored = takewhile(lambda name: run.resume and (folder.path / name).is_file(), names)
    networks = [load_network(folder.path / name) for name in stored]
    rows = list[RoundRow]()
    if networks:
        curve = read_rows(folder.path / curve_file_name(learner.name), RoundRow)
        rows = curve[: len(networks)]
    tables = [run.experiment.contest().table]
    run.screen.stage(f"{learner.name}: round {len(networks) + 1} of {settings.rounds}")
    for result in value_rounds(tables, settings, run.experiment.settings.seed, networks):
        networks.append(result.network)
        rows.append(
            RoundRow(result.number, result.n_games, result.n_positions, round(result.loss, 4))
        )
        # The curve is written first: a stored value has its row in any case.
        folder.write_rows(curve_file_name(learner.name), RoundRow, rows)
        folder.write(names[result.number - 1], network_bytes(result.network))
        if result.number < settings.rounds:
            run.screen.stage(f"{learner.name}: round {result.number + 1} of {settings.rounds}")
    folder.write(value_file_name(learner.name), network_bytes(networks[-1]))
    return networks[-1]


def _verdict(run: Run, learner: Learner, network: ValueNetwork) -> NetVerdict:
    """Return the win rates of searches with the trained value and with the shipped ones."""
    settings = run.experiment.settings
    contest = run.experiment.contest()
    agents = [
        reading_agent(TRAINED, N_NODES, leaves=N_LEAVES).with_network(network),
        reading_agent(SHIPPED, N_NODES, leaves=N_LEAVES),
    ]
    n_games = settings.net.judge_games
    outcomes = play_in_place(
        contest, learner, agents, n_games=n_games, run_seed=settings.seed, purpose=_PURPOSE
    )
    places = pairings(contest, learner)
    trained, shipped = (mean_rate(outcomes[name], places) for name in (TRAINED, SHIPPED))
    return NetVerdict(learner.name, trained, shipped, n_games)


def _entry(learner: Learner, verdict: NetVerdict) -> dict[str, Any]:
    """Return the entry of a learner in the summary: its file and its win rates."""
    return {
        "name": learner.name,
        "kind": learner.kind,
        "value": value_file_name(learner.name),
        "trained": verdict.trained.as_entry(),
        "shipped": verdict.shipped.as_entry(),
        "n": verdict.n,
    }


def _shown(verdicts: Sequence[NetVerdict]) -> Shown:
    """Return a table of the win rates with the trained and the shipped values."""
    return Table(
        "Searches with the trained and with the shipped values, on fresh games (± half of the "
        "95 % interval)",
        ("learner", "trained, %", "shipped, %", "games"),
        [
            (
                verdict.learner,
                percent(verdict.trained),
                percent(verdict.shipped),
                f"{verdict.n:,}",
            )
            for verdict in verdicts
        ],
    )
