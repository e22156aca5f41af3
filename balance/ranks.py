"""Do two measures put things in the same order?"""

from __future__ import annotations

import numpy as np

from balance.intervals import CONFIDENCE, Floats, Interval, z_score


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
    ranks = _ranks(x), _ranks(y)
    if min(np.ptp(rank) for rank in ranks) == 0:
        return None
    rho = np.corrcoef(*ranks)[0, 1]
    centre = np.arctanh(np.clip(rho, -1 + 1e-9, 1 - 1e-9))
    reach = z_score(CONFIDENCE) * np.sqrt((1 + rho**2 / 2) / (n - 3))
    return Interval(rho, np.tanh(centre - reach), np.tanh(centre + reach))


def _ranks(values: Floats) -> Floats:
    """Ranks from 1, the mean rank where values are equal."""
    _, where, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(sizes) - (sizes - 1) / 2)[where]
    return ranks
