"""Reach: how small a patch could be, by an integer program.

It is over the model's straight part: pairs of edits are left out, whose effects may go either way,
and so are guards and sense. It is told to people, and decides nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance.demands import Demands
from balance.model.features import Features
from balance.model.response import Response
from balance.search_space import SearchSpace
from balance.statistics.arithmetic import logit
from balance.statistics.intervals import Floats
from sim.play.table import OF_RULES

_DIGITS = 6  # of what a program is told, lest it hang on a last bit
_ERRORS = 2.0  # standard errors by which a band is widened
_MOST_NODES = 2_000


class Limits(NamedTuple):
    """Rows over ``F`` features and then ``C`` owners of numbers, which are edited or not.

    Attributes:
        rows: ``[L, F + C]``.
        low: ``[L]`` the least that each may come to.
        high: ``[L]`` the most.
        counts: ``[F + C]`` what each counts in a patch's change.
        n_owners: ``C``.
    """

    rows: Floats
    low: Floats
    high: Floats
    counts: Floats
    n_owners: int

    @classmethod
    def of(cls, features: Features, space: SearchSpace) -> Limits:
        """Those of a space: most cards, most change, also of a card, and sums.

        A number moves only one way.
        """
        owner_of = space.owners[features.gene]
        owners, first, owner = np.unique(owner_of, return_index=True, return_inverse=True)
        n = len(features)
        is_card = np.asarray(owners != OF_RULES, dtype=np.float64)
        counts = np.append(space.weights[features.gene], space.card_weight * is_card)
        edited = np.zeros((n, len(owners)))
        edited[np.arange(n), owner] = -features.most
        one_way = (features.gene == np.unique(features.gene)[:, np.newaxis]) / features.most
        rows = [np.hstack([np.eye(n), edited])]
        low = [np.full(n, -np.inf)]
        high = [np.zeros(n)]

        def keep(table: Floats, least: npt.ArrayLike, most: npt.ArrayLike) -> None:
            rows.append(np.hstack([table, np.zeros((len(table), len(counts) - table.shape[1]))]))
            low.append(np.broadcast_to(least, len(table)))
            high.append(np.broadcast_to(most, len(table)))

        keep(one_way, -np.inf, 1.0)
        keep(np.append(np.zeros(n), is_card)[np.newaxis], -np.inf, space.most_cards)
        keep(counts[np.newaxis], -np.inf, space.most_change)
        if space.card_change is not None:
            most = np.where(is_card > 0, space.card_change.most[features.gene[first]], np.inf)
            steps = np.asarray(np.equal.outer(np.arange(len(owners)), owner), dtype=np.float64)
            keep(steps, -np.inf, most)
        if space.sums is not None:
            signed = space.sums.weights[:, features.gene] * features.direction
            keep(signed, space.sums.low, space.sums.high)
        return cls(
            np.concatenate(rows), np.concatenate(low), np.concatenate(high), counts, len(owners)
        )


def least_change(
    model: Response, features: Features, space: SearchSpace, demands: Demands, as_large: Floats
) -> float:
    """The change below which no patch can do it, as far as the model with its errors can tell.

    An integer program: the least change whose expected win rates lie in their bands, each band
    widened by what the model may err there, of few enough cards and with sums as they have to be.

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
    rows = []
    low = []
    high = []
    for n, m in demands.on_matchups():
        least = demands.low[n]
        most = demands.high[n]
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
