"""`evenhand train` for learners of kind `turn`: weights of turn searches, tuned and judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.learning.learner import Learner, pairings
from balance.tuning.trials import Trials
from balance.tuning.tuning import Verdict, check_panel, judge
from experiments import plots
from experiments.experiment import Experiment
from experiments.files.output_file import weights_file_name
from experiments.learning.places import check_learners
from experiments.learning.tuning_run import TuningRow, TuningRun
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, entry_of, percent, points
from sim.errors import InputError, error_place

# What tuning made of one weight.
_WEIGHT_COLUMNS = ("learner", "table", "key", "start", "tuned")
# How a learner's weights do against one opponent, beside those at the start.
_VERDICT_COLUMNS = (
    *("learner", "opponent", "win_rate", "low", "high"),
    *("start_win_rate", "gain_pp", "gain_low_pp", "gain_high_pp", "n"),
)


def check_tuning(experiment: Experiment, *, tensorboard: bool = False) -> None:
    """Refuse what tuning would refuse, before anything is written.

    Raises:
        InputError: names the learner or the key.
    """
    check_learners(experiment)
    settings = experiment.settings
    for learner in settings.learners:
        if learner.kind != "turn":
            raise InputError(
                f"learner {learner.name!r}: is of kind {learner.kind!r}, beside one of kind "
                "'turn'; an experiment trains learners of one kind"
            )
    if "train" in settings.model_fields_set:
        raise InputError("train: is for learners of kind 'dqn'; those of kind 'turn' have [turn]")
    if tensorboard:
        raise InputError("--tensorboard: is for learners of kind 'dqn'")
    trials = _trials(experiment, settings.learners[0], None)
    with error_place("turn.start"):
        weights = trials.space.start
        if weights.ruleset not in {None, experiment.ruleset.name}:
            raise InputError(
                f"the weights {settings.turn.start!r} are for the ruleset {weights.ruleset!r}, "
                f"not {experiment.ruleset.name!r}"
            )
    with error_place("turn.panel"):
        check_panel(trials)


def run_tuning(run: Run) -> Findings:
    """Tune all learners, one after the other; finds how well their weights play."""
    settings = run.experiment.settings
    tuned = [
        TuningRun(_trials(run.experiment, learner, run.threads), settings.name, run.folder)
        for learner in settings.learners
    ]
    weights = list[tuple[Any, ...]]()
    verdicts = dict[str, list[Verdict]]()
    with run.screen.side_by_side([one.name for one in tuned], settings.turn.games) as bars:
        for one, bar in zip(tuned, bars, strict=True):

            def on_row(games: int, row: TuningRow, name: str = one.name, bar: Any = bar) -> None:
                bar(games, f"{name}: win rate {percent(row.win_rate)} %")

            done = one.tune(on_row, resume=run.resume)
            one.finish(done)
            verdicts[one.name] = judge(one.trials, done.best)
            weights += _moved(one, done.best)
    run.folder.log(f"tuned {', '.join(verdicts)}")
    curves = {one.name: one.curve for one in tuned}
    return Findings(
        tables={
            "weights.csv": (_WEIGHT_COLUMNS, weights),
            "verdicts.csv": (_VERDICT_COLUMNS, _verdict_rows(verdicts)),
        },
        figures={
            "tuning_curves.png": lambda: plots.tuning_curves(
                curves, title=f"{settings.name}: weights by games used", panel=settings.turn.panel
            )
        },
        summary={
            "command": "train",
            "seed": settings.seed,
            "learners": [_entry(one, verdicts[one.name]) for one in tuned],
            "seconds": run.seconds,
        },
        shown=[part for name in verdicts for part in _shown(name, verdicts[name])],
    )


def _trials(experiment: Experiment, learner: Learner, threads: int | None) -> Trials:
    settings = experiment.settings
    return Trials(experiment.contest(), learner, settings.turn, settings.seed, threads)


def _moved(one: TuningRun, best: Any) -> list[tuple[Any, ...]]:
    space = one.trials.space
    before = space.start.model_dump()
    after = space.weights_at(best).model_dump()
    return [
        (one.name, table, key, before[table][key], after[table][key]) for table, key in space.places
    ]


def _verdict_rows(verdicts: Mapping[str, Sequence[Verdict]]) -> list[tuple[Any, ...]]:
    return [
        (name, one.opponent, one.tuned, one.start.estimate, one.gain.times(100), one.n_games)
        for name, of_learner in verdicts.items()
        for one in of_learner
    ]


def _entry(one: TuningRun, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """A learner in the summary."""
    contest = one.trials.contest
    places = pairings(one.trials.contest, one.trials.learner)
    return {
        "name": one.name,
        "kind": "turn",
        "method": one.trials.settings.method,
        "weights": weights_file_name(one.name),
        "decks": sorted({contest.players[place.deck].name for place in places}),
        "games": one.curve[-1].games,
        "against": [
            {
                "opponent": verdict.opponent,
                **entry_of(verdict.tuned),
                "start": entry_of(verdict.start),
                "gain_pp": entry_of(verdict.gain.times(100), "gain"),
                "n": verdict.n_games,
            }
            for verdict in verdicts
        ],
    }


def _shown(name: str, verdicts: Sequence[Verdict]) -> list[Shown]:
    """How the weights do, and how much that is more than at the start."""
    table = Table(
        f"{name}: on fresh games (± half of the 95 % interval)",
        ("against", "tuned, %", "at the start, %", "gain, pp", "games"),
        [
            (
                one.opponent,
                percent(one.tuned),
                percent(one.start),
                points(one.gain),
                f"{one.n_games:,}",
            )
            for one in verdicts
        ],
    )
    return [table, ""]


def is_for_networks(experiment: Experiment, command: str) -> None:
    """Refuse learners of kind `turn` where networks are asked for.

    Raises:
        InputError: there are such; says how their weights play instead.
    """
    if experiment.settings.tunes_weights:
        raise InputError(
            f"learner: {command} is for learners of kind 'dqn'; to play tuned weights, name "
            f"'turn:200:{experiment.settings.name}/LEARNER' as a player's agent"
        )
