"""Intervals for win rates and for paired differences."""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95
_ROUNDING = 1e-12  # of spreads of win rates, weighted over opponents


class Interval(NamedTuple):
    """An estimate with its confidence interval; arrays of one shape, or scalars."""

    estimate: Floats
    low: Floats
    high: Floats

    def at(self, *position: int | npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Interval:
        """That of one entry of the arrays, of one row, or of some in an order."""
        return Interval(*(bound[position] for bound in self))

    def times(self, factor: float) -> Interval:
        """The same in another unit: times 100, a rate is in percent."""
        return Interval(*(factor * bound for bound in self))

    def __str__(self) -> str:
        """`0.503 (0.494 to 0.512)`, without a unit, which only the caller knows."""
        if np.ndim(self.estimate):
            return repr(self)
        estimate, low, high = (f"{float(bound):.3g}" for bound in self)
        return f"{estimate} ({low} to {high})"


def z_score(confidence: float) -> float:
    """Half-width of a two-sided normal interval in standard errors: 1.96 for 0.95.

    To twelve decimals, since the last ones hang on the logarithm of the machine's library.
    """
    return round(NormalDist().inv_cdf(0.5 + confidence / 2), 12)


def wilson(
    points: npt.ArrayLike, n_games: npt.ArrayLike, confidence: float = CONFIDENCE
) -> Interval:
    """Win rates from points (a draw counts half) with Wilson score intervals.

    Coverage needs independent games without draws. Draws shrink the variance. For a player's
    rate over both seatings so does giving both the same luck, since the luck stays with the
    seat; for a seat's rate it does the opposite, and those are taken by `paired_mean`.

    Args:
        points: games won, any shape.
        n_games: games played, at least 1.
        confidence: of the two-sided interval, in (0, 1).

    Reference: E. B. Wilson, "Probable inference, the law of succession, and statistical
    inference", JASA 22 (1927), equation 4.
    """
    n = np.asarray(n_games, dtype=np.float64)
    rate = np.asarray(points, dtype=np.float64) / n
    z = z_score(confidence)
    square = z * z
    centre = (rate + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * np.sqrt(rate * (1 - rate) / n + square / (4 * n * n))
    return Interval(rate, np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0))


def paired_mean(differences: Floats, confidence: float = CONFIDENCE) -> Interval:
    """Mean of ``[..., n]`` differences between games of equal seed, with its normal interval.

    The n pairs are independent of each other, whatever the two games of a pair share.
    """
    n = differences.shape[-1]
    mean = differences.mean(axis=-1)
    half = z_score(confidence) * differences.std(axis=-1, ddof=1) / np.sqrt(n)
    return Interval(mean, mean - half, mean + half)


def rate_over_seeds(rates: Floats, confidence: float = CONFIDENCE) -> Interval:
    """Mean of ``[..., n]`` win rates of independent seeds, with a Wilson interval.

    Its size is that of as many games as would spread the mean as the seeds do, fewer where few
    seeds tell their spread badly; of as many as there are seeds where all of them came to the
    same, since that proves little.

    Args:
        rates: each in [0, 1], whatever games share a seed; at least two seeds.
        confidence: of the two-sided interval, in (0, 1).

    Reference: N. Dean, M. Pagano, "Evaluating confidence interval methods for binomial
    proportions in clustered surveys", J. Survey Statistics and Methodology 3 (2015).
    """
    n = rates.shape[-1]
    mean = np.clip(rates.mean(axis=-1), 0.0, 1.0)
    spread, most = rates.var(axis=-1, ddof=1), mean * (1 - mean)
    is_told = spread > _ROUNDING
    n_games = n * np.where(is_told, most / np.where(is_told, spread, 1.0), 1.0)
    narrower = z_score(confidence) / t_score(confidence, n - 1)
    n_games *= np.where(is_told, narrower * narrower, 1.0)
    found = wilson(mean * n_games, n_games, confidence)
    return Interval(mean, np.minimum(found.low, mean), np.maximum(found.high, mean))


def t_score(confidence: float, freedom: int) -> float:
    """As `z_score`, for a spread told by few.

    Args:
        confidence: of the two-sided interval, in (0, 1).
        freedom: how many tell the spread, less one; at least 1.

    Reference: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.5.
    """
    z = z_score(confidence)
    square = z * z  # products, since libraries round powers as they like
    first = (square + 1) * z / (4 * freedom)
    second = ((5 * square + 16) * square + 3) * z / (96 * freedom**2)
    third = (((3 * square + 19) * square + 17) * square - 15) * z / (384 * freedom**3)
    return z + first + second + third


def difference_of_shares(a: Interval, b: Interval) -> Interval:
    """Difference `a` - `b` for two shares of separate samples, with Newcombe's interval.

    Samples that share their luck mostly differ less, so this is on the safe side.

    Reference: R. G. Newcombe, "Interval estimation for the difference between independent
    proportions", Statistics in Medicine 17 (1998), method 10.
    """
    estimate = a.estimate - b.estimate
    below = _hypotenuse(a.estimate - a.low, b.high - b.estimate)
    above = _hypotenuse(a.high - a.estimate, b.estimate - b.low)
    return Interval(estimate, estimate - below, estimate + above)


def _hypotenuse(one: Floats, other: Floats) -> Floats:
    """The root of the sum of two squares, which libraries round as they like."""
    root: Floats = np.sqrt(one * one + other * other)
    return root


def copy_rate(points: float, n_copies_seen: int, n_copies: int) -> Interval:
    """Win rate over copies of a card that turned up, with a cautious Wilson interval.

    Copies that turn up in one game share its result, so the interval is that of as few games
    as there can have been. All of [0, 1] where no copy turned up.

    Args:
        points: games won, counted once for each copy.
        n_copies_seen: copies that turned up, over all games.
        n_copies: copies in the deck.
    """
    if n_copies_seen == 0:
        return Interval(np.array(np.nan), np.array(0.0), np.array(1.0))
    return wilson(points / n_copies, n_copies_seen / n_copies)
