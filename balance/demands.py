"""Demands: between which bounds win rates, and means of several, should be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np
import numpy.typing as npt

from balance.band import BandVerdict, band_verdict, lies_inside, lies_outside
from balance.readings import Readings
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import (
    CONFIDENCE,
    Flags,
    Floats,
    Interval,
    Positions,
    cautious_rate,
    paired_change,
    wilson,
)

_DIGITS = 12  # of a rate: 0.55 - 0.05 is a hair more than 0.5 in floats


@dataclass(frozen=True)
class Demands:
    """Bounds of ``N`` rates, each a mean of some of ``R``: the matchups', then the first seat's.

    Within its bounds a rate *aims* farther in: at what is `band_pp` from either. So where all
    rates are no farther than `band_pp` from their aims all demands hold, however wide the bounds
    of each. Where they are 2 `band_pp` apart the aim is a point: the target.

    Attributes:
        names: ``[N]`` what reports call them.
        weights: ``[N, R]`` shares of the rates in each mean, together 1 but for their signs: a
            negative one is of a matchup's other side.
        low: ``[N]`` the least that is allowed; `-inf` where any less is welcome.
        high: ``[N]`` the most, likewise with `inf`.
        band_pp: how far from its aim each may be, in percentage points.
        with_first_seat: whether the last of the rates is the first seat's, over all matchups.
        spread: the standard deviation of what a game gives, in those of a game won or lost.
    """

    names: tuple[str, ...]
    weights: Floats
    low: Floats
    high: Floats
    band_pp: float
    with_first_seat: bool = False
    spread: float = 1.0

    def __post_init__(self) -> None:
        """Refuse rates that are no means, and bounds too near to each other."""
        if not 0 <= self.band_pp < inf:
            raise ValueError(f"band_pp = {self.band_pp} must be a finite number, at least 0")
        for what, rows in (("weights", self.weights), ("low", self.low), ("high", self.high)):
            if len(rows) != len(self.names):
                raise ValueError(f"{what}: {len(rows)} rows for {len(self.names)} demands")
        is_mean = abs(abs(self.weights).sum(axis=1) - 1) < 1e-9
        if self.with_first_seat:  # which is a mean already
            is_mean &= (self.weights[:, -1] == 0) | (self.weights[:, -1] == 1)
        for k, name in enumerate(self.names):
            if not is_mean[k]:
                raise ValueError(f"demand {name!r}: weights must be shares that add up to 1")
            if not self.high[k] - self.low[k] >= 2 * self.band_pp / 100 - 1e-9:
                raise ValueError(
                    f"demand {name!r}: {self.low[k]} to {self.high[k]} is narrower than "
                    f"{self.band_pp:g} pp on both sides of an aim"
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

        Raises:
            ValueError: a target is no share, there is none, or the band is no width.
        """
        given = np.asarray(targets, dtype=np.float64)
        if given.ndim != 1 or not len(given) or not ((given >= 0) & (given <= 1)).all():
            raise ValueError(f"targets = {targets!r} must be one share from 0 to 1 per matchup")
        target = np.asarray(targets, dtype=np.float64)
        half = band_pp / 100
        called = tuple(names or map(str, range(len(target))))
        return cls(called, np.eye(len(target)), target - half, target + half, band_pp)

    def __len__(self) -> int:
        return len(self.low)

    def take(self, some: Positions) -> Demands:
        """Some of the demands."""
        return replace(
            self,
            names=tuple(self.names[n] for n in some),
            weights=self.weights[some],
            low=self.low[some],
            high=self.high[some],
        )

    @property
    def n_rates(self) -> int:
        """``R``."""
        return int(self.weights.shape[1])

    @property
    def joint_confidence(self) -> float:
        """Level of each interval so that all hold together (Bonferroni): 1 - 0.05 / N.

        For what is told of all rates at once. A verdict that all demands hold needs it not: see
        `balance.risk`.
        """
        return 1 - (1 - CONFIDENCE) / len(self)

    @cached_property
    def aims(self) -> Floats:
        """``[2, N]`` what rates should not be below, and not above."""
        half = self.band_pp / 100
        return np.round([self.low + half, self.high - half], _DIGITS)

    def points(self, readings: Readings) -> Floats:
        """``[V, R]`` points of the matchups, and those of the first seat in as many games."""
        if not self.with_first_seat:
            return readings.points
        first = readings.first_seat_over_matchups().mean(axis=-1) * readings.n_games
        first[list(readings.faults)] = 0.0
        return np.column_stack([readings.points, first])

    def rates(self, readings: Readings) -> Floats:
        """``[V, R]``."""
        return self.points(readings) / readings.n_games

    def of(self, rates: Floats) -> Floats:
        """``[..., N]`` the demanded rates, of ``[..., R]``."""
        means = [
            weighted_sum(rates[..., where], shares) + turned for where, shares, turned in self._rows
        ]
        return np.stack(means, axis=-1)

    def read(self, readings: Readings, confidence: float) -> Interval:
        """``[V, N]`` the demanded rates, each with its interval over seeds.

        So what the seatings and matchups of a seed share counts: both seatings of two players
        exchange the luck, which narrows their rate's interval. Each end errs on its own
        (`cautious_rate`).
        """
        columns = [cautious_rate(one, confidence) for one in self._by_seed(readings)]
        return Interval(*(np.stack(bound, axis=-1) for bound in zip(*columns, strict=True)))

    def change(
        self,
        after: Readings,
        before: Readings,
        can_differ: Flags,
        confidence: float = CONFIDENCE,
    ) -> Interval:
        """``[V, N]`` the demanded rates less those of other candidates, on equal seeds.

        Args:
            after: of ``V`` candidates, or of one that all are held against.
            before: likewise.
            can_differ: ``[V, M]`` whether any game of a matchup can differ; what no such matchup
                is part of has not changed, for certain.
            confidence: of each interval by itself.
        """
        most = self.touched(can_differ)
        return paired_change(self.by_seed(after) - self.by_seed(before), most, confidence)

    def touched(self, matchups: Flags) -> Floats:
        """``[..., N]`` how much of each demanded rate is of some of the ``[..., M]`` matchups."""
        shares = [
            matchups.mean(axis=-1)
            if self._is_first_seat(where[0])
            else weighted_sum(matchups[..., where].astype(np.float64), abs(row))
            for where, row, _ in self._rows
        ]
        return np.stack(shares, axis=-1)

    def by_seed(self, readings: Readings) -> Floats:
        """``[V, N, S]`` the demanded rates in the games of each seed."""
        return np.stack([*self._by_seed(readings)], axis=1)

    def _by_seed(self, readings: Readings) -> Iterator[Floats]:
        """The same, ``[V, S]`` of each."""
        for where, shares, turned in self._rows:
            if self._is_first_seat(where[0]):
                yield readings.first_seat_over_matchups()
            else:
                of_matchups = np.moveaxis(readings.rates_by_seed(matchups=where), 1, -1)
                yield weighted_sum(of_matchups, shares) + turned

    @cached_property
    def _rows(self) -> tuple[tuple[Positions, Floats, float], ...]:
        """Of each demand: the rates that it is about, their shares, and what other sides add."""
        rows = list[tuple[Positions, Floats, float]]()
        for row in self.weights:
            where = np.flatnonzero(row)
            rows.append((where, row[where], -float(row[row < 0].sum())))
        return tuple(rows)

    def _is_first_seat(self, place: int) -> bool:
        return self.with_first_seat and place == self.n_rates - 1

    def on_matchups(self) -> Iterator[tuple[int, int]]:
        """The demands on the rate of one matchup by itself, and that matchup."""
        for n, (where, shares, _) in enumerate(self._rows):
            if len(where) == 1 and shares[0] > 0 and not self._is_first_seat(where[0]):
                yield n, int(where[0])

    def with_matchups(self, names: Sequence[str]) -> Demands:
        """With every one of ``[M]`` named matchups, in their order, then what else is demanded.

        For reports, which tell of all: one of which nothing is demanded may come to anything.
        """
        own = {m: n for n, m in self.on_matchups() if self.names[n] == names[m]}
        others = [n for n in range(len(self)) if n not in own.values()]
        rows = [own.get(m, len(self)) for m in range(len(names))] + others
        weights = np.concatenate([np.eye(len(names), self.n_rates), self.weights[others]])
        return replace(
            self,
            names=(*names, *(self.names[n] for n in others)),
            weights=weights,
            low=np.append(self.low, -np.inf)[rows],
            high=np.append(self.high, np.inf)[rows],
        )

    @property
    def bounds(self) -> Floats:
        """``[2, N]`` the least and the most that is allowed, as shares."""
        return np.clip([self.low, self.high], 0.0, 1.0)

    def estimate(self, rates: Floats, n_games: npt.ArrayLike, confidence: float) -> Interval:
        """``[..., N]`` the demanded rates of ``[..., R]``, with Wilson intervals.

        Those of as many games as have their error (`errors`), of so many per matchup.
        """
        n = np.multiply.outer(n_games, 1 / self.errors**2)
        return wilson(self.of(rates) * n, n, confidence)

    def distance_pp(self, rates: Floats) -> Floats:
        """How far ``[..., N]`` rates are from their aims, in percentage points."""
        least, most = self.aims
        return np.asarray(100 * np.maximum(np.maximum(least - rates, rates - most), 0.0))

    @cached_property
    def errors(self) -> Floats:
        """``[N]`` standard errors, about, in those of one matchup's rate near 50 %.

        Seatings do not exchange the first seat's luck, so its variance is twice as large.
        """
        squares = (self.weights * self.weights).sum(axis=1)
        if self.with_first_seat:
            squares[self.weights[:, -1] > 0] = 2 / (self.n_rates - 1)
        return np.asarray(self.spread * np.sqrt(squares))

    def spare_pp(self, rates: Floats, room_pp: npt.ArrayLike = 0.0) -> Floats:
        """``[...]`` how far inside its bounds the worst of ``[..., N]`` rates is.

        Args:
            rates: demanded ones.
            room_pp: ``[...]`` that a matchup's rate needs, by which bounds are narrowed; others
                need as much less as their errors are smaller.
        """
        inside = 100 * np.minimum(rates - self.low, self.high - rates)
        return np.asarray((inside - np.multiply.outer(room_pp, self.errors)).min(axis=-1))

    def hold(self, rates: Interval) -> Flags:
        """``[..., N]`` whether intervals lie wholly inside their bounds."""
        return lies_inside(rates, self.low, self.high)

    def fail(self, rates: Interval) -> Flags:
        """``[..., N]`` whether intervals lie wholly outside their bounds."""
        return lies_outside(rates, self.low, self.high)

    def verdicts(self, rates: Interval) -> tuple[BandVerdict, ...]:
        """``[N]`` where the intervals of the demanded rates lie, by the rule of `balance.band`."""
        return tuple(
            band_verdict(rates.at(n), float(self.low[n]), float(self.high[n]))
            for n in range(len(self))
        )

    def imbalance_pp(self, rates: Interval) -> Interval:
        """``[...]`` the largest distance of ``[..., N]`` rates from their aims.

        As the intervals of all demands hold together, so does that of the largest distance: take
        them at the level `joint_confidence` for 95 %.
        """
        least, most = self.aims
        nearest = 100 * np.maximum(np.maximum(least - rates.high, rates.low - most), 0.0)
        low, high = (self.distance_pp(end) for end in (rates.low, rates.high))
        distances = (self.distance_pp(rates.estimate), nearest, np.maximum(low, high))
        return Interval(*(distance.max(axis=-1) for distance in distances))
