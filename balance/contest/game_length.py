"""Median game length, and confidence bounds on its relative change.

Lengths are whole turns, and a median of integers changes in jumps that more games do not make
smaller. Therefore the median of grouped data is used: a game of t turns counts as spread evenly
over t - 1/2 to t + 1/2, so that the median changes continuously with the shares of games by length.
"""

from __future__ import annotations

import numpy as np

from balance.statistics.arithmetic import exponential, hypotenuse, natural_log
from balance.statistics.intervals import Counts, Floats

_LEAST = 1.0  # length of the shortest possible game, in turns


def median_length(turns: Counts) -> float:
    """Return the median game length in turns, at least 1.

    If several lengths are medians, the middle of their range is returned.

    Args:
        turns: number of games by length, shape ``[..., TURN_BINS]``; leading axes are summed.
    """
    low, high = length_range(turns, 1, 2)
    return (low + high) / 2


def length_range(turns: Counts, n_shorter: int, n_all: int) -> tuple[float, float]:
    """Return the smallest and the largest quantile of order `n_shorter / n_all`, in turns.

    The two differ only if exactly this share of the games is shorter and no game has a length
    between them. Both are at least 1.

    Args:
        turns: number of games by length, shape ``[..., TURN_BINS]``; leading axes are summed.
        n_shorter: numerator of the order, from 0 to `n_all`.
        n_all: denominator of the order, which need not be the number of games in `turns`.
    """
    counts: list[int] = turns.reshape(-1, turns.shape[-1]).sum(axis=0).tolist()
    # Numbers of games are multiplied by n_all, so that integers are compared, without rounding.
    wanted = n_shorter * sum(counts)
    below = 0
    low = None
    for length, count in enumerate(counts):
        reached = below + count * n_all
        # `low` is the first length at which enough games are shorter, `high` the last one: they
        # differ if the share is reached exactly and the next lengths have no games.
        if low is None and reached >= wanted:
            low = length - 0.5 + ((wanted - below) / (count * n_all) if count else 0.0)
        if reached > wanted:
            high = length - 0.5 + (wanted - below) / (count * n_all)
            return max(low or 0.0, _LEAST), max(high, _LEAST)
        below = reached
    return max(low or 0.0, _LEAST), len(counts) - 0.5


def most_length_change(patched: Counts, today: Counts, n_shorter: int, n_all: int) -> float:
    """Return an upper confidence bound on the absolute relative change of the median game length.

    Each median has a distribution-free interval between two order statistics. The logarithms of the
    medians are combined by the MOVER method (Zou and Donner 2008): with log medians ``m``, ``m'``
    and limits ``l``, ``u`` the upper limit of ``m - m'`` is ``m - m' + sqrt((u - m)² + (m' -
    l')²)``. The method treats the samples as independent; games on equal seeds mostly differ less.

    Args:
        patched: number of games of the patch by length, shape ``[..., TURN_BINS]``.
        today: number of games of the baseline by length, shape ``[..., TURN_BINS]``.
        n_shorter: rank of the lower order statistic in a sample of `n_all`; a negative rank, for
            samples too small for a bound, counts as 0.
        n_all: size of the sample, usually the number of seeds.

    Reference: G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures: a
    general approach", Statistics in Medicine 27 (2008).
    """
    part = max(n_shorter, 0)
    after_low, after, after_high = _log_lengths(patched, part, n_all)
    before_low, before, before_high = _log_lengths(today, part, n_all)
    growth = after - before + hypotenuse(after_high - after, before - before_low)
    loss = before - after + hypotenuse(after - after_low, before_high - before)
    return max(exponential(float(growth)) - 1, 1 - exponential(-float(loss)))


def _log_lengths(turns: Counts, part: int, n_all: int) -> Floats:
    """Return the logarithms of the median's lower limit, the median, and its upper limit.

    Args:
        turns: number of games by length, shape ``[..., TURN_BINS]``.
        part: rank of the lower order statistic, 0 or more.
        n_all: size of the sample to which the rank refers.

    Returns:
        Natural logarithms of lengths in turns, shape ``[3]``.
    """
    low = length_range(turns, part, n_all)[0]
    high = length_range(turns, n_all - part, n_all)[1]
    return natural_log(np.array([low, median_length(turns), high]))
