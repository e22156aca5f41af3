"""Guard on the growth of the first-turn advantage."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from balance.contest.readings import Readings
from balance.statistics.intervals import Counts, Floats, paired_mean, t_score, z_score
from balance.verdict.guard import Guard, GuardGames, GuardMeasurement, SelectionGames
from balance.verdict.risk import Look


class FirstSeatGuard(Guard):
    """Limit on the growth of the first-turn advantage over the baseline.

    An advantage is the distance of the first seat's win rate from 50 %, in either direction.
    """

    name: ClassVar[str] = "max_first_seat_pp"
    unit: ClassVar[str] = "pp"
    reading_unit: ClassVar[str] = "pp"
    limit_step: ClassVar[float] = 0.1  # chosen by hand: a twentieth of the default limit
    highest_limit: ClassVar[float] = 100.0
    can_be_negative: ClassVar[bool] = True

    def read(self, games: Readings) -> Floats | None:
        """Return the first seat's win rate minus 50 %, in percentage points, by seed, ``[V, S]``.

        The rate is the mean over all matchups.
        """
        first = games.first_seat_by_seed()
        return None if first is None else np.asarray(100 * (first.mean(axis=1) - 0.5))

    def value(self, now: Floats, today: Floats) -> Floats:
        """Return the growth of the advantage over the baseline, in percentage points, ``[V]``."""
        return np.asarray(_growth_by_seed(now, today).mean(axis=1))

    def standard_error(self, now: Floats, today: Floats) -> Floats:
        """Return the standard error of the growth over seeds, in percentage points, ``[V]``."""
        by_seed = _growth_by_seed(now, today)
        return np.asarray(by_seed.std(axis=1, ddof=1) / np.sqrt(by_seed.shape[1]))

    def value_with_room(self, limit: float, games: SelectionGames) -> Floats | None:
        """Return the growth of the advantage, increased by its margin, ``[P]``.

        The growth of a genome without edits is 0.
        """
        del limit
        first = self.read(games.played)
        if first is None:
            return None
        now = first[:-1]
        today = first[-1:]
        errors = growth_errors(games.look, games.played.n_games, games.likely)
        growth_pp = self.value(now, today) + errors * self.standard_error(now, today)
        return np.where(games.is_today, 0.0, growth_pp)

    def measure(
        self, limit: float, games: GuardGames, error: float, *, first_side: int
    ) -> GuardMeasurement | None:
        """Return the growth ``|after| - |before|`` of the advantage, and its upper bound.

        The bound is the larger of the bounds on ``±after - first_side · before``; it is 0 for a
        patch without edits, and at most 50 percentage points.
        """
        rates = games.patched.first_seat_by_seed(), games.today.first_seat_by_seed()
        if rates[0] is None or rates[1] is None:
            return None
        after = _half_points_ahead(rates[0][0])
        before = _half_points_ahead(rates[1][0])
        n_matchups = len(rates[0][0])
        pp = 25 / n_matchups  # percentage points per half point in the 2 n_matchups games of a seed
        value_pp, before_pp = (
            pp * int(lead.sum()) / games.patched.n_seeds for lead in (after, before)
        )
        worst = 4 * n_matchups  # largest possible change of a seed's half points by the patch
        # |after| is the larger of after and -after, so both signs are bounded. |before| is replaced
        # by first_side · before, which is at most |before|, so a wrong side only widens the bound.
        bounds = [_upper_mean(side * after - first_side * before, worst, error) for side in (1, -1)]
        most_pp = abs(before_pp) + limit
        return GuardMeasurement(
            before=paired_mean(pp * before.astype(np.float64)),
            after=paired_mean(pp * after.astype(np.float64)),
            low=-most_pp,
            high=most_pp,
            estimate=abs(value_pp) - abs(before_pp),
            bound=0.0 if games.no_edits else min(pp * max(bounds), 50.0),
        )


def growth_errors(look: Look, n_games: int, likely: float) -> float:
    """Return the margin that growth of the first-turn advantage needs, in standard errors.

    Args:
        look: last look of the certificate.
        n_games: games per matchup of the selection, to which the standard error refers.
        likely: required probability that the guard is verified.
    """
    # Standard error of the certificate, relative to that of the selection.
    ratio = math.sqrt(n_games / look.n_games)
    return z_score(1 - 2 * look.guards) * ratio + z_score(2 * likely - 1) * math.sqrt(
        1 + ratio * ratio
    )


def _growth_by_seed(now: Floats, today: Floats) -> Floats:
    """Return the growth of the first-turn advantage by seed, in percentage points, ``[V, S]``.

    Args:
        now: win rate of the first seat minus 50 %, in percentage points, ``[V, S]``.
        today: the same quantity of the baseline on the same seeds, ``[1, S]``.
    """
    return _advantage(now) - _advantage(today)


def _advantage(first_seat_pp: Floats) -> Floats:
    """Return the first-turn advantage by seed, signed such that no variant's mean is negative.

    Args:
        first_seat_pp: win rate of the first seat minus 50 %, in percentage points, ``[V, S]``.

    Returns:
        Advantages in percentage points, ``[V, S]``.
    """
    turned = np.where(first_seat_pp.mean(axis=1, keepdims=True) < 0, -1.0, 1.0)
    return turned * first_seat_pp


def _half_points_ahead(rates: Floats) -> Counts:
    """Return the half points by which the first seat exceeds an even result, for each seed.

    Args:
        rates: rates of the first seat in the games of each seed, shape ``[M, S]``.

    Returns:
        Sum over all matchups, a whole number, shape ``[S]``; negative if the other seat won more.
    """
    return np.asarray((4 * rates - 2).sum(axis=0).astype(np.int64))


def _upper_mean(differences: Counts, worst: int, error: float) -> float:
    """Return an upper confidence bound on the mean of whole numbers that are at most `worst`.

    The bound is that of a t interval over the sample and one additional value of `worst`, since an
    event that did not occur in few games may still be possible.

    Args:
        differences: sample, shape ``[S]``.
        worst: largest possible value of a difference.
        error: nominal probability that the bound is below the mean.
    """
    n = len(differences) + 1  # with the additional worst value
    total = int(differences.sum()) + worst
    squares = int((differences**2).sum()) + worst**2
    variance = (squares - total**2 / n) / (n - 1)
    return total / n + t_score(1 - 2 * error, n - 1) * math.sqrt(variance / n)
