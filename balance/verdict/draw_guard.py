"""Guard on the share of drawn games."""

from __future__ import annotations

from math import sqrt
from typing import ClassVar

import numpy as np

from balance.contest.readings import Readings
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, most_that_shows, upper_share
from balance.verdict.guard import Guard, GuardGames, GuardMeasurement, SelectionGames


class DrawGuard(Guard):
    """Limit on the share of drawn games over all matchups, whatever the baseline's share."""

    name: ClassVar[str] = "max_draw_rate"
    unit: ClassVar[str] = "share"
    reading_unit: ClassVar[str] = "share"
    limit_step: ClassVar[float] = 0.001  # chosen by hand: a tenth of the default limit
    highest_limit: ClassVar[float] = 1.0

    def read(self, games: Readings) -> Floats | None:
        """Return the share of drawn games over all matchups, ``[V]``."""
        return games.drawn_share()

    def value(self, now: Floats, today: Floats) -> Floats:
        """Return the share of drawn games, ``[V]``."""
        del today
        return now

    def rare_event_error(self, now: Floats, n_games: int) -> Floats:
        """Return the standard error of a small share of independent games, ``[V]``."""
        return np.asarray(np.sqrt(np.maximum(now, 0.0) / n_games))

    def value_with_room(self, limit: float, games: SelectionGames) -> Floats | None:
        """Return the share of drawn games, increased by its margin, ``[P]``.

        A genome without edits has no margin for sampling errors.
        """
        draws = self.read(games.played)
        if draws is None:
            return None
        most = most_that_shows(limit, games.n_certified, games.look.guards) / games.n_certified
        spread = games.per_trial * sqrt(limit * (1 - limit))
        return np.asarray(draws[:-1] + limit - most + np.where(games.is_today, 0.0, spread))

    def measure(
        self, limit: float, games: GuardGames, error: float, *, first_side: int
    ) -> GuardMeasurement | None:
        """Return the share of drawn games and its exact bound for as many games as seeds."""
        del first_side
        n = games.patched.n_seeds
        after = self.read(games.patched)
        before = self.read(games.today)
        if after is None or before is None:
            return None
        share = float(after[0])
        return GuardMeasurement(
            before=_share_with_interval(float(before[0]), n),
            after=_share_with_interval(share, n),
            low=0.0,
            high=limit,
            estimate=share,
            bound=upper_share(share * n, n, error),
        )


def _share_with_interval(share: float, n: int) -> Interval:
    """Return a share of `n` independent games with its exact 95 % interval (Clopper-Pearson)."""
    error = (1 - CONFIDENCE) / 2
    least = 1 - upper_share((1 - share) * n, n, error)
    return Interval(*map(np.array, (share, least, upper_share(share * n, n, error))))
