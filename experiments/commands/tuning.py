"""`evenhand train` for learners of kind `turn`: tune the weights of turn searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.learning.learner import Learner, pairings
from balance.tuning.trials import Trials
from balance.tuning.tuning import Verdict, check_panel, judge
from experiments import plots
from experiments.experiment import Experiment
from experiments.files.output_file import weights_file_name
from experiments.learning.learner_kind import check_kind
from experiments.learning.places import check_learners
from experiments.learning.tuning_run import TuningRow, TuningRun
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, percent, points
from sim.errors import InputError, error_place

# Columns of `weights.csv`, which has a row for each weight of a learner.
_WEIGHT_COLUMNS = ("learner", "table", "key", "start", "tuned")
# Columns of `verdicts.csv`, which has a row for each learner and opponent.
_VERDICT_COLUMNS = (
    *("learner", "opponent", "win_rate", "low", "high"),
    *("start_win_rate", "gain_pp", "gain_low_pp", "gain_high_pp", "n"),
)


def check_tuning(experiment: Experiment, *, tensorboard: bool = False) -> None:
    """Check that all learners of an experiment can be tuned, before anything is written.

    Args:
        experiment: the experiment with the learners.
        tensorboard: whether event files for TensorBoard are wanted, which tuning does not support.

    Raises:
        InputError: the learners are of different kinds, or a setting or option does not fit them.
    """
    check_learners(experiment)
    settings = experiment.settings
    check_kind(experiment, "turn", tensorboard=tensorboard)
    trials = _trials(experiment, settings.learners[0])
    with error_place("turn.start"):
        weights = trials.space.start
        if weights.ruleset not in {None, experiment.ruleset.name}:
            raise InputError(
                f"the weights {settings.turn.start!r} are for the ruleset {weights.ruleset!r}, but "
                f"the experiment has the ruleset {experiment.ruleset.name!r}",
                value=weights.ruleset,
                limit=experiment.ruleset.name,
                remedy="name weights for this ruleset",
            )
    with error_place("turn.panel"):
        check_panel(trials)


def run_tuning(run: Run) -> Findings:
    """Tune the weights of one learner after the other; return weights and final win rates."""
    settings = run.experiment.settings
    tuning_runs = [
        TuningRun(_trials(run.experiment, learner), settings.name, run.folder)
        for learner in settings.learners
    ]
    weights = list[tuple[Any, ...]]()
    verdicts = dict[str, list[Verdict]]()
    names = [tuning.name for tuning in tuning_runs]
    with run.screen.side_by_side(names, settings.turn.games) as bars:
        for tuning, bar in zip(tuning_runs, bars, strict=True):
            # Default values bind the current learner and bar, not those of the last iteration.
            def on_row(games: int, row: TuningRow, name: str = tuning.name, bar: Any = bar) -> None:
                bar(games, f"{name}: win rate {percent(row.win_rate)} %")

            result = tuning.tune(on_row, resume=run.resume)
            tuning.finish(result)
            verdicts[tuning.name] = judge(tuning.trials, result.best)
            weights += _weight_rows(tuning, result.best)
    run.folder.log(f"tuned {', '.join(verdicts)}")
    curves = {tuning.name: tuning.curve for tuning in tuning_runs}
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
            "learners": [_entry(tuning, verdicts[tuning.name]) for tuning in tuning_runs],
            "seconds": run.seconds,
        },
        shown=[part for name in verdicts for part in _shown(name, verdicts[name])],
    )


def _trials(experiment: Experiment, learner: Learner) -> Trials:
    """Return the games that evaluate weights of a learner, as trials of the tuning."""
    settings = experiment.settings
    return Trials(experiment.contest(), learner, settings.turn, settings.seed)


def _weight_rows(tuning: TuningRun, best: Any) -> list[tuple[Any, ...]]:
    """Return a row of `weights.csv` for each weight, with its value before and after tuning."""
    space = tuning.trials.space
    before = space.start.model_dump()
    after = space.weights_at(best).model_dump()
    return [
        (tuning.name, table, key, before[table][key], after[table][key])
        for table, key in space.places
    ]


def _verdict_rows(verdicts: Mapping[str, Sequence[Verdict]]) -> list[tuple[Any, ...]]:
    """Return a row of `verdicts.csv` for each learner and opponent."""
    return [
        (
            name,
            verdict.opponent,
            verdict.tuned,
            verdict.start.estimate,
            verdict.gain.times(100),
            verdict.n_games,
        )
        for name, of_learner in verdicts.items()
        for verdict in of_learner
    ]


def _entry(tuning: TuningRun, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the entry of a learner in the summary: its decks, its games and its win rates."""
    contest = tuning.trials.contest
    places = pairings(contest, tuning.trials.learner)
    return {
        "name": tuning.name,
        "kind": "turn",
        "method": tuning.trials.settings.method,
        "weights": weights_file_name(tuning.name),
        "decks": sorted({contest.players[place.deck].name for place in places}),
        "games": tuning.curve[-1].games,
        "against": [
            {
                "opponent": verdict.opponent,
                **verdict.tuned.as_entry(),
                "start": verdict.start.as_entry(),
                "gain_pp": verdict.gain.times(100).as_entry("gain"),
                "n": verdict.n_games,
            }
            for verdict in verdicts
        ],
    }


def _shown(name: str, verdicts: Sequence[Verdict]) -> list[Shown]:
    """Return a table of a learner's win rates, before and after tuning, against each opponent."""
    table = Table(
        f"{name}: on fresh games (± half of the 95 % interval)",
        ("against", "tuned, %", "at the start, %", "gain, pp", "games"),
        [
            (
                verdict.opponent,
                percent(verdict.tuned),
                percent(verdict.start),
                points(verdict.gain),
                f"{verdict.n_games:,}",
            )
            for verdict in verdicts
        ],
    )
    return [table, ""]


def require_networks(experiment: Experiment, command: str) -> None:
    """Check that the learners are networks, which a command requires.

    Args:
        experiment: the experiment with the learners.
        command: name of the command, for the message.

    Raises:
        InputError: a learner is of kind `turn`; the message says how to play its weights.
    """
    settings = experiment.settings
    if settings.tunes_weights or settings.trains_values:
        kind = settings.learners[0].kind
        raise InputError(
            f"`{command}` applies only to learners of kind 'dqn'",
            place="learner",
            value=kind,
            limit="dqn",
            remedy="to play what was trained, name "
            f"'turn:200:{settings.name}/LEARNER' as a player's agent",
        )
