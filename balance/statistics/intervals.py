"""Intervals of win rates, paired differences, resampled measures and rank correlations.

Bounds of shares of games, such as the share of draws, are exact even for rare events.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.statistics.arithmetic import exponential, hypotenuse
from sim.errors import InputError
from sim.value_error import value_error

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Positions = npt.NDArray[np.intp]
Counts = npt.NDArray[np.int64]

CONFIDENCE = 0.95  # the usual confidence level
_ROUNDING = 1e-12  # rounding error of rates and variances that are sums of weighted shares
_DECIMALS = 12  # decimals of a bound from scipy, so that it is equal on all processors
_BLOCK = 10_000_000  # numbers drawn at once, which take 80 MB; results do not depend on it


class Interval(NamedTuple):
    """Estimates with their confidence intervals: three arrays of one shape, or three scalars.

    Attributes:
        estimate: point estimates.
        low: lower bounds of the intervals.
        high: upper bounds of the intervals.
    """

    estimate: Floats
    low: Floats
    high: Floats

    def at(self, *position: int | Positions | Flags) -> Interval:
        """Return the estimates and intervals of selected entries.

        Args:
            position: index of the entries, as numpy's indexing takes it.
        """
        return Interval(*(bound[position] for bound in self))

    def without_noise(self, where: Flags) -> Interval:
        """Return the intervals with both bounds replaced by the estimate in exact entries.

        Args:
            where: whether each entry is exact.
        """
        return Interval(*(np.where(where, self.estimate, bound) for bound in self))

    def times(self, factor: float) -> Interval:
        """Return the estimates and bounds multiplied by a positive factor.

        Args:
            factor: factor of all values; 100 converts rates to percent.
        """
        return Interval(*(factor * bound for bound in self))

    def as_entry(self, name: str = "win_rate", **others: Any) -> dict[str, Any]:
        """Return a scalar interval as the entry of a summary.

        Args:
            name: key of the estimate; the bounds have the keys `low` and `high`.
            **others: further values of the entry, such as the number of games.
        """
        return dict(zip((name, "low", "high"), map(float, self), strict=True)) | others

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any], name: str = "win_rate") -> Interval:
        """Return a scalar interval from its entry in a summary, the inverse of `as_entry`.

        Args:
            entry: entry of the interval; further keys are ignored.
            name: key of the estimate.
        """
        return cls(*(entry[key] for key in (name, "low", "high")))

    def __str__(self) -> str:
        """Return the text of a scalar interval, such as `0.503 (0.494 to 0.512)`.

        Arrays have the text of `repr`.
        """
        if np.ndim(self.estimate):
            return repr(self)
        estimate, low, high = (f"{float(bound):.3g}" for bound in self)
        return f"{estimate} ({low} to {high})"


def z_score(confidence: float) -> float:
    """Return the half width of a two-sided normal interval in standard errors, 1.96 for 0.95.

    The result is rounded to twelve decimals, because further digits depend on the processor.

    Args:
        confidence: confidence level, in [0, 1); with 0 the interval has no width.

    Raises:
        InputError: the confidence level is out of range.
    """
    if not 0 <= confidence < 1:
        raise value_error(
            "confidence", confidence, "must be at least 0 and less than 1", limit=(0, 1)
        )
    return round(NormalDist().inv_cdf(0.5 + confidence / 2), 12)


def normal_interval(estimate: Floats, variance: Floats) -> Interval:
    """Return 95 % normal intervals of estimates with given variances, all of the same shape."""
    reach = z_score(CONFIDENCE) * np.sqrt(variance)
    return Interval(estimate, estimate - reach, estimate + reach)


def wilson(
    points: npt.ArrayLike, n_games: npt.ArrayLike, confidence: float = CONFIDENCE
) -> Interval:
    """Return win rates with Wilson score intervals.

    The coverage is nominal for independent games without draws. Draws reduce the variance, and so
    do shared seeds of both seatings for a player's rate over both seatings: intervals are then too
    wide. For a seat's rate shared seeds increase the variance; use `paired_mean` for seats.

    Args:
        points: number of games won, draws counted half, of any shape.
        n_games: number of games played, at least 1, of a shape that broadcasts with `points`.
        confidence: confidence level of the two-sided interval, in (0, 1).

    Raises:
        InputError: a number of games is 0 or infinite, points are negative or exceed the games, or
            the confidence level is out of range.

    Reference: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    JASA 22 (1927), equation 4.

    Example:
        >>> print(wilson(60, 100))
        0.6 (0.502 to 0.691)
    """
    won = np.asarray(points, dtype=np.float64)
    played = np.asarray(n_games, dtype=np.float64)
    if not ((played > 0) & (played < inf)).all():
        raise value_error("n_games", n_games, "must be at least 1, and finite", limit=1)
    # Points that are sums of weighted shares may exceed the games by rounding.
    if not ((won >= 0) & (won <= played * (1 + _ROUNDING))).all():
        raise value_error(
            "points", points, f"must be from 0 to n_games = {n_games!r}", limit=n_games
        )
    return _wilson(won, played, confidence)


def _wilson(points: npt.ArrayLike, n_games: npt.ArrayLike, confidence: float) -> Interval:
    """Return Wilson score intervals without checking the arguments; NaN points give NaN.

    Args:
        points: number of games won, draws counted half, of any shape.
        n_games: number of games played.
        confidence: confidence level of the two-sided interval, in (0, 1).
    """
    n = np.asarray(n_games, dtype=np.float64)
    rate = np.asarray(points, dtype=np.float64) / n
    z = z_score(confidence)
    square = z * z
    centre = (rate + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * np.sqrt(rate * (1 - rate) / n + square / (4 * n * n))
    return Interval(rate, np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0))


def paired_mean(differences: Floats, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of paired differences, with a normal interval, shape [...].

    The n pairs (usually games on equal seeds) must be independent; the two values of a pair need
    not be.

    Args:
        differences: difference of each pair, at least two pairs, shape [..., n].
        confidence: confidence level of the two-sided interval, in (0, 1).
    """
    n = differences.shape[-1]
    mean = differences.mean(axis=-1)
    half = z_score(confidence) * differences.std(axis=-1, ddof=1) / np.sqrt(n)
    return Interval(mean, mean - half, mean + half)


def paired_change(
    differences: Floats, most: npt.ArrayLike = 1.0, confidence: float = CONFIDENCE
) -> Interval:
    """Return the mean of paired differences of which few may differ from 0, with an interval.

    A small edit leaves most games unchanged. If no pair differs, the interval of `paired_mean` has
    no width, as if there certainly were no change. Here z^2 / 2 pseudo-pairs are added: a quarter
    of them with the largest difference upwards, a quarter downwards, and half without a difference.
    This corresponds to Agresti and Coull's interval of a share. With many differing pairs the
    interval approaches that of `paired_mean`. If few pairs differ, all of them by the maximum and
    in one direction, coverage may be 86 % instead of 95 %.

    Args:
        differences: differences between rates of independent seeds, at least two, shape [..., n].
        most: largest possible difference, shape [...]; 0 if no difference is possible.
        confidence: confidence level of the two-sided interval, in (0, 1).

    Reference: A. Agresti, Y. Min, "Simple improved confidence intervals for comparing matched
    proportions", Statistics in Medicine 24 (2005).
    """
    n_pairs = differences.shape[-1]
    largest = np.asarray(most, dtype=np.float64)
    z = z_score(confidence)
    n_pseudo = z * z / 2
    n = n_pairs + n_pseudo
    mean = differences.mean(axis=-1)
    squares = (differences * differences).sum(axis=-1) + n_pseudo / 2 * largest * largest
    centre = differences.sum(axis=-1) / n
    deviation = np.sqrt(np.maximum(squares / n - centre * centre, 0.0))
    half = t_score(confidence, n_pairs - 1) * deviation / np.sqrt(n)
    low, high = (np.clip(centre + side * half, -largest, largest) for side in (-1, 1))
    return Interval(mean, np.minimum(low, mean), np.maximum(high, mean))


def rate_over_seeds(rates: Floats, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of the win rates of independent seeds, with a Wilson interval, shape [...].

    The effective number of games is that of independent games with the same variance of the mean,
    times (z / t)^2, because few seeds estimate the variance poorly. If all seeds have the same
    rate, the effective number is the number of seeds.

    Args:
        rates: win rate of each seed in [0, 1], over any number of games; at least two seeds, shape
            [..., n].
        confidence: confidence level of the two-sided interval, in (0, 1).

    Reference: N. Dean, M. Pagano, "Evaluating confidence interval methods for binomial proportions
    in clustered surveys", J. Survey Statistics and Methodology 3 (2015).
    """
    n = rates.shape[-1]
    mean = np.clip(rates.mean(axis=-1), 0.0, 1.0)
    variance = rates.var(axis=-1, ddof=1)
    game_variance = mean * (1 - mean)
    is_known = variance > _ROUNDING
    n_games = n * np.where(is_known, game_variance / np.where(is_known, variance, 1.0), 1.0)
    correction = z_score(confidence) / t_score(confidence, n - 1)
    n_games *= np.where(is_known, correction * correction, 1.0)
    interval = _wilson(mean * n_games, n_games, confidence)
    return Interval(mean, np.minimum(interval.low, mean), np.maximum(interval.high, mean))


def cautious_rate(rates: Floats, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of the rates of independent seeds, with two conservative one-sided bounds.

    Each bound is a Student bound after adding z^2 / 2 pseudo-seeds with the most extreme rate on
    its side. They are added because an event that did not occur among few seeds may still occur.
    This corresponds to Agresti and Coull's interval of a share. If all n seeds are won, the lower
    bound is about 1 - (z^2 / 2 + z^2 / sqrt(2)) / n, which is not above the exact bound.

    Args:
        rates: rate of each seed in [0, 1], over any number of games; at least two seeds, shape
            [..., n].
        confidence: confidence level of the two-sided interval; half of the error is on each side.

    Reference: A. Agresti, B. A. Coull, "Approximate is better than 'exact' for interval estimation
    of binomial proportions", The American Statistician 52 (1998).
    """
    n_seeds = rates.shape[-1]
    total = rates.sum(axis=-1)
    squares = (rates * rates).sum(axis=-1)
    z = z_score(confidence)
    t = t_score(confidence, n_seeds - 1)
    n_pseudo = z * z / 2
    n = n_seeds + n_pseudo
    bounds = []
    for worst, side in ((0.0, -1), (1.0, 1)):
        mean = (total + n_pseudo * worst) / n
        variance = np.maximum((squares + n_pseudo * worst) / n - mean * mean, 0.0) * n / (n - 1)
        bounds.append(np.clip(mean + side * t * np.sqrt(variance / n), 0.0, 1.0))
    return Interval(total / n_seeds, *bounds)


def t_score(confidence: float, freedom: int) -> float:
    """Return the half width of a two-sided Student interval in standard errors, approximately.

    Args:
        confidence: confidence level of the interval, in (0, 1).
        freedom: degrees of freedom, at least 1; usually the number of values less one.

    Reference: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.5, a
    series in 1 / freedom.
    """
    z = z_score(confidence)
    square = z * z  # products, since libraries round powers differently
    first = (square + 1) * z / (4 * freedom)
    second = ((5 * square + 16) * square + 3) * z / (96 * freedom**2)
    third = (((3 * square + 19) * square + 17) * square - 15) * z / (384 * freedom**3)
    return z + first + second + third


def difference_of_shares(a: Interval, b: Interval) -> Interval:
    """Return the difference a - b of two shares of independent samples, with Newcombe's interval.

    For samples on the same seeds, which usually differ less, the interval is conservative.

    Args:
        a: first share with its interval.
        b: second share with its interval.

    Reference: R. G. Newcombe, "Interval estimation for the difference between independent
    proportions", Statistics in Medicine 17 (1998), method 10.
    """
    estimate = a.estimate - b.estimate
    below = hypotenuse(a.estimate - a.low, b.high - b.estimate)
    above = hypotenuse(a.high - a.estimate, b.estimate - b.low)
    return Interval(estimate, estimate - below, estimate + above)


def copy_rate(points: float, n_copies_seen: int, n_copies: int) -> Interval:
    """Return the win rate over the seen copies of a card, with a conservative Wilson interval.

    Copies seen in one game share its result, so the interval assumes the smallest possible number
    of games. If no copy was seen, the estimate is NaN and the interval [0, 1].

    Args:
        points: number of games won, counted once for each copy seen in the game.
        n_copies_seen: number of copies seen, over all games.
        n_copies: number of copies in the deck.
    """
    if n_copies_seen == 0:
        return Interval(np.array(np.nan), np.array(0.0), np.array(1.0))
    return wilson(points / n_copies, n_copies_seen / n_copies)


def upper_share(n_happened: float, n_trials: int, error: float) -> float:
    """Return the upper Clopper-Pearson bound of a share.

    Args:
        n_happened: number of trials with the event. It may be a fraction if an event can happen in
            part; the bound is then conservative.
        n_trials: number of independent trials, at least 1.
        error: probability that the true share is larger, in (0, 1).

    Reference: C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated
    in the case of the binomial", Biometrika 26 (1934).
    """
    from scipy.special import betaincinv  # noqa: PLC0415 (slow to load)

    if n_happened >= n_trials:
        return 1.0
    bound = betaincinv(n_happened + 1, n_trials - n_happened, 1 - error)
    return round(float(bound), _DECIMALS)


def most_that_shows(share: float, n_trials: int, error: float) -> int:
    """Return the largest number of events with an `upper_share` of at most `share`.

    The result is -1 if even 0 events have a larger bound.

    Args:
        share: limit of the upper bound, in [0, 1].
        n_trials: number of independent trials, at least 1.
        error: probability that the true share is larger, in (0, 1).
    """
    low = -1
    high = n_trials  # the bound of n_trials events is 1, which is above the limit
    if share >= 1:
        return n_trials
    while high - low > 1:
        middle = (low + high) // 2
        if upper_share(middle, n_trials, error) <= share:
            low = middle
        else:
            high = middle
    return low


def resampled_rates(by_seed: Floats, n_resamples: int, rng: np.random.Generator) -> Floats:
    """Return bootstrap resamples of the win rates of matchups, shape [B, M].

    A resample draws seeds with replacement, the same seeds for all matchups. Use the result for
    intervals of any function of the win rates (`resampled_interval`).

    Args:
        by_seed: win rate of each matchup in the two games of each seed, shape [M, S].
        n_resamples: number of resamples ``B``.
        rng: generator of the random draws, which is advanced.

    Reference: B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7
    (1979).
    """
    n_matchups, n_seeds = by_seed.shape
    evenly = np.full(n_seeds, 1 / n_seeds)
    rates = np.empty((n_resamples, n_matchups))
    block = max(1, _BLOCK // n_seeds)
    for first in range(0, n_resamples, block):
        size = min(block, n_resamples - first)
        times = rng.multinomial(n_seeds, evenly, size=size).astype(np.float64)
        # Rates are halves or quarters, so that sums are exact in any order in which BLAS adds.
        rates[first : first + size] = times @ by_seed.T / n_seeds
    return rates


def resampled_interval(estimate: Floats, low: Floats, high: Floats | None = None) -> Interval:
    """Return an estimate with the 2.5 % and 97.5 % quantiles of its resamples as bounds.

    The interval is widened to include the estimate.

    Args:
        estimate: estimate from the actual data, shape [...].
        low: estimates from resamples, or lower bounds of them, shape [B, ...].
        high: upper bounds of the estimates from resamples, shape [B, ...]; by default `low`.
    """
    tail = (1 - CONFIDENCE) / 2
    lowest = np.quantile(low, tail, axis=0)
    highest = np.quantile(low if high is None else high, 1 - tail, axis=0)
    return Interval(estimate, np.minimum(lowest, estimate), np.maximum(highest, estimate))


def rank_correlation(x: Floats, y: Floats) -> Interval | None:
    """Return Spearman's rank correlation of two measures, with Fisher's interval.

    The interval treats the n measured objects as a random sample.

    Args:
        x: first measure of each object, shape [n].
        y: second measure of each object, shape [n].

    Returns:
        The correlation; `None` if there are fewer than four objects, or all values of a measure are
        equal.

    Raises:
        InputError: the measures differ in length, are no vectors, or include NaN.

    Reference: D. G. Bonett and T. A. Wright, "Sample size requirements for estimating Pearson,
    Kendall and Spearman correlations", Psychometrika 65 (2000), equation 5.
    """
    for measure in (x, y):
        if np.ndim(measure) != 1 or len(measure) != len(x) or np.isnan(measure).any():
            raise InputError(
                f"must be two vectors of equal length without NaN; they have shapes {np.shape(x)} "
                f"and {np.shape(y)}",
                place="measures",
                value=(np.shape(x), np.shape(y)),
                separator=" ",
            )
    n = len(x)
    if n < 4:
        return None
    rho = rank_correlation_of(x, y)
    if rho is None:
        return None
    reach = z_score(CONFIDENCE) * sqrt((1 + rho * rho / 2) / (n - 3))
    # tanh(artanh(rho) -+ reach) in terms of exp(2 reach), which `exponential` rounds correctly. A
    # perfect correlation has no finite artanh.
    within = min(max(rho, -1 + 1e-9), 1 - 1e-9)
    odds = (1 + within) / (1 - within)
    factor = exponential(2 * reach)
    low, high = ((x - 1) / (x + 1) for x in (odds / factor, odds * factor))
    return Interval(*map(np.array, (rho, low, high)))


def rank_correlation_of(x: Floats, y: Floats) -> float | None:
    """Return Spearman's rank correlation of two measures; `None` if all values of one are equal.

    Args:
        x: first measure of each object, shape [n].
        y: second measure of each object, shape [n].
    """
    a = _centred_ranks(x)
    b = _centred_ranks(y)
    if not (a.any() and b.any()):
        return None
    return float((a * b).sum()) / sqrt(int((a * a).sum()) * int((b * b).sum()))


def _centred_ranks(values: Floats) -> Counts:
    """Return twice the difference of each rank from the mean rank, shape [n].

    Equal values share their mean rank; the factor 2 makes all results whole numbers.
    """
    _, where, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return (2 * np.cumsum(sizes) - sizes)[where] - len(values)
