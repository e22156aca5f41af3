"""Guards: what a patch must not make worse, and when games show that it does not.

A guard holds where its bound is within the limit: the largest value that the games leave
possible, wrong as seldom as `balance.risk` says. All games of a seed share their luck, so seeds are
counted, not games: the shares of draws and of short games have the bounds of as many games as
there are seeds, exact if all games of a seed go alike and on the safe side otherwise.
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

# What a limit is rounded up to, and the highest that `[guards]` takes.
_ROUND = {"max_draw_rate": 0.001, "max_first_seat_pp": 0.1, "median_turns": 0.01}
_HIGHEST = {"max_draw_rate": 1.0, "max_first_seat_pp": 100.0, "median_turns": 100.0}
_DIGITS = 9  # that tell a whole number of steps from a hair more


@dataclass(frozen=True)
class GuardVerdict:
    """One guard in a certificate's games.

    Attributes:
        name: as in `[guards]`.
        before: today's reading with its 95 % interval: a share, percentage points, or turns.
        after: the patch's reading on the same seeds, likewise.
        low: the least reading that is allowed.
        high: the most that is allowed.
        estimate: what is limited: a share, growth in percentage points, or a relative change.
        bound: the largest that the games leave possible, at the level `CONFIDENCE` or higher for
            all looks together.
        limit: as in `[guards]`; `estimate` and `bound` have its unit.
        n_games: per matchup.
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
        """Whether the games show it."""
        return self.bound <= self.limit

    @property
    def passing_limit(self) -> float:
        """The least limit, in round numbers, by which these games would show that it holds."""
        step = _ROUND[self.name]
        n_steps = math.ceil(round(self.bound / step, _DIGITS))
        return round(min(max(n_steps, 0) * step, _HIGHEST[self.name]), _DIGITS)

    @property
    def is_broken(self) -> bool:
        """Whether the games speak against it; what neither holds nor is broken is not shown."""
        return self.estimate > self.limit


@dataclass(frozen=True)
class GuardGames:
    """Games of a patch and of today's numbers on the same seeds, which the guards look at.

    Attributes:
        patched: of the patch alone.
        today: of today's numbers alone.
        no_edits: the patch leaves everything as it is, so nothing grows or moves.
    """

    patched: Readings
    today: Readings
    no_edits: bool = False

    @classmethod
    def of(cls, patched: Readings, today: Readings, *, no_edits: bool = False) -> GuardGames:
        """Those of readings whose first variant is the patch, and whose last is today."""
        return cls(patched.take(slice(1)), today.take(slice(-1, None)), no_edits)


def judge_guards(
    guards: Guards,
    games: GuardGames,
    error: float,
    *,
    first_side: int,
    earlier: tuple[GuardVerdict, ...] = (),
) -> tuple[GuardVerdict, ...]:
    """Whether each guard that is watched holds in all games so far.

    Args:
        guards: the limits.
        games: those of this look and of all before.
        error: chance to let a guard hold whose truth is at its limit.
        first_side: 1 if today's advantage is the first seat's, else -1. Any side that these games
            had no part in choosing is safe; a wrong one only makes the bound wider.
        earlier: verdicts of the look before; what held there is not looked at again.
    """
    if earlier and all(one.holds for one in earlier):
        return earlier
    verdicts = (
        _draws(guards.max_draw_rate, games, error),
        _first_seat(guards.max_first_seat_pp, games, error, first_side),
        _length(guards.median_turns, games, error),
    )
    held = {one.name: one for one in earlier if one.holds}
    return tuple(held.get(one.name, one) for one in verdicts if one is not None)


def not_watched(readings: Readings) -> tuple[str, ...]:
    """The guards that a contest's games say nothing about."""
    read = (readings.drawn_share(), readings.first_seat_by_seed(), readings.turns)
    return tuple(name for name, one in zip(Guards.model_fields, read, strict=True) if one is None)


def _draws(limit: float, games: GuardGames, error: float) -> GuardVerdict | None:
    n = games.patched.n_seeds
    now = games.patched.drawn_share()
    was = games.today.drawn_share()
    if now is None or was is None:
        return None
    share = float(now[0])
    return GuardVerdict(
        name="max_draw_rate",
        before=_share(float(was[0]), n),
        after=_share(share, n),
        low=0.0,
        high=limit,
        estimate=share,
        bound=upper_share(share * n, n, error),
        limit=limit,
        n_games=games.patched.n_games,
    )


def _share(share: float, n: int) -> Interval:
    """A share of `n` games with its interval."""
    error = (1 - CONFIDENCE) / 2
    least = 1 - upper_share((1 - share) * n, n, error)
    return Interval(*map(np.array, (share, least, upper_share(share * n, n, error))))


def _first_seat(
    limit_pp: float, games: GuardGames, error: float, first_side: int
) -> GuardVerdict | None:
    """Growth of an advantage, which is a distance from 50 %, whichever seat has it."""
    rates = games.patched.first_seat_by_seed(), games.today.first_seat_by_seed()
    if rates[0] is None or rates[1] is None:
        return None
    now = _lead(rates[0][0])
    was = _lead(rates[1][0])
    n_matchups = len(rates[0][0])
    pp = 25 / n_matchups  # of a seed's games, in one half point
    value_pp, before_pp = (pp * int(lead.sum()) / games.patched.n_seeds for lead in (now, was))
    worst = 4 * n_matchups  # half points: one seat's win in each game becomes the other's
    bounds = [_upper_mean(side * now - first_side * was, worst, error) for side in (1, -1)]
    most_pp = abs(before_pp) + limit_pp
    return GuardVerdict(
        name="max_first_seat_pp",
        before=paired_mean(pp * was.astype(np.float64)),
        after=paired_mean(pp * now.astype(np.float64)),
        low=-most_pp,
        high=most_pp,
        estimate=abs(value_pp) - abs(before_pp),
        bound=0.0 if games.no_edits else min(pp * max(bounds), 50.0),
        limit=limit_pp,
        n_games=games.patched.n_games,
    )


def _lead(rates: Floats) -> Counts:
    """``[S]`` half points of the first seat beyond those of even games, of its ``[M, S]`` rates."""
    return np.asarray((4 * rates - 2).sum(axis=0).astype(np.int64))


def _upper_mean(differences: Counts, worst: int, error: float) -> float:
    """The largest mean of which ``[S]`` whole numbers are a likely sample, at most `worst` each.

    As if one more number had been the worst: what never occurred among few may yet occur.
    """
    n = len(differences) + 1
    total = int(differences.sum()) + worst
    squares = int((differences**2).sum()) + worst**2
    variance = (squares - total**2 / n) / (n - 1)
    return total / n + t_score(1 - 2 * error, n - 1) * math.sqrt(variance / n)


def _length(limit: float, games: GuardGames, error: float) -> GuardVerdict | None:
    n = games.patched.n_seeds
    now = games.patched.turns
    was = games.today.turns
    if now is None or was is None:
        return None
    before = _median(was, n)
    after = _median(now, n)
    most = most_length_change(now, was, most_that_shows(0.5, n, error), n)
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
    """The median length with the interval that it has in the games of `n` seeds."""
    n_shorter = max(most_that_shows(0.5, n, (1 - CONFIDENCE) / 2), 0)
    (low, _), (_, high) = (length_range(turns, k, n) for k in (n_shorter, n - n_shorter))
    return Interval(*map(np.array, (median_length(turns), low, high)))
