"""The guards, the limits on side effects of a patch: their readings, violations and verification.

A guard is verified if the upper confidence bound on its value is within its limit;
`balance.verdict.risk` sets the error probability. Games of one seed are correlated, so seeds are
counted, not games. Shares of drawn and of short games have the exact bounds for as many independent
games as seeds. These are exact if all games of a seed end in the same way, and conservative
otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.contest.readings import Readings
from balance.settings.tables import Guards
from balance.statistics.intervals import CONFIDENCE, Floats, Interval
from balance.verdict.draw_guard import DrawGuard
from balance.verdict.first_seat_guard import FirstSeatGuard
from balance.verdict.guard import Guard, GuardGames, SelectionGames
from balance.verdict.length_guard import LengthGuard
from sim.short_repr import short_repr

GUARDS: Mapping[str, Guard] = {
    guard.name: guard for guard in (DrawGuard(), FirstSeatGuard(), LengthGuard())
}
"""All guards by their keys in `[guards]`, in the order of the fields of `Guards`."""

GuardReadings = Mapping[str, Floats]
"""Measured quantities of ``V`` variants by guard, those that the games do not measure left out."""

# Decimal digits of a number of steps, so that 3.0000000001 steps count as 3 and are not rounded up.
_DIGITS = 9
# Divisor in place of a limit of 0: a thousandth is far below every limit that anyone would set.
_LEAST_DIVISOR = 1e-3


@dataclass(frozen=True)
class GuardVerdict:
    """Verdict on one guard from the games of a certificate.

    Attributes:
        name: key of the guard in `[guards]`.
        before: measured quantity of the baseline with its 95 % interval, in `reading_unit`.
        after: the same quantity with the patch, on the same seeds.
        low: smallest permitted value of `after`.
        high: largest permitted value of `after`.
        estimate: measured value that is compared with the limit (`Guard.value`).
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

    def as_entry(self, **others: Any) -> dict[str, Any]:
        """Return the readings, bound and verdict as data for `summary.json`.

        Args:
            **others: further values of the entry, such as the number of games.
        """
        return {
            "value": float(self.after.estimate),
            "before": float(self.before.estimate),
            "low": self.low,
            "high": self.high,
            "estimate": self.estimate,
            "bound": self.bound,
            "limit": self.limit,
            "confidence": CONFIDENCE,
            "holds": self.holds,
            "passing_limit": self.passing_limit,
            **others,
        }

    @property
    def holds(self) -> bool:
        """Whether the games verify that the guard holds."""
        return self.bound <= self.limit

    @property
    def reading_unit(self) -> str:
        """Unit of `before` and `after` in tables."""
        return GUARDS[self.name].reading_unit

    @property
    def passing_limit(self) -> float:
        """Smallest round limit with which these games would verify the guard.

        The limit is a multiple of the guard's step, at most the highest permitted limit.
        """
        guard = GUARDS[self.name]
        n_steps = math.ceil(round(self.bound / guard.limit_step, _DIGITS))
        return round(min(max(n_steps, 0) * guard.limit_step, guard.highest_limit), _DIGITS)

    @property
    def is_broken(self) -> bool:
        """Whether the measured value exceeds the limit.

        A guard may neither hold nor be broken: its value may be inside the limit, but unverified.
        """
        return self.estimate > self.limit


def read_guards(readings: Readings) -> GuardReadings:
    """Return the measured quantities that the guards limit, for each variant of the games."""
    read = {name: guard.read(readings) for name, guard in GUARDS.items()}
    return {name: quantity for name, quantity in read.items() if quantity is not None}


def guard_values(readings: GuardReadings, today: GuardReadings) -> dict[str, Floats]:
    """Return estimates of the values that are compared with the limits, ``[V]``, by guard.

    Args:
        readings: quantities of ``V`` variants.
        today: quantities of the baseline on the same seeds, one variant.
    """
    return {name: GUARDS[name].value(now, today[name]) for name, now in readings.items()}


def read_parts(readings: Readings) -> Iterator[tuple[GuardReadings, GuardReadings]]:
    """Yield the quantities of the candidates and of the baseline in each part of readings.

    Args:
        readings: games of candidates, then of the baseline (`Readings.parts`).
    """
    for part, _ in readings.parts:
        yield read_guards(part.take(slice(-1))), read_guards(part.take(slice(-1, None)))


def largest_of(parts: Iterable[Mapping[str, Floats]]) -> dict[str, Floats]:
    """Return the largest value of any part for each guard, ``[V]``.

    Args:
        parts: values by guard, for each part of readings.
    """
    largest = dict[str, Floats]()
    for values in parts:
        for name, value in values.items():
            largest[name] = np.maximum(largest.get(name, value), value)
    return largest


def guard_values_with_room(guards: Guards, games: SelectionGames) -> dict[str, Floats]:
    """Return the values that guards limit, increased by the margins that they need, ``[P]``.

    Of readings with several parts, the largest value of a part counts.

    Args:
        guards: limits of the guards.
        games: games of a selection, and the certificate for which they leave a margin.
    """
    of_parts = (
        {name: guard.value_with_room(guard.limit(guards), part) for name, guard in GUARDS.items()}
        for part in games.parts()
    )
    return largest_of(
        {name: value for name, value in values.items() if value is not None} for values in of_parts
    )


def worst_breach(guards: Guards, values: Mapping[str, Floats], n_variants: int) -> Floats:
    """Return the largest excess over a guard's limit, in multiples of the limit, shape ``[V]``.

    The excess is 0 for a variant that exceeds no limit.

    Args:
        guards: limits of the guards.
        values: values that are compared with the limits, ``[V]``, by guard; guards that are left
            out count as satisfied.
        n_variants: number of variants, ``V``.
    """
    worst = np.zeros(n_variants)
    for name, value in values.items():
        limit = GUARDS[name].limit(guards)
        excess = np.maximum(value - limit, 0) / max(limit, _LEAST_DIVISOR)
        worst = np.maximum(worst, excess)
    return worst


def guard_violation(
    guards: Guards,
    readings: GuardReadings,
    today: GuardReadings,
    n_variants: int,
    *,
    slack: float = 0.0,
) -> Floats:
    """Return the largest excess over a guard's limit, in multiples of the limit, shape ``[V]``.

    The excess is 0 for a variant that exceeds no limit.

    Args:
        guards: limits of the guards.
        readings: quantities of ``V`` variants.
        today: quantities of the baseline on the same seeds, one variant.
        n_variants: number of variants, ``V``.
        slack: number of standard errors by which a limit may be exceeded, for guards with a
            `Guard.standard_error`.
    """
    values = {
        name: value - slack * GUARDS[name].standard_error(readings[name], today[name])
        for name, value in guard_values(readings, today).items()
    }
    return worst_breach(guards, values, n_variants)


def judge_guards(
    guards: Guards,
    games: GuardGames,
    error: float,
    *,
    first_side: int,
    earlier: tuple[GuardVerdict, ...] = (),
) -> tuple[GuardVerdict, ...]:
    """Return the verdict on each guard that the games measure.

    Of games with several parts, such as those of several pilots, the part with the largest bound
    decides.

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
    held = {verdict.name: verdict for verdict in earlier if verdict.holds}
    verdicts = dict[str, GuardVerdict]()
    for part in games.parts():
        for name, guard in GUARDS.items():
            limit = guard.limit(guards)
            measured = guard.measure(limit, part, error, first_side=first_side)
            if measured is None:
                continue
            verdict = GuardVerdict(name, *measured, limit=limit, n_games=part.patched.n_games)
            worst = verdicts.get(name, verdict)
            verdicts[name] = verdict if verdict.bound > worst.bound else worst
    return tuple(held.get(name, verdict) for name, verdict in verdicts.items())


def not_watched(readings: Readings) -> tuple[str, ...]:
    """Return the keys in `[guards]` of the guards that the games of a contest do not measure."""
    part = readings.parts[0].readings
    return tuple(name for name, guard in GUARDS.items() if guard.read(part) is None)
