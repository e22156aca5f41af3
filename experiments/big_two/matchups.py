"""`matchups` of Big Two: who wins, by player and by place in turn order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from balance import CONFIDENCE, Demands, Interval, SeatReadings
from balance.big_two_contest import PLACES, BigTwoContest, Rate
from experiments.big_two.experiment import BigTwoExperiment
from experiments.runs.run import Findings, RunOf
from experiments.screen.console import Shown, Table
from experiments.screen.wording import OFF_LEGEND, demand_entries, off_mark, percent, wanted_words
from sim.big_two.cards import N_SEATS
from sim.files.row_file import entry

RATE_WORDS: dict[Rate, str] = {"first_places": "first places", "points": "points"}
"""What people call what shares are of."""


class ShareRow(NamedTuple):
    """A player's or a place's share of what there is to be won; an equal share is 25 %."""

    name: str
    kind: str
    first_places: Annotated[Interval, ("first_places", "first_places_low", "first_places_high")]
    points: Annotated[Interval, ("points", "points_low", "points_high")]
    n: int


def run_matchups(run: RunOf[BigTwoExperiment]) -> Findings:
    """Play today's rules; finds `matchups.csv`."""
    experiment, contest = run.experiment, run.experiment.contest()
    settings = experiment.settings
    readings = play_today(contest, settings.games.matchups, settings.seed, threads=run.threads)
    rows = share_rows(contest, readings)
    told = experiment.balance_settings().demands_in(contest).with_matchups(contest.matchup_names)
    rates = told.read(readings[contest.rate], CONFIDENCE).at(0)
    return Findings(
        summary={
            "command": "matchups",
            "seed": settings.seed,
            "game": settings.game,
            "of": contest.rate,
            "matchups": [entry(row) for row in rows],
            "demands": demand_entries(told, rates),
            "n": rows[0].n,
        },
        tables={"matchups.csv": (ShareRow, rows)},
        shown=_shown(contest, rows, told, rates),
    )


def play_today(
    contest: BigTwoContest, n_games: int, run_seed: int, *, threads: int | None = None
) -> dict[Rate, SeatReadings]:
    """Games of today's rules, by what shares are of."""
    found = contest.outcomes(n_games, run_seed, "matchups", threads=threads)
    return {rate: contest.read(found, rate) for rate in RATE_WORDS}


def share_rows(contest: BigTwoContest, readings: dict[Rate, SeatReadings]) -> list[ShareRow]:
    """One row for each player and each place.

    Args:
        contest: of which they are told.
        readings: of the same games, by what shares are of.
    """
    first_places, points = (readings[rate].win_rate().at(0) for rate in RATE_WORDS)
    n_games = readings[contest.rate].n_games
    kinds = ["place" if name in PLACES else "player" for name in contest.matchup_names]
    return [
        ShareRow(name, kinds[m], first_places.at(m), points.at(m), n_games)
        for m, name in enumerate(contest.matchup_names)
    ]


def _shown(
    contest: BigTwoContest, rows: Sequence[ShareRow], told: Demands, rates: Interval
) -> list[Shown]:
    wanted = told.bounds.T
    marks = [off_mark(rates.at(m), *wanted[m]) for m in range(len(rows))]
    table = Table(
        f"Shares over {rows[0].n:,} games, {rows[0].n // N_SEATS:,} deals in all rotations, % "
        "(± half of the 95 % interval)",
        ("who", "first places", "points", f"wanted of {RATE_WORDS[contest.rate]}"),
        [
            (
                row.name,
                percent(row.first_places),
                percent(row.points),
                f"{wanted_words(*wanted[m])} {marks[m]}".strip(),
            )
            for m, row in enumerate(rows)
        ],
    )
    return [table, *([OFF_LEGEND] if any(marks) else [])]
