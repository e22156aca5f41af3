"""Verification of guards, the limits on side effects of a patch, by games.

A guard is verified if the upper confidence bound on its value is within its limit;
`balance.verdict.risk` sets the error probability. Games of one seed are correlated, so seeds are
counted, not games. Shares of drawn and of short games have the exact bounds for as many independent
games as seeds. These are exact if all games of a seed end in the same way, and conservative
otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from balance.contest.game_length import length_range, median_length, most_length_change
from balance.contest.readings import Readings
from balance.settings.tables import Guards
from balance.statistics.intervals import (
    CONFIDENCE,
    Counts,
    Floats,
    Interval,
    most_that_shows,
    paired_mean,
    t_score,
    upper_share,
)
from sim.short_repr import short_repr

# Steps to which suggested limits are rounded up, in the units of `[guards]`; chosen by hand.
_ROUND = {"max_draw_rate": 0.001, "max_first_seat_pp": 0.1, "median_turns": 0.01}
# Maximum limits; they must equal the upper bounds of the fields of
# `balance.settings.tables.Guards`.
_HIGHEST = {"max_draw_rate": 1.0, "max_first_seat_pp": 100.0, "median_turns": 100.0}
# Decimal digits of a number of steps, so that 3.0000000001 steps count as 3 and are not rounded up.
_DIGITS = 9


@dataclass(frozen=True)
class GuardVerdict:
    """Verdict on one guard from the games of a certificate.

    Attributes:
        name: key of the guard in `[guards]`.
        before: measured quantity of the baseline with its 95 % interval: the share of draws, the
            advantage of the first seat in percentage points, or the median length in turns.
        after: the same quantity with the patch, on the same seeds.
        low: smallest permitted value of `after`.
        high: largest permitted value of `after`.
        estimate: measured value that is compared with the limit: the share of draws, the growth of
            the first-turn advantage in percentage points, or the relative change of the length.
        bound: upper confidence bound on that value, over all looks together at the level
            `CONFIDENCE` or higher.
        limit: limit from `[guards]`, in the unit of `estimate` and `bound`.
        n_games: games per matchup from which the values are computed.
    """

    name: str
    before: Interval
    after: Interval
    low: float
    high: float
    estimate: float
    bound: float
    limit: float
    n_games: int

    def __repr__(self) -> str:
        return short_repr(self, "name", "before", "after", "low", "high", "n_games")

    @property
    def holds(self) -> bool:
        """Whether the games verify that the guard holds."""
        return self.bound <= self.limit

    @property
    def passing_limit(self) -> float:
        """Smallest round limit with which these games would verify the guard.

        The limit is a multiple of the step in `_ROUND`, at most the highest permitted limit.
        """
        step = _ROUND[self.name]
        n_steps = math.ceil(round(self.bound / step, _DIGITS))
        return round(min(max(n_steps, 0) * step, _HIGHEST[self.name]), _DIGITS)

    @property
    def is_broken(self) -> bool:
        """Whether the measured value exceeds the limit.

        A guard may neither hold nor be broken: its value may be inside the limit, but unverified.
        """
        return self.estimate > self.limit


@dataclass(frozen=True)
class GuardGames:
    """Games of a patch and of the baseline on the same seeds, by which guards are judged.

    Attributes:
        patched: games of the patch, one variant.
        today: games of the baseline, one variant.
        no_edits: whether the patch has no edits, so that no quantity can change.
    """

    patched: Readings
    today: Readings
    no_edits: bool = False

    @classmethod
    def of(cls, patched: Readings, today: Readings, *, no_edits: bool = False) -> GuardGames:
        """Return the games of a patch and of the baseline, selected from readings of more variants.

        Args:
            patched: readings with the patch as first variant.
            today: readings with the baseline as last variant.
            no_edits: whether the patch has no edits.
        """
        return cls(patched.take(slice(1)), today.take(slice(-1, None)), no_edits)


def judge_guards(
    guards: Guards,
    games: GuardGames,
    error: float,
    *,
    first_side: int,
    earlier: tuple[GuardVerdict, ...] = (),
) -> tuple[GuardVerdict, ...]:
    """Return the verdict on each guard that the games measure.

    Args:
        guards: limits of the guards.
        games: games of the current look and of all earlier looks.
        error: probability of verifying a guard with a true value equal to its limit.
        first_side: 1 if other games than these show an advantage of the first seat, otherwise -1.
            Any choice that does not depend on these games is valid; a wrong choice only widens the
            bound.
        earlier: verdicts of the previous look; those of verified guards are returned unchanged.
    """
    if earlier and all(verdict.holds for verdict in earlier):
        return earlier
    verdicts = (
        _judge_draws(guards.max_draw_rate, games, error),
        _judge_first_seat(guards.max_first_seat_pp, games, error, first_side),
        _judge_length(guards.median_turns, games, error),
    )
    held = {verdict.name: verdict for verdict in earlier if verdict.holds}
    return tuple(held.get(verdict.name, verdict) for verdict in verdicts if verdict is not None)


def not_watched(readings: Readings) -> tuple[str, ...]:
    """Return the keys in `[guards]` of the guards that the games of a contest do not measure."""
    # The order must be that of the fields of `Guards`.
    measured = (readings.drawn_share(), readings.first_seat_by_seed(), readings.turns)
    pairs = zip(Guards.model_fields, measured, strict=True)
    return tuple(name for name, values in pairs if values is None)


def _judge_draws(limit: float, games: GuardGames, error: float) -> GuardVerdict | None:
    """Return the verdict on the share of drawn games; `None` if draws are not measured.

    Args:
        limit: maximum share of drawn games.
        games: games of the patch and of the baseline.
        error: probability of verifying a guard with a true value equal to its limit.
    """
    n = games.patched.n_seeds
    after_share = games.patched.drawn_share()
    before_share = games.today.drawn_share()
    if after_share is None or before_share is None:
        return None
    share = float(after_share[0])
    return GuardVerdict(
        name="max_draw_rate",
        before=_share_with_interval(float(before_share[0]), n),
        after=_share_with_interval(share, n),
        low=0.0,
        high=limit,
        estimate=share,
        bound=upper_share(share * n, n, error),
        limit=limit,
        n_games=games.patched.n_games,
    )


def _share_with_interval(share: float, n: int) -> Interval:
    """Return a share of `n` independent games with its exact 95 % interval (Clopper-Pearson)."""
    error = (1 - CONFIDENCE) / 2
    least = 1 - upper_share((1 - share) * n, n, error)
    return Interval(*map(np.array, (share, least, upper_share(share * n, n, error))))


def _judge_first_seat(
    limit_pp: float, games: GuardGames, error: float, first_side: int
) -> GuardVerdict | None:
    """Return the verdict on the growth of the first-turn advantage; `None` if it is not measured.

    The advantage is the distance of the first seat's win rate from 50 %, so its growth is ``|after|
    - |before|``. The upper bound on the growth is the larger of the bounds on ``±after - first_side
    · before``; it is 0 for a patch without edits, and at most 50 percentage points.

    Args:
        limit_pp: maximum growth in percentage points.
        games: games of the patch and of the baseline.
        error: probability of verifying a guard with a true value equal to its limit.
        first_side: 1 if other games show an advantage of the first seat, otherwise -1.
    """
    rates = games.patched.first_seat_by_seed(), games.today.first_seat_by_seed()
    if rates[0] is None or rates[1] is None:
        return None
    after = _half_points_ahead(rates[0][0])
    before = _half_points_ahead(rates[1][0])
    n_matchups = len(rates[0][0])
    pp = 25 / n_matchups  # percentage points per half point in the 2 n_matchups games of a seed
    value_pp, before_pp = (pp * int(lead.sum()) / games.patched.n_seeds for lead in (after, before))
    worst = 4 * n_matchups  # largest possible change of a seed's half points by the patch
    # |after| is the larger of after and -after, so both signs are bounded. |before| is replaced by
    # first_side · before, which is at most |before|, so a wrong side only widens the bound.
    bounds = [_upper_mean(side * after - first_side * before, worst, error) for side in (1, -1)]
    most_pp = abs(before_pp) + limit_pp
    return GuardVerdict(
        name="max_first_seat_pp",
        before=paired_mean(pp * before.astype(np.float64)),
        after=paired_mean(pp * after.astype(np.float64)),
        low=-most_pp,
        high=most_pp,
        estimate=abs(value_pp) - abs(before_pp),
        bound=0.0 if games.no_edits else min(pp * max(bounds), 50.0),
        limit=limit_pp,
        n_games=games.patched.n_games,
    )


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


def _judge_length(limit: float, games: GuardGames, error: float) -> GuardVerdict | None:
    """Return the verdict on the median game length; `None` if lengths are not measured.

    Args:
        limit: maximum relative change of the median from that of the baseline.
        games: games of the patch and of the baseline.
        error: probability of verifying a guard with a true value equal to its limit.
    """
    n = games.patched.n_seeds
    after_turns = games.patched.turns
    before_turns = games.today.turns
    if after_turns is None or before_turns is None:
        return None
    before = _median_with_interval(before_turns, n)
    after = _median_with_interval(after_turns, n)
    most = most_length_change(after_turns, before_turns, most_that_shows(0.5, n, error), n)
    return GuardVerdict(
        name="median_turns",
        before=before,
        after=after,
        low=float(before.estimate) * (1 - limit),
        high=float(before.estimate) * (1 + limit),
        estimate=float(abs(after.estimate / before.estimate - 1)),
        bound=0.0 if games.no_edits else most,
        limit=limit,
        n_games=games.patched.n_games,
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
