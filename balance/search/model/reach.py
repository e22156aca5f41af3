"""Lower bounds of the change and the edited cards of a feasible patch, by integer programs.

The programs use the linear part of the surrogate. They leave out the guards, the design rules and
the effects of pairs of edits, which may have either sign. The results are reported to users and
decide nothing.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance.contest.demands import Demands
from balance.search.model.features import Features
from balance.search.model.response import Response
from balance.space.search_space import SearchSpace
from balance.statistics.arithmetic import logit
from balance.statistics.intervals import Floats
from sim.play.table import OF_RULES

_DIGITS = 6  # decimals of a program's coefficients, so that results are equal on all processors
_ERRORS = 2.0  # standard errors by which a band is widened: about 95 % of a normal distribution
# Maximum number of nodes of the branch and bound. If it is reached, the bound is lower but still
# valid. A number of nodes, unlike a time, gives the same result on all machines. Chosen by hand.
_MOST_NODES = 2_000
_TOLERANCE = 1e-6  # excess over a whole number that the solver's bound may have


class Limits(NamedTuple):
    """Linear constraints on patches, in ``F`` features and ``C`` owners of numbers as variables.

    The variable of an owner (a card, or the rules) is 1 if the owner is edited, else 0.

    Attributes:
        rows: coefficients of the ``L`` constraints, shape [L, F + C].
        low: minimum value of each constraint, shape [L].
        high: maximum value of each constraint, shape [L].
        changes: weight of each variable in a patch's change, shape [F + C].
        cards: 1 for the variable of each card, else 0, shape [F + C].
        n_owners: number of owners ``C``.
    """

    rows: Floats
    low: Floats
    high: Floats
    changes: Floats
    cards: Floats
    n_owners: int

    @classmethod
    def of(cls, features: Features, space: SearchSpace) -> Limits:
        """Return the linear constraints of a search space.

        Edited owners have the value 1, and a number moves in one direction only. The maximum number
        of cards, maximum change, maximum change of a card and bounds of sums are constraints if the
        space has them.

        Args:
            features: the steps that patches consist of.
            space: search space with the limits and the weights of steps.
        """
        owner_of = space.owners[features.gene]
        owners, first, owner = np.unique(owner_of, return_index=True, return_inverse=True)
        n = len(features)
        is_card = np.asarray(owners != OF_RULES, dtype=np.float64)
        changes = np.append(space.weights[features.gene], np.zeros(len(owners)))
        cards = np.append(np.zeros(n), is_card)
        edited = np.zeros((n, len(owners)))
        edited[np.arange(n), owner] = -features.most
        # x_up / most_up + x_down / most_down <= 1 permits some mixtures of both directions. That
        # only enlarges the set of patches, so that the lower bound stays valid.
        one_way = (features.gene == np.unique(features.gene)[:, np.newaxis]) / features.most
        # x_f <= most_f * owner: the features of an owner are 0 unless it counts as edited.
        rows = [np.hstack([np.eye(n), edited])]
        low = [np.full(n, -np.inf)]
        high = [np.zeros(n)]

        def keep(table: Floats, least: npt.ArrayLike, most: npt.ArrayLike) -> None:
            """Add constraints to the lists; columns missing at the end of `table` are 0."""
            rows.append(np.hstack([table, np.zeros((len(table), len(changes) - table.shape[1]))]))
            low.append(np.broadcast_to(least, len(table)))
            high.append(np.broadcast_to(most, len(table)))

        keep(one_way, -np.inf, 1.0)
        keep(cards[np.newaxis], -np.inf, space.most_cards)
        keep(changes[np.newaxis], -np.inf, space.most_change)
        if space.card_change is not None:
            most = np.where(is_card > 0, space.card_change.most[features.gene[first]], np.inf)
            steps = np.asarray(np.equal.outer(np.arange(len(owners)), owner), dtype=np.float64)
            keep(steps, -np.inf, most)
        if space.sums is not None:
            signed = space.sums.weights[:, features.gene] * features.direction
            keep(signed, space.sums.low, space.sums.high)
        constraints = (np.concatenate(rows), np.concatenate(low), np.concatenate(high))
        return cls(*constraints, changes, cards, len(owners))


class LeastPatch(NamedTuple):
    """Lower bounds of feasible patches; a bound is 0 if nothing is known.

    Attributes:
        change: lower bound of the change.
        cards: lower bound of the number of edited cards.
    """

    change: float
    cards: int


def least_patch(
    model: Response, features: Features, space: SearchSpace, demands: Demands, as_large: Floats
) -> LeastPatch:
    """Return lower bounds of feasible patches, by the surrogate's slopes.

    One integer program minimises the change of a patch, another one its number of edited cards.
    Both are subject to the constraints of the space and to predicted win rates in their bands, each
    widened by two standard errors.

    Args:
        model: surrogate from which slopes and errors are taken.
        features: the steps that patches consist of.
        space: search space with the constraints and the weights of steps.
        demands: demands on win rates, of which only those on a single matchup count.
        as_large: features of patches for which errors are computed, shape [B, F]; the largest error
            counts. They should have about as many edits as a feasible patch, because errors grow
            with the number of edits.

    Returns:
        The bounds, rounded up to possible values; 0 if no demand is on a single matchup, or the
        program found no bound.
    """
    limits = Limits.of(features, space)
    errors = model.error(as_large)[:, :-1].max(axis=0) * _ERRORS
    known = model.linear[:, :-1]
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
        return LeastPatch(0.0, 0)
    bands = _Rows(*(np.round(part, _DIGITS) for part in (rows, low, high)))
    largest = np.append(features.most, np.ones(limits.n_owners)).astype(np.float64)
    change = _minimum(limits.changes, bands, limits, largest)
    cards = _minimum(limits.cards, bands, limits, largest)
    return LeastPatch(_round_change(change, space), ceil(cards - _TOLERANCE))


class _Rows(NamedTuple):
    """Linear constraints of an integer program.

    Attributes:
        rows: coefficients of the ``L`` constraints, shape [L, F + C].
        low: minimum value of each constraint, shape [L].
        high: maximum value of each constraint, shape [L].
    """

    rows: Floats
    low: Floats
    high: Floats


def _minimum(objective: Floats, bands: _Rows, limits: Limits, largest: Floats) -> float:
    """Return a lower bound of an objective of patches; 0 if the solver finds none.

    Args:
        objective: weight of each variable, at least 0, shape [F + C].
        bands: constraints on win rates.
        limits: constraints on patches.
        largest: largest value of each variable, shape [F + C].
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 (a third of a second)

    solution = milp(
        objective,
        integrality=np.ones(len(objective), dtype=np.int64),
        bounds=Bounds(0, largest),
        constraints=[
            LinearConstraint(*bands),
            LinearConstraint(limits.rows, limits.low, limits.high),
        ],
        options={"node_limit": _MOST_NODES, "mip_rel_gap": 0.0},
    )
    bound = solution.mip_dual_bound
    return float(bound) if bound is not None and np.isfinite(bound) else 0.0


def _round_change(bound: float, space: SearchSpace) -> float:
    """Return the smallest change that patches of a space can have and that is not below a bound.

    If all weights are multiples of the smallest weight, the bound is rounded up to such a multiple,
    else to the nearest thousandth.

    Args:
        bound: lower bound of the change.
        space: search space with the weights of steps.
    """
    unit = space.weights.min()
    is_multiple = np.allclose(space.weights / unit, np.round(space.weights / unit))
    if not is_multiple:
        return float(round(bound, 3))
    return float(unit * ceil(bound / unit - _TOLERANCE))
