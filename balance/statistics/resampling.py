"""Intervals for what is no mean, from games played again by drawing among those that were played.

Reference: B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7
(1979); the intervals are quantiles.
"""

from __future__ import annotations

import numpy as np

from balance.statistics.intervals import CONFIDENCE, Floats, Interval

_BLOCK = 10_000_000  # numbers drawn at once


def resampled_rates(by_seed: Floats, n_resamples: int, rng: np.random.Generator) -> Floats:
    """``[B, M]`` means over seeds drawn with replacement, the same ones for all matchups.

    Args:
        by_seed: ``[M, S]`` win rates in the two games of each seed.
        n_resamples: ``B``.
        rng: consumed.
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
