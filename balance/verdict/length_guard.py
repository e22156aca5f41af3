"""Guard on the change of the median game length."""

from __future__ import annotations

from math import floor
from typing import ClassVar

import numpy as np

from balance.contest.game_length import length_range, median_length, most_length_change
from balance.contest.readings import Readings
from balance.statistics.intervals import CONFIDENCE, Counts, Floats, Interval, most_that_shows
from balance.verdict.guard import Guard, GuardGames, GuardMeasurement, SelectionGames

# Denominator of the quantile's order in margins, finer than any sample.
_FINE = 1_000_000


class LengthGuard(Guard):
    """Limit on the relative change of the median game length, up or down."""

    name: ClassVar[str] = "median_turns"
    unit: ClassVar[str] = "relative"
    reading_unit: ClassVar[str] = "turns"
    limit_step: ClassVar[float] = 0.01  # chosen by hand: a twentieth of the default limit
    highest_limit: ClassVar[float] = 100.0

    def read(self, games: Readings) -> Floats | None:
        """Return the median game length in turns (`balance.contest.game_length`), ``[V]``."""
        return None if games.turns is None else np.array([*map(median_length, games.turns)])

    def value(self, now: Floats, today: Floats) -> Floats:
        """Return the absolute relative change of the median from the baseline, ``[V]``."""
        return np.asarray(np.abs(now / today - 1))

    def value_with_room(self, limit: float, games: SelectionGames) -> Floats | None:
        """Return the upper bound on the change by which the margin is widened, ``[P]``.

        The change of a genome without edits is 0.
        """
        del limit
        if games.played.turns is None:
            return None
        n_certified = games.n_certified
        reach = 0.5 - most_that_shows(0.5, n_certified, games.look.guards) / n_certified
        n_shorter = floor(_FINE * (0.5 - (reach + games.per_trial / 2)))
        *patched, before = games.played.turns
        moved = [most_length_change(turns, before, n_shorter, _FINE) for turns in patched]
        return np.where(games.is_today, 0.0, moved)

    def measure(
        self, limit: float, games: GuardGames, error: float, *, first_side: int
    ) -> GuardMeasurement | None:
        """Return the change of the median length, and its distribution-free upper bound."""
        del first_side
        n = games.patched.n_seeds
        after_turns = games.patched.turns
        before_turns = games.today.turns
        if after_turns is None or before_turns is None:
            return None
        before = _median_with_interval(before_turns, n)
        after = _median_with_interval(after_turns, n)
        most = most_length_change(after_turns, before_turns, most_that_shows(0.5, n, error), n)
        return GuardMeasurement(
            before=before,
            after=after,
            low=float(before.estimate) * (1 - limit),
            high=float(before.estimate) * (1 + limit),
            estimate=float(abs(after.estimate / before.estimate - 1)),
            bound=0.0 if games.no_edits else most,
        )


def _median_with_interval(turns: Counts, n: int) -> Interval:
    """Return the median length with its distribution-free 95 % interval.

    Args:
        turns: number of games by length, shape ``[..., TURN_BINS]``.
        n: number of independent games, for which the number of seeds is used.
    """
    n_shorter = max(most_that_shows(0.5, n, (1 - CONFIDENCE) / 2), 0)
    (low, _), (_, high) = (length_range(turns, k, n) for k in (n_shorter, n - n_shorter))
    return Interval(*map(np.array, (median_length(turns), low, high)))
