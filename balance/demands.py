"""Demands: where win rates should be, and what distance from there is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from balance.readings import Readings
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import (
    CONFIDENCE,
    Flags,
    Floats,
    Interval,
    Positions,
    cautious_rate,
)

_EDGE = 1e-12  # so that an interval that ends on a bound is inside


@dataclass(frozen=True)
class Demands:
    """What ``N`` rates should be, each that of one of ``M`` matchups or a mean of several.

    Attributes:
        names: ``[N]`` what reports call them.
        weights: ``[N, M]`` shares of the matchups in each rate, together 1.
        target: ``[N]`` where the rates should be.
        low: ``[N]`` the least that is allowed; `-inf` where any less is welcome, and then the
            target is `high`.
        high: ``[N]`` the most, likewise with `inf`.
    """

    names: tuple[str, ...]
    weights: Floats
    target: Floats
    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        """Refuse rates that are no means, and targets outside their bounds."""
        is_mean = (self.weights >= 0).all(axis=1) & (abs(self.weights.sum(axis=1) - 1) < 1e-9)
        is_open = np.isinf(self.low), np.isinf(self.high)
        bound = np.select(is_open, [self.high, self.low], self.target)
        lies_inside = (self.low <= self.target) & (self.target <= self.high)
        for k, name in enumerate(self.names):
            if not is_mean[k]:
                raise ValueError(f"demand {name!r}: weights must be shares that add up to 1")
            if not lies_inside[k] or self.target[k] != bound[k]:
                raise ValueError(
                    f"demand {name!r}: target {self.target[k]} must lie in {self.low[k]} to "
                    f"{self.high[k]}, and on the bound where the other side is open"
                )

    @classmethod
    def around(
        cls, targets: npt.ArrayLike, band_pp: float, names: Sequence[str] | None = None
    ) -> Demands:
        """One demand for each matchup: its rate within a band around its target.

        Args:
            targets: ``[M]`` target rates.
            band_pp: half-width of the band, in percentage points.
            names: ``[M]`` of the matchups; default their numbers.
        """
        target, half = np.asarray(targets, dtype=np.float64), band_pp / 100
        called = tuple(names or map(str, range(len(target))))
        return cls(called, np.eye(len(target)), target, target - half, target + half)

    def __len__(self) -> int:
        return len(self.target)

    @property
    def joint_confidence(self) -> float:
        """Level of each interval so that all hold together (Bonferroni): 1 - 0.05 / N.

        For what is told of all rates at once. A verdict that all demands hold needs it not: see
        `balance.risk`.
        """
        return 1 - (1 - CONFIDENCE) / len(self)

    @property
    def widest_pp(self) -> float:
        """The largest distance from its target that any demand allows: 5.0 for a band of 5.

        Rounded: 55 - 50 % is a little more than 5 in floats, and rates lie on the band's edge.
        """
        bounds = np.array([self.low, self.high])
        distances = np.where(np.isinf(bounds), 0.0, abs(bounds - self.target))
        return round(float(100 * distances.max()), 9)

    def of(self, rates: Floats) -> Floats:
        """``[..., N]`` the demanded rates, of ``[..., M]`` rates of matchups."""
        means = [weighted_sum(rates[..., where], shares) for where, shares in self._rows()]
        return np.stack(means, axis=-1)

    def read(self, readings: Readings, confidence: float) -> Interval:
        """``[V, N]`` the demanded rates, each with its interval over seeds.

        So what the seatings and matchups of a seed share counts: both seatings of two players
        exchange the luck, which narrows their rate's interval. Each end errs on its own
        (`cautious_rate`).
        """
        columns = []
        for where, shares in self._rows():
            by_seed = np.moveaxis(readings.rates_by_seed(matchups=where), 1, -1)
            columns.append(cautious_rate(weighted_sum(by_seed, shares), confidence))
        return Interval(*(np.stack(bound, axis=-1) for bound in zip(*columns, strict=True)))

    def _rows(self) -> Iterator[tuple[Positions, Floats]]:
        """Of each demand, the matchups that it is about, and their shares."""
        for row in self.weights:
            where = np.flatnonzero(row)
            yield where, row[where]

    @cached_property
    def nearest(self) -> Floats:
        """``[2, N]`` what rates should not be below, and not above: targets, or nothing."""
        return np.stack(
            [
                np.where(np.isinf(self.low), -np.inf, self.target),
                np.where(np.isinf(self.high), np.inf, self.target),
            ]
        )

    def distance_pp(self, rates: Floats) -> Floats:
        """How far ``[..., N]`` rates are from their targets, in percentage points.

        Where a side is open only the excess over the bound counts.
        """
        least, most = self.nearest
        return np.asarray(100 * np.maximum(np.maximum(least - rates, rates - most), 0.0))

    def spare_pp(self, rates: Floats) -> Floats:
        """``[...]`` how far inside its bounds the worst of ``[..., N]`` rates is."""
        return np.asarray(100 * np.minimum(rates - self.low, self.high - rates).min(axis=-1))

    def hold(self, rates: Interval) -> Flags:
        """``[..., N]`` whether intervals lie wholly inside their bounds."""
        return (rates.low >= self.low - _EDGE) & (rates.high <= self.high + _EDGE)

    def fail(self, rates: Interval) -> Flags:
        """``[..., N]`` whether intervals lie wholly outside their bounds."""
        return (rates.low > self.high) | (rates.high < self.low)

    def imbalance_pp(self, rates: Interval) -> Interval:
        """``[...]`` the largest distance of ``[..., N]`` rates from their targets.

        As the intervals of all demands hold together, so does that of the largest distance: take
        them at the level `joint_confidence` for 95 %.
        """
        nearest = np.clip(self.target, rates.low, rates.high)
        least, low, high = (self.distance_pp(at) for at in (nearest, rates.low, rates.high))
        distances = (self.distance_pp(rates.estimate), least, np.maximum(low, high))
        return Interval(*(distance.max(axis=-1) for distance in distances))
