"""The gap: how small a patch could be, as far as a model with its errors can tell.

An integer program over the model's straight part: the least change whose expected win rates lie in
their bands, each band widened by what the model may err there, of few enough cards and with sums as
they have to be. Guards and sense are left out, and so are pairs of edits, whose effects may go
either way. It is told to people, as what the slopes say, and decides nothing.
"""

from __future__ import annotations

import numpy as np

from balance.demands import Demands
from balance.model.features import Features
from balance.model.limits import Limits
from balance.model.logits import logit
from balance.model.response import Response
from balance.search_space import SearchSpace
from balance.statistics.intervals import Floats

_ERRORS = 2.0  # standard errors by which a band is widened
_DIGITS = 6  # of what the program is told, lest it hang on a last bit
_MOST_NODES = 2_000


def least_change(
    model: Response, features: Features, space: SearchSpace, demands: Demands, as_large: Floats
) -> float:
    """The change below which no patch can do it, as far as the model can tell.

    Args:
        model: predicts.
        features: directions of numbers.
        space: the numbers, and what their steps and cards count.
        demands: of which those on one matchup by itself count.
        as_large: ``[B, F]`` features of patches as large as needed: there its errors are taken.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 (a third of a second)

    limits = Limits.of(features, space)
    errors = model.error(as_large)[:, :-1].max(axis=0) * _ERRORS
    known = np.stack([fit.mean for fit in model.fits[:-1]], axis=1)
    rows, low, high = [], [], []
    for n, m in demands.on_matchups():
        least, most = demands.low[n], demands.high[n]
        rows.append(np.append(known[1:, m], np.zeros(limits.n_owners)))
        low.append(-np.inf if least <= 0 else logit(least) - errors[m] - known[0, m])
        high.append(np.inf if most >= 1 else logit(most) + errors[m] - known[0, m])
    if not rows:
        return 0.0
    found = milp(
        limits.counts,
        integrality=np.ones(len(limits.counts), dtype=np.int64),
        bounds=Bounds(0, np.append(features.most, np.ones(limits.n_owners))),
        constraints=[
            LinearConstraint(*(np.round(each, _DIGITS) for each in (rows, low, high))),
            LinearConstraint(limits.rows, limits.low, limits.high),
        ],
        options={"node_limit": _MOST_NODES, "mip_rel_gap": 0.0},
    )
    return _rounded_up(found.mip_dual_bound, space)


def _rounded_up(bound: float | None, space: SearchSpace) -> float:
    """The least change that is no less than a bound, where all changes are multiples of one."""
    if bound is None or not np.isfinite(bound):
        return 0.0
    counts = np.append(space.weights, space.card_weight)
    unit = space.weights.min()
    is_multiple = np.allclose(counts / unit, np.round(counts / unit))
    return float(unit * np.ceil(bound / unit - 1e-6)) if is_multiple else float(round(bound, 3))
