"""Results of blocks as a contest reads them: winners, shares of points, and lengths of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from balance.contest.readings import Winners
from balance.statistics.intervals import Counts, Floats, Positions
from sim.errors import InputError
from sim.play.outcomes import DRAWN as DRAWN_PAIR
from sim.simulator.block import DRAWN, Played

# Bins of the counts of games by length; the last one counts longer games too. More would take much
# memory for little use, since medians need only the lengths of ordinary games.
LENGTH_BINS = 1_000


def winners_of(played: Played) -> Winners:
    """Return the results of games of two seats: the seat that won, 2 for a draw, ``[S]``."""
    return np.where(played.winners == DRAWN, DRAWN_PAIR, played.winners).astype(np.int8)


def shares_of(played: Played, seat: int, n_seats: int, rate: Literal["wins", "points"]) -> Floats:
    """Return the share of a seat in each game, from 0 to 1, ``[S]``.

    Seats share a drawn game, or a game in which no seat has a point, equally.

    Args:
        played: results of games.
        seat: position of the seat.
        n_seats: number of seats.
        rate: whether the winner gets everything, or each seat its share of the points.

    Raises:
        InputError: the rate is that of points, and the games report none.
    """
    points = played.points
    if rate == "points" and points is None:
        raise InputError(
            '"points", but the games have no points',
            place="simulator.rate",
            value=rate,
            limit="wins",
            remedy='return a Result with points, or write rate = "wins"',
            separator=" = ",
        )
    if rate == "wins" or points is None:
        won = (played.winners == seat).astype(np.float64)
        return np.where(played.winners == DRAWN, 1 / n_seats, won)
    total = points.sum(axis=1)
    return np.where(total > 0, points[:, seat] / np.where(total > 0, total, 1), 1 / n_seats)


def lengths_of(played: Sequence[Played], blocks: Positions) -> Counts | None:
    """Return the number of games by length, ``[V, T, LENGTH_BINS]``; `None` without lengths.

    Args:
        played: results of the different blocks.
        blocks: position of the block of each candidate, table and seating, ``[V, T, R]``.
    """
    known = [result for result in played if not result.infeasible]
    if any(result.turns is None for result in known) or not known:
        return None
    by_block = np.stack([_counts(result) for result in played])
    return np.asarray(by_block[blocks].sum(axis=2))


def _counts(played: Played) -> Counts:
    """Return the number of games by length, ``[LENGTH_BINS]``; the last one counts longer games."""
    turns = np.zeros(0, np.int64) if played.turns is None else played.turns
    return np.bincount(np.minimum(turns, LENGTH_BINS - 1), minlength=LENGTH_BINS)
