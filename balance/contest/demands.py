"""Bounds on win rates and on weighted means of win rates, which a balanced game satisfies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np
import numpy.typing as npt

from balance.contest.band import BandVerdict, band_verdict, lies_inside, lies_outside
from balance.contest.readings import Readings
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import (
    CONFIDENCE,
    Counts,
    Flags,
    Floats,
    Interval,
    Positions,
    cautious_rate,
    paired_change,
    wilson,
)
from sim.errors import InputError
from sim.value_error import value_error

# Digits of a bound. Rounding removes the error of sums in floats, such as 0.55 - 0.05 > 0.5.
_DIGITS = 12


@dataclass(frozen=True)
class Demands:
    """Bounds on ``N`` demanded rates, each a weighted mean of the ``R`` rates of a contest.

    The ``R`` rates are those of the ``M`` matchups and, if `with_first_seat`, of the first seat.
    Each demanded rate has an *aim*: the interval between its bounds, narrowed by `band_pp` on both
    sides. If the bounds are 2 `band_pp` apart, the aim is a single value, the target. Distances are
    measured from the aims. Therefore all demands hold if no rate is farther than `band_pp` from its
    aim, even if the bounds have different widths.

    Attributes:
        names: names in reports, ``[N]``.
        weights: shares of the contest's rates in each mean, ``[N, R]``. Their absolute values add
            up to 1; a negative share counts the rate of the matchup's second player.
        low: lower bounds as shares, ``[N]``; `-inf` for a rate without a lower bound.
        high: upper bounds as shares, ``[N]``; `inf` for a rate without an upper bound.
        band_pp: permitted distance from the aim, in percentage points.
        with_first_seat: whether the last of the ``R`` rates is the first seat's over all matchups.
        spread: standard deviation of one game's result, relative to that of a win or loss.
        repeats: number of games per matchup behind each rate for each game that readings count,
            ``[R]``; `None` for one game.
        spreads: standard deviation of one game's contribution to each rate, in multiples of
            `spread`, ``[R]``; `None` for 1.
    """

    names: tuple[str, ...]
    weights: Floats
    low: Floats
    high: Floats
    band_pp: float
    with_first_seat: bool = False
    spread: float = 1.0
    repeats: Counts | None = None
    spreads: Floats | None = None

    def __post_init__(self) -> None:
        """Refuse weights that do not form means, and bounds that are closer than the band.

        Raises:
            InputError: `band_pp` is negative or not finite; a number of rows differs from that of
                the names; the weights of a demand are not shares; or its bounds are closer than
                2 `band_pp`.
        """
        if not 0 <= self.band_pp < inf:
            raise value_error(
                "band_pp", self.band_pp, "must be a finite number of at least 0", limit=0
            )
        for attribute, rows in (("weights", self.weights), ("low", self.low), ("high", self.high)):
            if len(rows) != len(self.names):
                raise InputError(
                    f"{len(rows)} rows for {len(self.names)} demands",
                    place=attribute,
                    value=len(rows),
                    limit=len(self.names),
                )
        # 1e-9 is a tolerance for sums of floats, far below any share that a file can express.
        is_mean = abs(abs(self.weights).sum(axis=1) - 1) < 1e-9
        if self.with_first_seat:  # a mean over all matchups, which cannot be part of another mean
            is_mean &= (self.weights[:, -1] == 0) | (self.weights[:, -1] == 1)
        for k, name in enumerate(self.names):
            if not is_mean[k]:
                raise InputError(
                    "the absolute values of its weights must add up to 1",
                    place=f"demand {name!r}",
                    limit=1,
                )
            if not self.high[k] - self.low[k] >= 2 * self.band_pp / 100 - 1e-9:
                raise InputError(
                    f"the interval from {self.low[k]} to {self.high[k]} must be at least "
                    f"{2 * self.band_pp:g} pp wide, which is twice band_pp",
                    place=f"demand {name!r}",
                    value=(float(self.low[k]), float(self.high[k])),
                    limit=self.band_pp,
                )

    @classmethod
    def around(
        cls, targets: npt.ArrayLike, band_pp: float, names: Sequence[str] | None = None
    ) -> Demands:
        """Return demands that each matchup's rate lies within a band around its target.

        Args:
            targets: target rates, shape ``[M]``.
            band_pp: half-width of the band, in percentage points.
            names: names of the matchups, ``[M]``; default their positions as text.

        Raises:
            InputError: a target is not a share, the list of targets is empty, or the band is
                negative.
        """
        target = np.asarray(targets, dtype=np.float64)
        if target.ndim != 1 or not len(target) or not ((target >= 0) & (target <= 1)).all():
            raise value_error(
                "targets", targets, "must be one share from 0 to 1 per matchup", limit=(0, 1)
            )
        half = band_pp / 100
        matchup_names = tuple(names or map(str, range(len(target))))
        return cls(matchup_names, np.eye(len(target)), target - half, target + half, band_pp)

    def __len__(self) -> int:
        return len(self.low)

    def take(self, positions: Positions) -> Demands:
        """Return the demands at given positions.

        Args:
            positions: positions of the demands to keep, in the order of the result.
        """
        return replace(
            self,
            names=tuple(self.names[n] for n in positions),
            weights=self.weights[positions],
            low=self.low[positions],
            high=self.high[positions],
        )

    @property
    def n_rates(self) -> int:
        """Number of rates of the contest from which the demanded rates are computed, ``R``."""
        return int(self.weights.shape[1])

    @property
    def joint_confidence(self) -> float:
        """Confidence level of each of ``N`` simultaneous 95 % intervals: 1 - 0.05 / N (Bonferroni).

        Reports that show all rates at once use this level. The verdict that all demands hold uses
        another; see `balance.verdict.risk`.
        """
        return 1 - (1 - CONFIDENCE) / len(self)

    @cached_property
    def aims(self) -> Floats:
        """Lower and upper ends of the aims, as shares, shape ``[2, N]``."""
        half = self.band_pp / 100
        return np.round([self.low + half, self.high - half], _DIGITS)

    def points(self, readings: Readings) -> Floats:
        """Return the points of the matchups and, if `with_first_seat`, of the first seat.

        The first seat's points are scaled to the games of one matchup, so that all points have the
        same divisor.

        Args:
            readings: games of ``V`` variants.

        Returns:
            Points, shape ``[V, R]``; 0 for variants that could not be played.
        """
        if not self.with_first_seat:
            return readings.points
        first = readings.first_seat_over_matchups().mean(axis=-1) * readings.n_games
        # Candidates that could not be played have NaN rates, but 0 points, as in `readings.points`.
        first[list(readings.faults)] = 0.0
        return np.column_stack([readings.points, first])

    def rates(self, readings: Readings) -> Floats:
        """Return the rates of the matchups and, if `with_first_seat`, of the first seat.

        Args:
            readings: games of ``V`` variants.

        Returns:
            Rates as shares, shape ``[V, R]``; 0 for variants that could not be played.
        """
        return self.points(readings) / readings.n_games

    def of(self, rates: Floats) -> Floats:
        """Return the demanded rates that follow from rates of the contest.

        A demanded rate is ``Σ_r w_r x_r + Σ_{w_r < 0} |w_r|``: a negative weight counts the rate of
        the matchup's second player, ``1 - x_r``.

        Args:
            rates: rates of the contest, shape ``[..., R]``.

        Returns:
            Demanded rates, shape ``[..., N]``.
        """
        means = [
            weighted_sum(rates[..., where], shares) + turned for where, shares, turned in self._rows
        ]
        return np.stack(means, axis=-1)

    def read(self, readings: Readings, confidence: float) -> Interval:
        """Return the demanded rates with intervals over seeds, shape ``[V, N]``.

        All seatings of a seed share its randomness, which cancels out in part and narrows the
        intervals. Each end of an interval errs with a probability of at most
        (1 - `confidence`) / 2 (`cautious_rate`).

        Args:
            readings: games of ``V`` variants.
            confidence: confidence level of each interval.
        """
        columns = [cautious_rate(rates, confidence) for rates in self._by_seed(readings)]
        return Interval(*(np.stack(bound, axis=-1) for bound in zip(*columns, strict=True)))

    def change(
        self,
        after: Readings,
        before: Readings,
        can_differ: Flags,
        confidence: float = CONFIDENCE,
    ) -> Interval:
        """Return the change of the demanded rates between candidates on equal seeds.

        Args:
            after: readings of ``V`` candidates, or of a single candidate.
            before: readings of ``V`` candidates, or of a single candidate.
            can_differ: whether any game of a matchup can differ, ``[V, M]``; a demanded rate
                without such a matchup is known not to change.
            confidence: confidence level of each single interval.

        Returns:
            Rates of `after` minus rates of `before`, as shares with paired intervals, ``[V, N]``.
        """
        most = self.touched(can_differ)
        return paired_change(self.by_seed(after) - self.by_seed(before), most, confidence)

    def touched(self, matchups: Flags) -> Floats:
        """Return the total weight of selected matchups in each demanded rate, shape ``[..., N]``.

        Args:
            matchups: whether each matchup is selected, shape ``[..., M]``.
        """
        shares = [
            matchups.mean(axis=-1)
            if self._is_first_seat(where[0])
            else weighted_sum(matchups[..., where].astype(np.float64), abs(row))
            for where, row, _ in self._rows
        ]
        return np.stack(shares, axis=-1)

    def by_seed(self, readings: Readings) -> Floats:
        """Return the demanded rates in the games of each of ``S`` seeds, shape ``[V, N, S]``."""
        return np.stack([*self._by_seed(readings)], axis=1)

    def _by_seed(self, readings: Readings) -> Iterator[Floats]:
        """Yield for each demand its rate in the games of each of ``S`` seeds, shape ``[V, S]``."""
        for where, shares, turned in self._rows:
            if self._is_first_seat(where[0]):
                yield readings.first_seat_over_matchups()
            else:
                of_matchups = np.moveaxis(readings.rates_by_seed(matchups=where), 1, -1)
                yield weighted_sum(of_matchups, shares) + turned

    @cached_property
    def _rows(self) -> tuple[tuple[Positions, Floats, float], ...]:
        """Terms of each demanded rate, ``[N]``: positions of its rates, their weights, a constant.

        The constant is the sum of the absolute negative weights; see `of`.
        """
        rows = list[tuple[Positions, Floats, float]]()
        for row in self.weights:
            where = np.flatnonzero(row)
            rows.append((where, row[where], -float(row[row < 0].sum())))
        return tuple(rows)

    def _is_first_seat(self, rate: int) -> bool:
        """Return whether the rate of the contest at a position is the first seat's."""
        return self.with_first_seat and rate == self.n_rates - 1

    def on_matchups(self) -> Iterator[tuple[int, int]]:
        """Yield the position of each demand on a single matchup, and the matchup's position."""
        for n, (where, shares, _) in enumerate(self._rows):
            if len(where) == 1 and shares[0] > 0 and not self._is_first_seat(where[0]):
                yield n, int(where[0])

    def with_matchups(self, names: Sequence[str]) -> Demands:
        """Return demands that begin with an entry for every matchup, for reports.

        An entry for a matchup without a demand has infinite bounds. Demands on other rates follow.

        Args:
            names: names of the matchups, ``[M]``.
        """
        # Position len(self) selects the appended infinite bounds, for matchups without a demand.
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
        """Lower and upper bounds, clipped to the range from 0 to 1, shape ``[2, N]``."""
        return np.clip([self.low, self.high], 0.0, 1.0)

    def estimate(self, rates: Floats, n_games: npt.ArrayLike, confidence: float) -> Interval:
        """Return the demanded rates with Wilson intervals, shape ``[..., N]``.

        The sample size of a demanded rate is ``n_games / errors²``, the number of games of a single
        matchup that would give its standard error.

        Args:
            rates: rates of the contest, shape ``[..., R]``.
            n_games: games per matchup, shape ``[...]``.
            confidence: confidence level of each interval.
        """
        n = np.multiply.outer(n_games, 1 / self.errors**2)
        return wilson(self.of(rates) * n, n, confidence)

    def distance_pp(self, rates: Floats) -> Floats:
        """Return the distance of demanded rates from their aims, in percentage points.

        Args:
            rates: demanded rates, shape ``[..., N]``.

        Returns:
            Distances, shape ``[..., N]``; 0 for a rate inside its aim.
        """
        least, most = self.aims
        return np.asarray(100 * np.maximum(np.maximum(least - rates, rates - most), 0.0))

    @cached_property
    def errors(self) -> Floats:
        """Approximate standard errors of the demanded rates, shape ``[N]``.

        The unit is the standard error of one matchup's rate near 50 %. For a mean with weights
        ``w`` the error is ``spread · sqrt(Σ w²)``. The first seat's randomness does not cancel out
        between the seatings of a seed, so its variance is twice as large.
        """
        shares = self.weights if self.spreads is None else self.weights * self.spreads
        squares = (shares * shares / self._repeats).sum(axis=1)
        if self.with_first_seat:
            squares[self.weights[:, -1] > 0] = 2 / (self.n_rates - 1)
        return np.asarray(self.spread * np.sqrt(squares))

    @property
    def _repeats(self) -> Counts:
        """Number of games of each rate for each game that readings count, ``[R]``."""
        return np.ones(self.n_rates, dtype=np.int64) if self.repeats is None else self.repeats

    def games_of(self, n_games: int) -> Counts:
        """Return the games per matchup behind each demanded rate, the fewest of its rates, ``[N]``.

        Args:
            n_games: games per matchup that readings count.
        """
        fewest = [self._repeats[where].min() for where, _, _ in self._rows]
        return np.asarray(n_games * np.array(fewest))

    @property
    def tightest(self) -> tuple[float, float]:
        """Error and half-width, in points, of the demand that needs the most games.

        The unit of the error is that of `errors`.
        """
        half_pp = 50 * (self.high - self.low)
        n = int(np.argmin(half_pp / self.errors))
        return float(self.errors[n]), float(half_pp[n])

    def spare_pp(self, rates: Floats, room_pp: npt.ArrayLike = 0.0) -> Floats:
        """Return the smallest distance of the demanded rates from their bounds.

        Args:
            rates: demanded rates, shape ``[..., N]``.
            room_pp: margin that the rate of a matchup needs, in percentage points, shape ``[...]``.
                The margin of each rate is proportional to its standard error, and is subtracted
                from the rate's distance.

        Returns:
            Distances in percentage points, shape ``[...]``; negative if a rate lies outside its
            narrowed bounds.
        """
        inside = 100 * np.minimum(rates - self.low, self.high - rates)
        return np.asarray((inside - np.multiply.outer(room_pp, self.errors)).min(axis=-1))

    def hold(self, rates: Interval) -> Flags:
        """Return whether each rate's interval lies inside its bounds, shape ``[..., N]``."""
        return lies_inside(rates, self.low, self.high)

    def fail(self, rates: Interval) -> Flags:
        """Return whether each rate's interval lies outside its bounds, shape ``[..., N]``."""
        return lies_outside(rates, self.low, self.high)

    def verdicts(self, rates: Interval) -> tuple[BandVerdict, ...]:
        """Return the position of each rate's interval relative to its bounds, shape ``[N]``."""
        return tuple(
            band_verdict(rates.at(n), float(self.low[n]), float(self.high[n]))
            for n in range(len(self))
        )

    def measured_imbalance_pp(self, rates: Floats, n_games: npt.ArrayLike) -> Interval:
        """Return the imbalance of measured rates, with its simultaneous 95 % interval.

        Args:
            rates: rates of the contest, shape ``[..., R]``.
            n_games: games per matchup from which the rates are computed.

        Returns:
            Imbalance in percentage points, shape ``[...]``.
        """
        return self.imbalance_pp(self.estimate(rates, n_games, self.joint_confidence))

    def imbalance_pp(self, rates: Interval) -> Interval:
        """Return the largest distance of the demanded rates from their aims, with its interval.

        The interval contains the true distance whenever the intervals of all rates contain the true
        rates. With rates at the level `joint_confidence` its confidence level is 95 %.

        Args:
            rates: demanded rates with intervals, shape ``[..., N]``.

        Returns:
            Imbalance in percentage points, shape ``[...]``.
        """
        least, most = self.aims
        nearest = 100 * np.maximum(np.maximum(least - rates.high, rates.low - most), 0.0)
        # The distance is convex in the rate, so its maximum over an interval is at one of the ends.
        farthest = np.maximum(self.distance_pp(rates.low), self.distance_pp(rates.high))
        distances = (self.distance_pp(rates.estimate), nearest, farthest)
        return Interval(*(distance.max(axis=-1) for distance in distances))
