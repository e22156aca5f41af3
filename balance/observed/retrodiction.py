"""Simulated effects of past changes of cards next to what followed them."""

from __future__ import annotations

import numpy as np

from balance.observed.agreement import N_RESAMPLES, MeasureRow, measure_rows, rank_of
from balance.statistics.arithmetic import mean_of
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, z_score
from sim.arguments import AtLeastOne, Seed, checked
from sim.seeds import generator

PURPOSE = "retrodict/resample"  # name of the random stream that resamples changes and their effects
N_CHANGES_MIN = 4
"""Minimum number of changes with a known response for a rank correlation."""

MEASURES = ("same_direction", "down_direction", "rank_sizes")
"""Measures of the agreement of effects with responses.

`same_direction` is the share of the changes in which effect and response have the same sign (an
effect of exactly 0 counts half); `down_direction` is the same share of a prediction that says that
each change weakens its card; `rank_sizes` is Spearman's rank correlation of effects and responses.
"""


@checked(run_seed=Seed, n_resamples=AtLeastOne)
def retrodiction_of(
    effects: Interval, responses: Floats, *, run_seed: int, n_resamples: int = N_RESAMPLES
) -> tuple[MeasureRow, ...]:
    """Measure the agreement of simulated effects with the responses that followed.

    Each resample draws the changes with replacement, and each effect from the normal distribution
    of its interval.

    Args:
        effects: effect of each change with its 95 % interval, shape [C].
        responses: response to each change, such as the change of its adoption; NaN if not known,
            shape [C].
        run_seed: seed of the run.
        n_resamples: number of resamples.

    Returns:
        A row for each of `MEASURES`; NaN if no change has a response, and for the rank correlation
        of fewer than `N_CHANGES_MIN` changes.
    """
    known = np.flatnonzero(~np.isnan(responses) & (responses != 0))
    if not len(known):
        return tuple(MeasureRow(name, Interval(*np.full(3, np.nan)), 0) for name in MEASURES)
    own = effects.estimate[known]
    followed = responses[known]
    errors = (effects.high - effects.low)[known] / 2 / z_score(CONFIDENCE)
    estimates = _measures(own, followed)
    rng = generator(run_seed, PURPOSE)
    resampled = []
    for _ in range(n_resamples):
        drawn = rng.integers(len(known), size=len(known))
        moved = own[drawn] + errors[drawn] * rng.standard_normal(len(known))
        resampled.append(_measures(moved, followed[drawn]))
    return measure_rows(MEASURES, estimates, np.array(resampled), {}, len(known))


def _measures(effects: Floats, responses: Floats) -> Floats:
    """Return the values of `MEASURES`."""
    same = (np.sign(effects) * np.sign(responses) + 1) / 2
    is_ranked = len(effects) >= N_CHANGES_MIN
    return np.array(
        [
            mean_of(same),
            mean_of((responses < 0).astype(np.float64)),
            rank_of(effects, responses) if is_ranked else np.nan,
        ]
    )
