"""Co-training in a run folder: rounds of training until the learners converge.

An interrupted run can be continued, since intermediate pilots are stored.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from agents import DQNPilot, load_pilot, save_pilot
from balance import Interval, MatchupCounts
from balance.learning.league import League, rate_changes
from experiments.files.output_file import file_label, pilot_file_name
from experiments.learning.side_by_side import Training, train_all
from experiments.runs.run import Run
from experiments.screen import Shown, Table, percent, points
from sim import entry, read_rows, system_error_place

ROUNDS_FILE = "rounds.csv"
_FOLDER = "rounds"  # folder with the pilots after each round, deleted at the end


class RoundRow(NamedTuple):
    """Row of `rounds.csv`: the win rate of one matchup after a round of co-training.

    Attributes:
        round: number of the round; 0 for the state before the first round.
        a: name of the first player.
        b: name of the second player.
        win_rate: win rate of the first player.
        change_pp: change of the win rate by the round, in percentage points; `None` in round 0.
        n: number of games of the matchup.
    """

    round: int
    a: str
    b: str
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    change_pp: Annotated[Interval, ("change_pp", "change_low_pp", "change_high_pp")] | None
    n: int


def train_together(run: Run, league: League, pilots: Sequence[DQNPilot]) -> list[DQNPilot]:
    """Train learners in turn until they converge or the maximum number of rounds is reached.

    The learners have converged when a round changes each matchup by at most `rest_pp`. `rounds.csv`
    and each learner's final pilot are written. If `rounds.csv` exists already, the given pilots are
    returned unchanged.

    Args:
        run: run with its folder, in which pilots after each round are stored until the end.
        league: learners and settings of the rounds.
        pilots: pilots of the learners after their separate training, in the learners' order.

    Returns:
        Final pilots, in the learners' order.
    """
    folder = run.folder.path / _FOLDER
    if (run.folder.path / ROUNDS_FILE).exists():
        shutil.rmtree(folder, ignore_errors=True)
        return list(pilots)
    with system_error_place(folder, "made"):
        folder.mkdir(exist_ok=True)
    past = [[_stored_pilot(folder, 0, pilot)] for pilot in pilots]
    counts = _play_matchups(run, league, past)
    moved_pp = 0.0
    rows = list(_round_rows(league, 0, counts, None))
    for number in range(1, league.together.rounds + 1):
        _play_round(run, league, past, number)
        before = counts
        counts = _play_matchups(run, league, past)
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
    """Return the entry of `summary.json` about the co-training, read from `rounds.csv`."""
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
    """Return a table of the matchups by round, and a sentence that says whether they converged."""
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
                points(row.change_pp.times(0.01)) if row.change_pp else "",
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
    """Train every learner in turn, and append its new pilot to its states in `past`.

    Turns with a stored pilot are not repeated.

    Args:
        run: run with its folder.
        league: learners and settings of the rounds.
        past: states of each learner so far, the oldest first, extended in place.
        number: number of the round, from 1.
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
            train_all({f"round {number}: {pilot.name}": training}, run.screen, threads=1)
            pilot = league.end_turn(turn, pilot, trainer)
        states.append(_stored_pilot(folder, number, pilot))
        path.with_suffix(".state.pt").unlink(missing_ok=True)


def _stored_pilot(folder: Path, number: int, pilot: DQNPilot) -> DQNPilot:
    """Return the stored pilot of a learner after a round, or store and return the given pilot.

    Args:
        folder: folder with stored pilots.
        number: number of the round; 0 for the separate training.
        pilot: pilot to be stored if no pilot of this learner and round is stored.
    """
    path = _pilot_path(folder, number, pilot.name)
    if path.exists():
        return load_pilot(path, name=pilot.name)
    assert pilot.provenance is not None  # noqa: S101 (it was trained here)
    save_pilot(path, pilot.network, pilot.provenance)
    return pilot


def _pilot_path(folder: Path, number: int, learner: str) -> Path:
    """Return the path of the file with a learner's pilot after a round.

    Args:
        folder: folder with stored pilots.
        number: number of the round; 0 for the separate training.
        learner: name of the learner.
    """
    return folder / f"{number}-{file_label(learner)}.pt"


def _play_matchups(run: Run, league: League, past: Sequence[Sequence[DQNPilot]]) -> MatchupCounts:
    """Play the matchups with the learners' latest states, and return the counts of results."""
    return league.play([states[-1] for states in past], threads=run.threads)


def _round_rows(
    league: League, number: int, counts: MatchupCounts, change: Interval | None
) -> Iterator[RoundRow]:
    """Yield the rows of `rounds.csv` for a round, one per matchup.

    Args:
        league: learners and matchups.
        number: number of the round; 0 for the state before the first round.
        counts: results of the matchups after the round.
        change: change of the win rates by the round, shape ``[M]``; `None` in round 0.
    """
    rates = counts.win_rate().at(0)
    names = league.contest.player_names
    for m, (a, b) in enumerate(league.matchups):
        moved_pp = None if change is None else change.at(m).times(100)
        yield RoundRow(number, names[a], names[b], rates.at(m), moved_pp, counts.n_games)
