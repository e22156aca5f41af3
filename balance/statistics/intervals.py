"""Intervals for win rates, paired differences, resampled measures and rank correlations.

Bounds for shares of games (of draws, of games up to some length) are exact however rare they are.
"""

from __future__ import annotations

from math import inf, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance.statistics.arithmetic import exponential, hypotenuse
from sim.errors import InputError

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Positions = npt.NDArray[np.intp]
Counts = npt.NDArray[np.int64]

CONFIDENCE = 0.95
_ROUNDING = 1e-12  # of spreads of win rates, weighted over opponents
_DECIMALS = 12  # of a share that no processor's last bit may reach
_BLOCK = 10_000_000  # numbers drawn at once


class Interval(NamedTuple):
    """An estimate with its confidence interval; arrays of one shape, or scalars."""

    estimate: Floats
    low: Floats
    high: Floats

    def at(self, *position: int | Positions | Flags) -> Interval:
        """That of one entry of the arrays, of one row, or of some in an order."""
        return Interval(*(bound[position] for bound in self))

    def certain(self, where: Flags) -> Interval:
        """The same, but that estimates hold exactly `where` there is no luck in them."""
        return Interval(*(np.where(where, self.estimate, bound) for bound in self))

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

    Raises:
        InputError: the confidence is no share below 1; with 0 the interval has no width.
    """
    if not 0 <= confidence < 1:
        raise InputError(f"confidence = {confidence!r} must be at least 0 and less than 1")
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

    Raises:
        InputError: there are no games, or fewer than points, or the confidence is no share.

    Reference: E. B. Wilson, "Probable inference, the law of succession, and statistical
    inference", JASA 22 (1927), equation 4.
    """
    won = np.asarray(points, dtype=np.float64)
    played = np.asarray(n_games, dtype=np.float64)
    if not ((played > 0) & (played < inf)).all():
        raise InputError(f"n_games = {n_games!r} must be at least 1, and finite")
    # What is added up from shares may be a hair beyond the games.
    if not ((won >= 0) & (won <= played * (1 + _ROUNDING))).all():
        raise InputError(f"points = {points!r} must be from 0 to n_games = {n_games!r}")
    return _wilson(won, played, confidence)


def _wilson(points: npt.ArrayLike, n_games: npt.ArrayLike, confidence: float) -> Interval:
    """As `wilson`; points that are no numbers, of what could not be played, stay so."""
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


def paired_change(
    differences: Floats, most: npt.ArrayLike = 1.0, confidence: float = CONFIDENCE
) -> Interval:
    """Mean of ``[..., n]`` differences between games of equal seed, of which few may be any.

    A small edit leaves most games as they were, and then few pairs tell their spread: where none
    differs `paired_mean` would be certain of no change. So z^2 / 2 more pairs count, a quarter of
    them with the largest difference up and a quarter down: to paired shares what Agresti and
    Coull's interval is to single ones. With many differing pairs it is that of `paired_mean`. Where
    all that differ do so by the most and in one direction, few of them may still be covered in 86 %
    only instead of 95.

    Args:
        differences: of rates of independent seeds, at least two.
        most: ``[...]`` the largest difference there can be; 0 where there can be none, for certain.
        confidence: of the two-sided interval, in (0, 1).

    Reference: A. Agresti, Y. Min, "Simple improved confidence intervals for comparing matched
    proportions", Statistics in Medicine 24 (2005).
    """
    n_pairs = differences.shape[-1]
    largest = np.asarray(most, dtype=np.float64)
    z = z_score(confidence)
    more = z * z / 2
    n = n_pairs + more
    mean = differences.mean(axis=-1)
    squares = (differences * differences).sum(axis=-1) + more / 2 * largest * largest
    centre = differences.sum(axis=-1) / n
    spread = np.sqrt(np.maximum(squares / n - centre * centre, 0.0))
    half = t_score(confidence, n_pairs - 1) * spread / np.sqrt(n)
    low, high = (np.clip(centre + side * half, -largest, largest) for side in (-1, 1))
    return Interval(mean, np.minimum(low, mean), np.maximum(high, mean))


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
    spread = rates.var(axis=-1, ddof=1)
    most = mean * (1 - mean)
    is_told = spread > _ROUNDING
    n_games = n * np.where(is_told, most / np.where(is_told, spread, 1.0), 1.0)
    narrower = z_score(confidence) / t_score(confidence, n - 1)
    n_games *= np.where(is_told, narrower * narrower, 1.0)
    found = _wilson(mean * n_games, n_games, confidence)
    return Interval(mean, np.minimum(found.low, mean), np.maximum(found.high, mean))


def cautious_rate(rates: Floats, confidence: float = CONFIDENCE) -> Interval:
    """Mean of ``[..., n]`` rates of independent seeds, with bounds that can be told one by one.

    Each bound is Student's, as if z^2 / 2 more seeds had come out as far beyond it as can be: so
    what never occurred among few may yet occur, and no luck looks like certainty. It is to the
    variance over seeds what Agresti and Coull's interval is to that of single games; all n won
    leave a loss of (z^2 / 2 + z^2 / sqrt(2)) / n possible, no less than exact bounds do.

    Args:
        rates: each in [0, 1], whatever games share a seed; at least two seeds.
        confidence: of the two-sided interval; half of the error is on either side.

    Reference: A. Agresti, B. A. Coull, "Approximate is better than 'exact' for interval estimation
    of binomial proportions", The American Statistician 52 (1998).
    """
    n_seeds = rates.shape[-1]
    total = rates.sum(axis=-1)
    squares = (rates * rates).sum(axis=-1)
    z = z_score(confidence)
    t = t_score(confidence, n_seeds - 1)
    more = z * z / 2
    n = n_seeds + more
    bounds = []
    for worst, side in ((0.0, -1), (1.0, 1)):
        mean = (total + more * worst) / n
        variance = np.maximum((squares + more * worst) / n - mean * mean, 0.0) * n / (n - 1)
        bounds.append(np.clip(mean + side * t * np.sqrt(variance / n), 0.0, 1.0))
    return Interval(total / n_seeds, *bounds)


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
    below = hypotenuse(a.estimate - a.low, b.high - b.estimate)
    above = hypotenuse(a.high - a.estimate, b.estimate - b.low)
    return Interval(estimate, estimate - below, estimate + above)


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


def upper_share(n_happened: float, n_trials: int, error: float) -> float:
    """The largest share of which what happened is not too little: Clopper and Pearson's bound.

    Args:
        n_happened: of the trials; a fraction where a trial can happen in part, and then the
            bound is on the safe side.
        n_trials: independent ones, at least 1.
        error: chance that the true share is larger, in (0, 1).

    Reference: C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits
    illustrated in the case of the binomial", Biometrika 26 (1934).
    """
    from scipy.special import betaincinv  # noqa: PLC0415 (slow to load)

    if n_happened >= n_trials:
        return 1.0
    bound = betaincinv(n_happened + 1, n_trials - n_happened, 1 - error)
    return round(float(bound), _DECIMALS)


def most_that_shows(share: float, n_trials: int, error: float) -> int:
    """The largest count whose `upper_share` is at most `share`; -1 if not even 0 is so few.

    Args:
        share: the limit, in [0, 1].
        n_trials: independent ones, at least 1.
        error: as in `upper_share`.
    """
    low = -1
    high = n_trials  # all that happened shows no limit but 1
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
    """``[B, M]`` means over seeds drawn with replacement, the same ones for all matchups.

    So intervals are told for what is no mean (`resampled_interval`), by games played again.

    Args:
        by_seed: ``[M, S]`` win rates in the two games of each seed.
        n_resamples: ``B``.
        rng: consumed.

    Reference: B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics
    7 (1979); the intervals are quantiles.
    """
    n_matchups, n_seeds = by_seed.shape
    evenly = np.full(n_seeds, 1 / n_seeds)
    rates = np.empty((n_resamples, n_matchups))
    block = max(1, _BLOCK // n_seeds)
    for first in range(0, n_resamples, block):
        size = min(block, n_resamples - first)
        times = rng.multinomial(n_seeds, evenly, size=size).astype(np.float64)
        # Sums of halves and quarters: exact in whatever order BLAS adds them up.
        rates[first : first + size] = times @ by_seed.T / n_seeds
    return rates


def resampled_interval(estimate: Floats, low: Floats, high: Floats | None = None) -> Interval:
    """An estimate with quantiles of its resamples; it always lies between them.

    Args:
        estimate: ``[...]``.
        low: ``[B, ...]`` resamples, or what each of them is at least.
        high: what each of them is at most; default `low`.
    """
    tail = (1 - CONFIDENCE) / 2
    lowest = np.quantile(low, tail, axis=0)
    highest = np.quantile(low if high is None else high, 1 - tail, axis=0)
    return Interval(estimate, np.minimum(lowest, estimate), np.maximum(highest, estimate))


def rank_correlation(x: Floats, y: Floats) -> Interval | None:
    """Spearman's rank correlation of two ``[n]`` measures, by Fisher's transformation.

    The interval speaks of other things like these n. It is unknown, `None`, for fewer than four
    of them, or where one measure puts all in one place.

    Reference: D. G. Bonett and T. A. Wright, "Sample size requirements for estimating Pearson,
    Kendall and Spearman correlations", Psychometrika 65 (2000), equation 5.

    Raises:
        InputError: these are no two measures of as many things, or one is no number.
    """
    for measure in (x, y):
        if np.ndim(measure) != 1 or len(measure) != len(x) or np.isnan(measure).any():
            raise InputError(
                f"measures of shapes {np.shape(x)} and {np.shape(y)}; must be two of as many "
                "things, none of them NaN"
            )
    n = len(x)
    if n < 4:
        return None
    a = _centred_ranks(x)
    b = _centred_ranks(y)
    if not (a.any() and b.any()):
        return None
    rho = float((a * b).sum()) / sqrt(int((a * a).sum()) * int((b * b).sum()))
    reach = z_score(CONFIDENCE) * sqrt((1 + rho * rho / 2) / (n - 3))
    # The hyperbolic tangents of artanh(rho) less and plus the reach.
    within = min(max(rho, -1 + 1e-9), 1 - 1e-9)
    odds = (1 + within) / (1 - within)
    factor = exponential(2 * reach)
    low, high = ((x - 1) / (x + 1) for x in (odds / factor, odds * factor))
    return Interval(*map(np.array, (rho, low, high)))


def _centred_ranks(values: Floats) -> Counts:
    """Twice the ranks, the mean rank where values are equal, less their mean: whole numbers."""
    _, where, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return (2 * np.cumsum(sizes) - sizes)[where] - len(values)
