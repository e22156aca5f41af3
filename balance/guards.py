"""Guards: limits on side effects of a patch, and their verification by games.

A guard is verified if its upper confidence bound, the largest value that the games leave possible,
is within its limit; the error probability is that of `balance.risk`. Games of one seed are
correlated, so seeds are counted, not games. Shares of draws and of short games get the exact bounds
of as many independent games as there are seeds, which is exact if all games of a seed end alike and
conservative otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from balance.game_length import length_range, median_length, most_length_change
from balance.readings import Readings
from balance.settings import Guards
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

# Suggested limits are rounded up to these steps, and capped at the highest values that `[guards]`
# accepts.
_ROUND = {"max_draw_rate": 0.001, "max_first_seat_pp": 0.1, "median_turns": 0.01}
# Must equal the upper bounds of the fields of `balance.settings.Guards`.
_HIGHEST = {"max_draw_rate": 1.0, "max_first_seat_pp": 100.0, "median_turns": 100.0}
_DIGITS = 9  # rounding removes float errors, so that 3.0000000001 steps count as 3 and not as 4


@dataclass(frozen=True)
class GuardVerdict:
    """Verdict on one guard from the games of a certificate.

    Attributes:
        name: key of the guard in `[guards]`.
        before: value of the baseline with its 95 % interval: a share, percentage points, or turns.
        after: value with the patch on the same seeds, with its 95 % interval.
        low: smallest permitted value.
        high: largest permitted value.
        estimate: measured value of the limited quantity: a share, growth in percentage points, or a
            relative change.
        bound: upper confidence bound of that quantity, over all looks together at the level
            `CONFIDENCE` or higher.
        limit: limit from `[guards]`, in the unit of `estimate` and `bound`.
        n_games: games per matchup.
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

    @property
    def holds(self) -> bool:
        """Whether the games verify that the guard holds."""
        return self.bound <= self.limit

    @property
    def passing_limit(self) -> float:
        """Smallest round limit with which these games would verify the guard."""
        step = _ROUND[self.name]
        n_steps = math.ceil(round(self.bound / step, _DIGITS))
        return round(min(max(n_steps, 0) * step, _HIGHEST[self.name]), _DIGITS)

    @property
    def is_broken(self) -> bool:
        """Whether the measured value exceeds the limit; else the guard may still be unverified."""
        return self.estimate > self.limit


@dataclass(frozen=True)
class GuardGames:
    """Games of a patch and of the baseline on the same seeds, by which guards are judged.

    Attributes:
        patched: games of the patch, one variant.
        today: games of the baseline, one variant.
        no_edits: whether the patch changes nothing, so that nothing can grow or shift.
    """

    patched: Readings
    today: Readings
    no_edits: bool = False

    @classmethod
    def of(cls, patched: Readings, today: Readings, *, no_edits: bool = False) -> GuardGames:
        """Return the games of the first variant of one readings and of the last variant of another.

        Args:
            patched: readings with the patch as first variant.
            today: readings with the baseline as last variant.
            no_edits: whether the patch changes nothing.
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
    """Return the verdict on each watched guard from all games so far.

    Args:
        guards: limits of the guards.
        games: games of this look and of all earlier ones.
        error: probability of verifying a guard with a true value at its limit.
        first_side: 1 if games other than these show an advantage of the first seat, else -1. Any
            choice that does not depend on these games is valid; a wrong one only widens the bound.
        earlier: verdicts of the previous look; a guard verified there stays verified.
    """
    if earlier and all(verdict.holds for verdict in earlier):
        return earlier
    verdicts = (
        _draws(guards.max_draw_rate, games, error),
        _first_seat(guards.max_first_seat_pp, games, error, first_side),
        _length(guards.median_turns, games, error),
    )
    held = {verdict.name: verdict for verdict in earlier if verdict.holds}
    return tuple(held.get(verdict.name, verdict) for verdict in verdicts if verdict is not None)


def not_watched(readings: Readings) -> tuple[str, ...]:
    """Return the keys of the guards that a contest's games do not measure."""
    # In the order of the fields of `Guards`.
    measured = (readings.drawn_share(), readings.first_seat_by_seed(), readings.turns)
    pairs = zip(Guards.model_fields, measured, strict=True)
    return tuple(name for name, values in pairs if values is None)


def _draws(limit: float, games: GuardGames, error: float) -> GuardVerdict | None:
    """Return the verdict on the share of drawn games; `None` if draws are not measured."""
    n = games.patched.n_seeds
    after_share = games.patched.drawn_share()
    before_share = games.today.drawn_share()
    if after_share is None or before_share is None:
        return None
    share = float(after_share[0])
    return GuardVerdict(
        name="max_draw_rate",
        before=_share(float(before_share[0]), n),
        after=_share(share, n),
        low=0.0,
        high=limit,
        estimate=share,
        bound=upper_share(share * n, n, error),
        limit=limit,
        n_games=games.patched.n_games,
    )


def _share(share: float, n: int) -> Interval:
    """Return a share of `n` games with its exact interval (Clopper-Pearson)."""
    error = (1 - CONFIDENCE) / 2
    least = 1 - upper_share((1 - share) * n, n, error)
    return Interval(*map(np.array, (share, least, upper_share(share * n, n, error))))


def _first_seat(
    limit_pp: float, games: GuardGames, error: float, first_side: int
) -> GuardVerdict | None:
    """Return the verdict on the growth of the first-turn advantage; `None` if it is not measured.

    The advantage is the distance of the first seat's win rate from 50 %, so its growth is ``|after|
    - |before|``. Its upper bound is the larger of the bounds on ``±after - first_side · before``.

    Args:
        limit_pp: limit in percentage points.
        games: games of the patch and of the baseline.
        error: probability of verifying a guard with a true value at its limit.
        first_side: 1 if other games show an advantage of the first seat, else -1.
    """
    rates = games.patched.first_seat_by_seed(), games.today.first_seat_by_seed()
    if rates[0] is None or rates[1] is None:
        return None
    after = _lead(rates[0][0])
    before = _lead(rates[1][0])
    n_matchups = len(rates[0][0])
    pp = 25 / n_matchups  # percentage points per half point, of the 2 n_matchups games of a seed
    value_pp, before_pp = (pp * int(lead.sum()) / games.patched.n_seeds for lead in (after, before))
    worst = 4 * n_matchups  # half points: the other seat wins each of the seed's games
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


def _lead(rates: Floats) -> Counts:
    """Return the first seat's half points above even, ``[S]``, from its rates, ``[M, S]``."""
    return np.asarray((4 * rates - 2).sum(axis=0).astype(np.int64))


def _upper_mean(differences: Counts, worst: int, error: float) -> float:
    """Return an upper confidence bound on a mean of whole numbers of at most `worst` each.

    A t interval over the sample and one additional value of `worst`: an event that never occurred
    in few games may still occur.

    Args:
        differences: sample, shape ``[S]``.
        worst: largest possible value.
        error: probability that the bound is below the mean.
    """
    n = len(differences) + 1  # with the additional worst value
    total = int(differences.sum()) + worst
    squares = int((differences**2).sum()) + worst**2
    variance = (squares - total**2 / n) / (n - 1)
    return total / n + t_score(1 - 2 * error, n - 1) * math.sqrt(variance / n)


def _length(limit: float, games: GuardGames, error: float) -> GuardVerdict | None:
    """Return the verdict on the median game length; `None` if lengths are not measured."""
    n = games.patched.n_seeds
    after_turns = games.patched.turns
    before_turns = games.today.turns
    if after_turns is None or before_turns is None:
        return None
    before = _median(before_turns, n)
    after = _median(after_turns, n)
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


def _median(turns: Counts, n: int) -> Interval:
    """Return the median length with its distribution-free interval for `n` independent games."""
    n_shorter = max(most_that_shows(0.5, n, (1 - CONFIDENCE) / 2), 0)
    (low, _), (_, high) = (length_range(turns, k, n) for k in (n_shorter, n - n_shorter))
    return Interval(*map(np.array, (median_length(turns), low, high)))
