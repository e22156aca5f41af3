"""The mix of decks against which no deck wins more than half.

All of it is reckoned in whole numbers: which strategies are played is a matter of signs, and signs
of rounded numbers would hang on the order in which a processor adds them up.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import nnls

from balance.statistics.intervals import Floats

Wholes = npt.NDArray[np.object_]
"""Python's integers, which have no largest one."""


def equilibrium(payoff: Floats) -> Floats:
    """``[D]`` shares of the equilibrium of a symmetric zero-sum game.

    An equilibrium is a mix against which no strategy gains. Where there are several (ties, clones)
    it is the one of the smallest sum of squares, the most even one: it is unique, depends on no
    order of the strategies, and gives clones equal shares.

    It is found by non-negative least squares in exact numbers, which need no tolerance: the mix is
    a sum of binding limits' coefficients; limits join one by one, each the one that is missed most,
    and leave where their weight would be negative.

    Args:
        payoff: ``[D, D]`` antisymmetric: what the row's strategy gains against the column's, in
            any unit. Taken as exact, so whole numbers are best where payoffs may depend on each
            other.

    Reference: J. von Neumann, O. Morgenstern, "Theory of games and economic behavior" (1944),
    section 17; the choice among several is in the spirit of D. Balduzzi et al., "Re-evaluating
    evaluation", NeurIPS 2018, who take the one of largest entropy. C. L. Lawson, R. J. Hanson,
    "Solving least squares problems" (1974), chapter 23.
    """
    limits = _limits(_whole(payoff))
    binding = _likely(_limits(payoff / (np.abs(payoff).max() or 1.0)))
    weights, unit = _solved(limits[binding])
    while any(weight <= 0 for weight in weights):
        binding = [limit for limit, weight in zip(binding, weights, strict=True) if weight > 0]
        weights, unit = _solved(limits[binding])
    while (missing := limits[:, -1] * unit - limits @ (weights @ limits[binding])).max() > 0:
        joining = int(np.argmax(missing))
        binding, weights, unit = _joined(limits, binding, weights, unit, joining)
    point = (weights @ limits[binding])[:-1]
    return np.array([share / point.sum() for share in point], dtype=np.float64)


def equilibria(payoffs: Floats) -> Floats:
    """``[B, D]`` the equilibrium of each of ``[B, D, D]`` games."""
    return np.stack([equilibrium(payoff) for payoff in payoffs])


def _limits(game: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """``[2 D + 1, D + 1]`` what shares must keep: coefficients, and the least that they come to.

    No share is negative, no strategy gains, and all shares together are at least 1. The mix is the
    point nearest to 0 within these limits.
    """
    n = len(game)
    rows = np.vstack([np.eye(n, dtype=np.int64), -game, np.ones((1, n), np.int64)])
    return np.column_stack([rows, np.arange(2 * n + 1) // (2 * n)])


def _likely(limits: Floats) -> list[int]:
    """Which limits bind, as rounded numbers have it: only where to begin, so not what comes out."""
    try:
        weights, _ = nnls(limits.T, np.eye(limits.shape[1])[-1])
    except RuntimeError:  # it found no end
        return []
    return np.flatnonzero(weights > 0).tolist()


def _joined(
    limits: Wholes, binding: list[int], weights: Wholes, unit: int, joining: int
) -> tuple[list[int], Wholes, int]:
    """One more limit binds; those whose weights so become negative do no longer."""
    before = [*(Fraction(weight, unit) for weight in weights), Fraction(0)]
    binding = [*binding, joining]
    while True:
        weights, unit = _solved(limits[binding])
        after = [Fraction(weight, unit) for weight in weights]
        ways = [old / (old - new) for old, new in zip(before, after, strict=True) if new <= 0]
        if not ways:
            return binding, weights, unit
        way = min(ways)  # as far as no weight is negative
        before = [old + way * (new - old) for old, new in zip(before, after, strict=True)]
        binding = [limit for limit, weight in zip(binding, before, strict=True) if weight > 0]
        before = [weight for weight in before if weight > 0]


def _solved(binding: Wholes) -> tuple[Wholes, int]:
    """The weights of binding limits by least squares: numerators and their one denominator.

    Elimination without fractions; all quotients are whole. No weights where they are not unique.

    Reference: E. H. Bareiss, "Sylvester's identity and multistep integer-preserving Gaussian
    elimination", Mathematics of Computation 22 (1968).
    """
    table = np.column_stack([binding @ binding.T, binding[:, -1]])
    last = 1
    for k in range(len(table)):
        pivot = table[k, k]
        row = table[k]
        if pivot == 0:
            return table[:, -1] * 0, 1
        table = (table * pivot - np.outer(table[:, k], row)) // last
        table[k] = row
        last = pivot
    return table[:, -1], last


def _whole(payoff: Floats) -> Wholes:
    """The payoffs in a unit of which all of them are multiples."""
    ratios = [gain.as_integer_ratio() for gain in payoff.ravel().tolist()]
    unit = max((per for _, per in ratios), default=1)  # all are powers of two
    return np.array([gain * (unit // per) for gain, per in ratios], object).reshape(payoff.shape)
