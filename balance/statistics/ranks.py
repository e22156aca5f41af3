"""Rank correlation: do two measures put things in the same order?"""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt

from balance.statistics.arithmetic import exponential
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, z_score


def rank_correlation(x: Floats, y: Floats) -> Interval | None:
    """Spearman's rank correlation of two ``[n]`` measures, by Fisher's transformation.

    The interval speaks of other things like these n. It is unknown, `None`, for fewer than four
    of them, or where one measure puts all in one place.

    Reference: D. G. Bonett and T. A. Wright, "Sample size requirements for estimating Pearson,
    Kendall and Spearman correlations", Psychometrika 65 (2000), equation 5.
    """
    n = len(x)
    if n < 4:
        return None
    a, b = _centred_ranks(x), _centred_ranks(y)
    if not (a.any() and b.any()):
        return None
    rho = float((a * b).sum()) / sqrt(int((a * a).sum()) * int((b * b).sum()))
    reach = z_score(CONFIDENCE) * sqrt((1 + rho * rho / 2) / (n - 3))
    # The hyperbolic tangents of artanh(rho) less and plus the reach.
    within = min(max(rho, -1 + 1e-9), 1 - 1e-9)
    odds, factor = (1 + within) / (1 - within), exponential(2 * reach)
    low, high = ((x - 1) / (x + 1) for x in (odds / factor, odds * factor))
    return Interval(*map(np.array, (rho, low, high)))


def _centred_ranks(values: Floats) -> npt.NDArray[np.int64]:
    """Twice the ranks, the mean rank where values are equal, less their mean: whole numbers."""
    _, where, sizes = np.unique(values, return_inverse=True, return_counts=True)
    twice: npt.NDArray[np.int64] = (2 * np.cumsum(sizes) - sizes)[where] - len(values)
    return twice
