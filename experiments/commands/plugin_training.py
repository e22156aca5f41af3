"""`evenhand train` for learners of installed packages."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from balance import Interval, Learner, pairings
from balance.learning.learner_plugins import LearningTask, TrainedAgent, train_by_plugin
from experiments.experiment import Experiment
from experiments.files.output_file import file_label, trained_file_name
from experiments.learning.learner_kind import check_kind
from experiments.learning.places import SCRIPTED, check_learners, mean_rate, play_in_place
from experiments.runs.run import Findings, Run
from experiments.screen import Table, percent
from sim import InputError

_PURPOSE = "train"
_GAMES = 2_000  # games per pairing of the final test, for an interval of about 2 points


class PluginVerdict(NamedTuple):
    """Final win rate of an agent that a package has trained, a row of `verdicts.csv`.

    Attributes:
        learner: name of the learner.
        file: file of the trained agent.
        trained: win rate of the agent over all pairings, with its 95 % interval.
        script: name of the scripted agent with the highest win rate in the same games.
        scripted: win rate of that script.
        n: number of games per pairing.
    """

    learner: str
    file: str
    trained: Annotated[Interval, ("trained", "trained_low", "trained_high")]
    script: str
    scripted: Annotated[Interval, ("scripted", "scripted_low", "scripted_high")]
    n: int


def check_plugin_training(experiment: Experiment, *, tensorboard: bool = False) -> None:
    """Check that all learners of an experiment are of one kind of a package.

    Args:
        experiment: the experiment with the learners.
        tensorboard: whether event files for TensorBoard are wanted, which packages do not write.

    Raises:
        InputError: the learners are of different kinds, or a setting does not fit them.
    """
    check_learners(experiment)
    (kind, *_) = (learner.kind for learner in experiment.settings.learners if learner.kind != "dqn")
    check_kind(experiment, kind, tensorboard=tensorboard)


def run_plugin_training(run: Run) -> Findings:
    """Train all learners, one after the other; return their final win rates."""
    settings = run.experiment.settings
    verdicts = list[PluginVerdict]()
    names = list[str]()
    for learner in settings.learners:
        trained = _trained(run, learner)
        file = trained_file_name(learner.name, trained.ending)
        run.folder.write(file, trained.content)
        verdicts.append(_verdict(run, learner, trained, file))
        if trained.family:
            names.append(f"{trained.family}:{run.folder.path / file}")
    return Findings(
        tables={"verdicts.csv": (PluginVerdict, verdicts)},
        summary={
            "command": "train",
            "seed": settings.seed,
            "learners": [
                _entry(learner, verdict)
                for learner, verdict in zip(settings.learners, verdicts, strict=True)
            ],
            "seconds": run.seconds,
        },
        shown=[
            Table(
                "Trained agents and the best scripts in their place (± half of the 95 % interval)",
                ("learner", "trained, %", "best script, %", "games"),
                [
                    (
                        verdict.learner,
                        percent(verdict.trained),
                        f"{verdict.script} {percent(verdict.scripted)}",
                        f"{verdict.n:,}",
                    )
                    for verdict in verdicts
                ],
            ),
            *(f"In experiment files: agent = {name!r}" for name in names),
        ],
    )


def _trained(run: Run, learner: Learner) -> TrainedAgent:
    """Return the agent that a learner's package trains.

    Raises:
        InputError: the package fails, the agent has the name of a script, or its file would replace
            one of the run.
    """
    own = run.folder.path / f"{file_label(learner.name)}_learner"
    own.mkdir(exist_ok=True)
    run.screen.stage(f"training {learner.name}")
    task = LearningTask(
        run.experiment.contest(),
        learner,
        run.experiment.settings.seed,
        own,
        lambda line: run.screen.stage(f"{learner.name}: {line}"),
    )
    trained = train_by_plugin(learner.kind, task)
    if trained.agent.name in SCRIPTED:
        raise InputError(
            "the trained agent has the name of a script",
            place=f"learner {learner.name!r}",
            value=trained.agent.name,
            limit=SCRIPTED,
            remedy="name it like its learner",
        )
    file = trained_file_name(learner.name, trained.ending)
    if file in {"run.json", "resolved.json", "summary.json", "log.txt", "verdicts.csv"}:
        raise InputError(
            "would replace a file of the run",
            place=f"learner {learner.name!r}",
            value=file,
            remedy="give the learner another name",
        )
    return trained


def _verdict(run: Run, learner: Learner, trained: TrainedAgent, file: str) -> PluginVerdict:
    """Return the final win rates of a trained agent and of the best script."""
    contest = run.experiment.contest()
    run.screen.stage(f"playing against the opponents of {learner.name}")
    outcomes = play_in_place(
        contest,
        learner,
        [trained.agent, *SCRIPTED],
        n_games=_GAMES,
        run_seed=run.experiment.settings.seed,
        purpose=f"{_PURPOSE}/{learner.name}/final",
    )
    places = pairings(contest, learner)
    rates = {name: mean_rate(outcomes[name], places) for name in outcomes}
    script = max(SCRIPTED, key=lambda name: float(rates[name].estimate))
    own = rates[trained.agent.name]
    return PluginVerdict(learner.name, file, own, script, rates[script], _GAMES)


def _entry(learner: Learner, verdict: PluginVerdict) -> dict[str, Any]:
    """Return the entry of a learner in the summary: its file and its win rates."""
    return {
        "name": learner.name,
        "kind": learner.kind,
        "file": verdict.file,
        "trained": verdict.trained.as_entry(),
        "script": verdict.script,
        "scripted": verdict.scripted.as_entry(),
        "n": verdict.n,
    }
