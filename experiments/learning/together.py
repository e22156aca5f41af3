"""Rounds of training in which learners train in turn until they converge; can be resumed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from agents import DQNPilot, load_pilot, save_pilot
from agents.torch_device import device_named
from balance import Interval, MatchupCounts
from balance.learning.league import League, rate_changes
from experiments.experiment import Experiment
from experiments.files.output_file import file_label, pilot_file_name
from experiments.learning.side_by_side import Training, train_all
from experiments.runs.run import Run
from experiments.screen import Shown, Table, percent, plus_minus
from sim import entry, error_place, read_rows, system_error_place

ROUNDS_FILE = "rounds.csv"
_FOLDER = "rounds"  # folder of intermediate pilots, which is deleted after the last round


class RoundRow(NamedTuple):
    """Row of `rounds.csv`: win rate of a matchup after a round.

    Attributes:
        round: number of the round; 0 before the first round.
        a: name of the first player.
        b: name of the second player.
        win_rate: win rate of the first player, with its 95 % interval.
        change_pp: change of the win rate by the round, in percentage points, with its 95 %
            interval; `None` before the first round.
        n: number of games of the matchup.
    """

    round: int
    a: str
    b: str
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    change_pp: Annotated[Interval, ("change_pp", "change_low_pp", "change_high_pp")] | None
    n: int


def league_of(experiment: Experiment) -> League | None:
    """Return the league in which the learners train together; `None` if they do not.

    Raises:
        InputError: `[train.together]` is set, but the learners cannot play each other.
    """
    settings = experiment.settings
    if settings.train.together is None:
        return None
    return League(experiment.contest(), settings.learners, settings.train.together, settings.seed)


def check_device(name: str) -> None:
    """Check that the device of `[train]` exists.

    Raises:
        InputError: torch cannot use the device.
    """
    with error_place("train"):
        device_named(name)


def train_together(run: Run, league: League, pilots: Sequence[DQNPilot]) -> list[DQNPilot]:
    """Train learners in turn until no win rate changes by more than `rest_pp`, or rounds run out.

    This function writes `rounds.csv` and each learner's final pilot. Intermediate pilots are stored
    in a folder until the end, so that a stopped run can be resumed. If `rounds.csv` exists, no
    round is repeated.

    Args:
        run: the run of the experiment.
        league: the learners, and the settings of the rounds.
        pilots: pilot of each learner after its separate training.

    Returns:
        The final pilot of each learner.
    """
    folder = run.folder.path / _FOLDER
    if (run.folder.path / ROUNDS_FILE).exists():
        shutil.rmtree(folder, ignore_errors=True)
        return list(pilots)
    with system_error_place(folder, "made"):
        folder.mkdir(exist_ok=True)
    past = [[_stored_pilot(folder, 0, pilot)] for pilot in pilots]
    counts = _play_matchups(league, past)
    moved_pp = 0.0
    rows = list(_round_rows(league, 0, counts, None))
    for number in range(1, league.together.rounds + 1):
        _play_round(run, league, past, number)
        before = counts
        counts = _play_matchups(league, past)
        change = rate_changes(before, counts)
        moved_pp = 100 * float(abs(change.estimate).max())
        rows += _round_rows(league, number, counts, change)
        run.folder.log(f"round {number} together: changed a matchup by {moved_pp:.1f} pp")
        if moved_pp <= league.together.rest_pp:
            break
    final_pilots = [states[-1] for states in past]
    for learner, pilot in zip(league.learners, final_pilots, strict=True):
        assert pilot.provenance is not None  # noqa: S101 (a turn's end gives it one)
        pilot.provenance = pilot.provenance.model_copy(update={"moved_pp": moved_pp})
        path = run.folder.path / pilot_file_name(learner.name)
        save_pilot(path, pilot.network, pilot.provenance)
    run.folder.write_rows(ROUNDS_FILE, RoundRow, rows)
    shutil.rmtree(folder, ignore_errors=True)
    return final_pilots


def together_summary(run: Run, league: League) -> dict[str, Any]:
    """Return the entry of `summary.json` on the rounds, read from `rounds.csv`."""
    rows = read_rows(run.folder.path / ROUNDS_FILE, RoundRow)
    last = (row for row in rows if row.round == rows[-1].round)
    moved_pp = max(abs(float(row.change_pp.estimate)) for row in last if row.change_pp)
    return {
        "rounds": rows[-1].round,
        "steps": league.together.steps,
        "moved_pp": moved_pp,
        "rest_pp": league.together.rest_pp,
        "at_rest": moved_pp <= league.together.rest_pp,
        "matchups": [entry(row) for row in rows],
    }


def together_shown(run: Run, league: League) -> list[Shown]:
    """Return a table of win rates by round, and a line on whether the learners converged."""
    rows = read_rows(run.folder.path / ROUNDS_FILE, RoundRow)
    summary = together_summary(run, league)
    table = Table(
        f"Together: win rate of the first player after each round of {league.together.steps:,} "
        f"steps per learner, % (± half of the 95 % interval, {rows[0].n:,} games), and its change "
        "by the round, pp",
        ("round", "matchup", "win rate, %", "change, pp"),
        [
            (
                str(row.round) if row.round else "apart",
                f"{row.a} vs {row.b}",
                percent(row.win_rate),
                plus_minus(row.change_pp, "+.1f") if row.change_pp else "",
            )
            for row in rows
        ],
    )
    change = (
        f"the last of {summary['rounds']} rounds changed a matchup by up to "
        f"{summary['moved_pp']:.1f} pp (limit {summary['rest_pp']:g} pp)"
    )
    if summary["at_rest"]:
        return [table, f"Converged: {change}"]
    return [
        table,
        f"NOT converged: {change}; give [train.together] more `rounds`, or more `steps` to the "
        "first training",
    ]


def _play_round(run: Run, league: League, past: list[list[DQNPilot]], number: int) -> None:
    """Train every learner once, in turn, and append its new pilot to its pilots in `past`.

    A pilot that an earlier process stored for this round is loaded instead.
    """
    folder = run.folder.path / _FOLDER
    n_learners = len(league.learners)
    for position, states in enumerate(past):
        turn = (number - 1) * n_learners + position
        pilot = states[-1]
        path = _pilot_path(folder, number, pilot.name)
        if not path.exists():
            trainer = league.begin_turn(turn, past)
            training = Training(trainer, path.with_suffix(".state.pt"))
            train_all({f"round {number}: {pilot.name}": training}, run.screen)
            pilot = league.end_turn(turn, pilot, trainer)
        states.append(_stored_pilot(folder, number, pilot))
        # Deleted only after the pilot is stored, so that an interrupted round can be resumed.
        path.with_suffix(".state.pt").unlink(missing_ok=True)


def _stored_pilot(folder: Path, number: int, pilot: DQNPilot) -> DQNPilot:
    """Return the stored pilot of a learner after a round; if there is none, store `pilot`."""
    path = _pilot_path(folder, number, pilot.name)
    if path.exists():
        return load_pilot(path, name=pilot.name)
    assert pilot.provenance is not None  # noqa: S101 (it was trained here)
    save_pilot(path, pilot.network, pilot.provenance)
    return pilot


def _pilot_path(folder: Path, number: int, learner: str) -> Path:
    """Return the path of a learner's pilot after a round."""
    return folder / f"{number}-{file_label(learner)}.pt"


def _play_matchups(league: League, past: Sequence[Sequence[DQNPilot]]) -> MatchupCounts:
    """Play all matchups of the league with the learners' latest pilots."""
    return league.play([states[-1] for states in past])


def _round_rows(
    league: League, number: int, counts: MatchupCounts, change: Interval | None
) -> Iterator[RoundRow]:
    """Yield the rows of a round, one per matchup.

    Args:
        league: the learners and their matchups.
        number: number of the round.
        counts: results of the matchups after the round.
        change: change of each win rate by the round, shape ``[M]``; `None` before the first round.
    """
    rates = counts.win_rate().at(0)
    names = league.contest.player_names
    for m, (a, b) in enumerate(league.matchups):
        moved_pp = None if change is None else change.at(m).times(100)
        yield RoundRow(number, names[a], names[b], rates.at(m), moved_pp, counts.n_games)
