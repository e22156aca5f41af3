"""Learners that go on together, round by round, until they rest; made to be interrupted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from agents import DQNPilot, load_pilot, save_pilot
from balance import Interval, MatchupCounts
from balance.learning.league import League, moved
from experiments.files.output_file import file_label, pilot_file_name
from experiments.learning.side_by_side import Training, train_all
from experiments.runs.run import Run
from experiments.screen import Shown, Table, percent, points
from sim import entry, read_rows, system_error_place

ROUNDS_FILE = "rounds.csv"
_FOLDER = "rounds"  # what learners came to, until all is done


class RoundRow(NamedTuple):
    """A matchup after a round, and by how much the round moved it; before the first, by nothing."""

    round: int
    a: str
    b: str
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    change_pp: Annotated[Interval, ("change_pp", "change_low_pp", "change_high_pp")] | None
    n: int


def train_together(run: Run, league: League, pilots: Sequence[DQNPilot]) -> list[DQNPilot]:
    """Let learners take turns until a round moves nothing, or there are no more rounds.

    Writes `rounds.csv` and each learner's pilot as it is then. What they came to meanwhile lies in
    a folder until all is done, from which a run that was stopped goes on.

    Args:
        run: where it happens.
        league: the learners, and how they go on.
        pilots: what each has learned alone.
    """
    folder = run.folder.path / _FOLDER
    if (run.folder.path / ROUNDS_FILE).exists():
        shutil.rmtree(folder, ignore_errors=True)
        return list(pilots)
    with system_error_place(folder, "made"):
        folder.mkdir(exist_ok=True)
    past = [[_once(folder, 0, pilot)] for pilot in pilots]
    counts = _play(run, league, past)
    moved_pp = 0.0
    rows = list(_rows(league, 0, counts, None))
    for number in range(1, league.together.rounds + 1):
        _play_round(run, league, past, number)
        before = counts
        counts = _play(run, league, past)
        change = moved(before, counts)
        moved_pp = 100 * float(abs(change.estimate).max())
        rows += _rows(league, number, counts, change)
        run.folder.log(f"round {number} together: moved a matchup by {moved_pp:.1f} pp")
        if moved_pp <= league.together.rest_pp:
            break
    rested = [states[-1] for states in past]
    for learner, pilot in zip(league.learners, rested, strict=True):
        assert pilot.provenance is not None  # noqa: S101 (a turn's end gives it one)
        pilot.provenance = pilot.provenance.model_copy(update={"moved_pp": moved_pp})
        path = run.folder.path / pilot_file_name(learner.name)
        save_pilot(path, pilot.network, pilot.provenance)
    run.folder.write_rows(ROUNDS_FILE, RoundRow, rows)
    shutil.rmtree(folder, ignore_errors=True)
    return rested


def together_summary(run: Run, league: League) -> dict[str, Any]:
    """What `summary.json` tells of the rounds."""
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
    """The matchups round by round, and whether the learners are at rest."""
    rows = read_rows(run.folder.path / ROUNDS_FILE, RoundRow)
    told = together_summary(run, league)
    table = Table(
        f"Together: win rate of the first-named after each round of {league.together.steps:,} "
        f"steps a learner, % (± half of the 95 % interval, {rows[0].n:,} games; and how far the "
        "round moved it, pp)",
        ("round", "matchup", "win rate, %", "moved, pp"),
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
    how = f"the last of {told['rounds']} rounds moved a matchup by {told['moved_pp']:.1f} pp"
    if told["at_rest"]:
        return [table, f"At rest: {how} at most, of {told['rest_pp']:g} allowed"]
    return [
        table,
        f"NOT at rest: {how}, and {told['rest_pp']:g} is allowed; give [train.together] more "
        "`rounds`, or more `steps` of the first training",
    ]


def _play_round(run: Run, league: League, past: list[list[DQNPilot]], number: int) -> None:
    """Give every learner a turn; `past` grows by what each has become."""
    folder = run.folder.path / _FOLDER
    n_learners = len(league.learners)
    for mine, states in enumerate(past):
        turn = (number - 1) * n_learners + mine
        pilot = states[-1]
        path = _path(folder, number, pilot.name)
        if not path.exists():
            trainer = league.begin_turn(turn, past)
            training = Training(trainer, path.with_suffix(".state.pt"))
            train_all({f"round {number}: {pilot.name}": training}, run.screen, threads=1)
            pilot = league.end_turn(turn, pilot, trainer)
        states.append(_once(folder, number, pilot))
        path.with_suffix(".state.pt").unlink(missing_ok=True)


def _once(folder: Path, number: int, pilot: DQNPilot) -> DQNPilot:
    """A learner after a round: as it is kept, or kept from now on."""
    path = _path(folder, number, pilot.name)
    if path.exists():
        return load_pilot(path, name=pilot.name)
    assert pilot.provenance is not None  # noqa: S101 (it was trained here)
    save_pilot(path, pilot.network, pilot.provenance)
    return pilot


def _path(folder: Path, number: int, learner: str) -> Path:
    return folder / f"{number}-{file_label(learner)}.pt"


def _play(run: Run, league: League, past: Sequence[Sequence[DQNPilot]]) -> MatchupCounts:
    return league.play([states[-1] for states in past], threads=run.threads)


def _rows(
    league: League, number: int, counts: MatchupCounts, change: Interval | None
) -> Iterator[RoundRow]:
    rates = counts.win_rate().at(0)
    names = league.contest.player_names
    for m, (a, b) in enumerate(league.matchups):
        moved_pp = None if change is None else change.at(m).times(100)
        yield RoundRow(number, names[a], names[b], rates.at(m), moved_pp, counts.n_games)
