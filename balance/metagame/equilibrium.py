"""Equilibrium of a symmetric zero-sum game: the mix against which no deck wins more than half.

All results are computed in exact whole numbers. The set of strategies with a share depends on
signs, and the signs of rounded sums depend on the order in which a processor adds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import nnls

from balance.statistics.intervals import Floats

Wholes = npt.NDArray[np.object_]
"""Array of Python integers, which cannot overflow."""


def equilibrium(payoff: Floats) -> Floats:
    """Return the equilibrium of a symmetric zero-sum game, shape [D].

    An equilibrium is a mix against which no strategy gains. If there are several (ties, clones),
    the most even one is returned, with the smallest sum of squared shares: it is unique, does not
    depend on the order of strategies, and gives clones equal shares.

    The algorithm is non-negative least squares (an active-set method) in exact numbers, so that no
    tolerance is needed. The mix is a combination of binding constraints. In each step the most
    violated constraint is added, and constraints are removed if their weights would become
    negative.

    Args:
        payoff: antisymmetric matrix of the gains of the row's strategy against the column's, in any
            unit, shape [D, D]. Values are taken as exact, so they should be whole numbers if they
            are differences of counts.

    Returns:
        Shares of the strategies, which sum to 1.

    References: J. von Neumann, O. Morgenstern, "Theory of games and economic behavior" (1944),
    section 17; C. L. Lawson, R. J. Hanson, "Solving least squares problems" (1974), chapter 23. The
    choice among several equilibria resembles that of D. Balduzzi et al., "Re-evaluating
    evaluation", NeurIPS 2018: the one with the largest entropy.
    """
    constraints = _constraints(_to_whole_numbers(payoff))
    binding = _guess_binding(_constraints(payoff / (np.abs(payoff).max() or 1.0)))
    weights, unit = _solve_binding(constraints[binding])
    # The guess may be wrong, so constraints are dropped until all weights are positive.
    while any(weight <= 0 for weight in weights):
        binding = [limit for limit, weight in zip(binding, weights, strict=True) if weight > 0]
        weights, unit = _solve_binding(constraints[binding])
    while (
        missing := constraints[:, -1] * unit - constraints @ (weights @ constraints[binding])
    ).max() > 0:
        joining = int(np.argmax(missing))
        binding, weights, unit = _join(constraints, binding, weights, unit, joining)
    point = (weights @ constraints[binding])[:-1]
    return np.array([share / point.sum() for share in point], dtype=np.float64)


def equilibria(payoffs: Floats) -> Floats:
    """Return the equilibrium of each of several games, shape [B, D].

    Args:
        payoffs: antisymmetric matrices, shape [B, D, D].
    """
    return np.stack([equilibrium(payoff) for payoff in payoffs])


def _constraints(game: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the linear constraints on the shares of an equilibrium, shape [2 D + 1, D + 1].

    The last column has the minimum values, the others the coefficients. No share is negative, no
    strategy gains, and the sum of all shares is at least 1. The equilibrium is the point nearest to
    0 within these constraints.

    Args:
        game: antisymmetric matrix of payoffs, shape [D, D].
    """
    n = len(game)
    rows = np.vstack([np.eye(n, dtype=np.int64), -game, np.ones((1, n), np.int64)])
    # The minimum values are 1 for the last constraint, the sum of shares, and 0 for all others.
    return np.column_stack([rows, np.arange(2 * n + 1) // (2 * n)])


def _guess_binding(constraints: Floats) -> list[int]:
    """Return a guess of the binding constraints, computed by fast, rounded arithmetic.

    The guess saves time and does not affect the result. It is empty if scipy's iteration does not
    converge.

    Args:
        constraints: constraints in floats, shape [2 D + 1, D + 1].

    Returns:
        Rows of the constraints.
    """
    try:
        weights, _ = nnls(constraints.T, np.eye(constraints.shape[1])[-1])
    except RuntimeError:  # scipy's iteration did not converge
        return []
    return np.flatnonzero(weights > 0).tolist()


def _join(
    constraints: Wholes, binding: list[int], weights: Wholes, unit: int, joining: int
) -> tuple[list[int], Wholes, int]:
    """Add a binding constraint, and remove constraints that would get negative weights.

    Args:
        constraints: all constraints, shape [2 D + 1, D + 1].
        binding: rows of the binding constraints.
        weights: numerators of the weights of the binding constraints.
        unit: common denominator of the weights.
        joining: row of the constraint to add.

    Returns:
        Rows of the new binding constraints, numerators of their weights, and the denominator.
    """
    before = [*(Fraction(weight, unit) for weight in weights), Fraction(0)]
    binding = [*binding, joining]
    while True:
        weights, unit = _solve_binding(constraints[binding])
        after = [Fraction(weight, unit) for weight in weights]
        steps = [old / (old - new) for old, new in zip(before, after, strict=True) if new <= 0]
        if not steps:
            return binding, weights, unit
        step = min(steps)  # the largest step at which no weight is negative
        before = [old + step * (new - old) for old, new in zip(before, after, strict=True)]
        binding = [limit for limit, weight in zip(binding, before, strict=True) if weight > 0]
        before = [weight for weight in before if weight > 0]


def _solve_binding(binding: Wholes) -> tuple[Wholes, int]:
    """Return the exact least-squares weights of binding constraints.

    They are computed by fraction-free elimination, in which all quotients are whole numbers.

    Args:
        binding: binding constraints, one per row.

    Returns:
        Numerators of the weights and their common denominator; all weights are 0 if they are not
        unique.

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


def _to_whole_numbers(payoff: Floats) -> Wholes:
    """Return payoffs as whole numbers, multiplied by the largest denominator of any payoff."""
    ratios = [gain.as_integer_ratio() for gain in payoff.ravel().tolist()]
    # Denominators of floats are powers of two, so the largest is a multiple of all others.
    unit = max((per for _, per in ratios), default=1)
    return np.array([gain * (unit // per) for gain, per in ratios], object).reshape(payoff.shape)
