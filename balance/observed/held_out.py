"""Comparison of two predictions of win rates by their mean errors."""

from __future__ import annotations

import numpy as np

from balance.observed.rate_pairs import resampled_players
from balance.statistics.arithmetic import ordered_sum
from balance.statistics.intervals import Floats, Interval, Positions, resampled_interval
from sim.arguments import AtLeastOne, Seed, checked
from sim.seeds import generator

PURPOSE = "calibrate/resample"  # name of the random stream that resamples players
N_RESAMPLES = 1_000


@checked(run_seed=Seed, n_resamples=AtLeastOne)
def mean_gain(
    pairs: Positions,
    errors: Floats,
    others: Floats,
    *,
    run_seed: int,
    n_resamples: int = N_RESAMPLES,
) -> Interval:
    """Return by how much the mean error of a prediction is below that of another one.

    The interval is over resampled players; a pair counts as often as both its players together.

    Args:
        pairs: positions of both players of each pair, shape [2, K].
        errors: absolute error of the prediction, shape [K].
        others: absolute error of the other prediction, shape [K].
        run_seed: seed of the run.
        n_resamples: number of resamples.
    """
    gains = others - errors
    n_players = int(pairs.max()) + 1
    a, b = pairs
    rng = generator(run_seed, PURPOSE)
    resampled = []
    for _ in range(n_resamples):
        counts = resampled_players(pairs, n_players, rng)
        weights = (counts[a] * counts[b]).astype(np.float64)
        total = float(ordered_sum(weights))
        if total:
            resampled.append(float(ordered_sum(weights * gains)) / total)
    mean = np.array(float(ordered_sum(gains)) / len(gains))
    return resampled_interval(mean, np.array(resampled))
