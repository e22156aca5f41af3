"""The mix of decks against which no deck wins more than half.

All of it is reckoned in whole numbers: which strategies are played is a matter of signs, and signs
of rounded numbers would hang on the order in which a processor adds them up.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from balance.intervals import Floats

Wholes = npt.NDArray[np.object_]
"""Python's integers, which have no largest one."""


def equilibrium(payoff: Floats) -> Floats:
    """``[D]`` shares of the equilibrium of a symmetric zero-sum game.

    An equilibrium is a mix against which no strategy gains. Where there are several (ties, clones)
    it is the one of the smallest sum of squares, the most even one: it is unique, depends on no
    order of the strategies, and gives clones equal shares.

    Args:
        payoff: ``[D, D]`` antisymmetric: what the row's strategy gains against the column's, in
            any unit. Taken as exact, so whole numbers are best where payoffs may depend on each
            other.

    Reference: J. von Neumann, O. Morgenstern, "Theory of games and economic behavior" (1944),
    section 17; the choice among several is in the spirit of D. Balduzzi et al., "Re-evaluating
    evaluation", NeurIPS 2018, who take the one of largest entropy.
    """
    shares, _ = _most_even(payoff, [])
    return shares


def equilibria(payoffs: Floats) -> Floats:
    """``[B, D]`` the equilibrium of each of several similar games.

    Limits that decide one game mostly decide the next one too, and are tried there first.

    Args:
        payoffs: ``[B, D, D]``, see `equilibrium`.
    """
    shares = np.empty(payoffs.shape[:2])
    binding: list[int] = []
    for k, payoff in enumerate(payoffs):
        shares[k], binding = _most_even(payoff, binding)
    return shares


def _most_even(payoff: Floats, binding: list[int]) -> tuple[Floats, list[int]]:
    """The shares of the smallest sum of squares, and the limits that hold them there.

    The limits, in this order: no share is negative, no strategy gains, all shares together are at
    least 1. The point nearest to 0 within limits ``c x >= d`` is a sum of the ``c`` whose weights
    non-negative least squares finds: limits join one by one, each the one that is broken most, and
    leave where their weight would be negative. Exact numbers need no tolerance, and no two of the
    steps come to the same.

    Args:
        payoff: see `equilibrium`.
        binding: limits to begin with, by number.

    Reference: C. L. Lawson, R. J. Hanson, "Solving least squares problems" (1974), chapter 23.
    """
    game = _whole(payoff)
    n = len(game)
    limits = np.vstack([np.eye(n, dtype=np.int64), -game, np.ones((1, n), np.int64)])
    least = np.array([0] * 2 * n + [1], dtype=object)
    gram = limits @ limits.T + np.outer(least, least)
    weights, unit = _solved(gram, least, binding)
    if any(weight <= 0 for weight in weights):
        binding, weights, unit = [], least[:0], 1
    while (broken := least * unit - gram[:, binding] @ weights).max() > 0:
        joining = int(np.argmax(broken))
        binding, weights, unit = _joined(gram, least, binding, weights, unit, joining)
    point = weights @ limits[binding]
    return np.array([share / point.sum() for share in point], dtype=np.float64), binding


def _joined(
    gram: Wholes, least: Wholes, binding: list[int], weights: Wholes, unit: int, joining: int
) -> tuple[list[int], Wholes, int]:
    """One more limit binds; those whose weights so become negative do no longer."""
    before = [*(Fraction(weight, unit) for weight in weights), Fraction(0)]
    binding = [*binding, joining]
    while True:
        weights, unit = _solved(gram, least, binding)
        after = [Fraction(weight, unit) for weight in weights]
        ways = [old / (old - new) for old, new in zip(before, after, strict=True) if new <= 0]
        if not ways:
            return binding, weights, unit
        way = min(ways)  # as far as no weight is negative
        before = [old + way * (new - old) for old, new in zip(before, after, strict=True)]
        binding = [limit for limit, weight in zip(binding, before, strict=True) if weight > 0]
        before = [weight for weight in before if weight > 0]


def _solved(gram: Wholes, least: Wholes, binding: list[int]) -> tuple[Wholes, int]:
    """The weights of the binding limits, as numerators and their one denominator.

    Elimination without fractions; all quotients are whole. No weights where they are not unique.

    Reference: E. H. Bareiss, "Sylvester's identity and multistep integer-preserving Gaussian
    elimination", Mathematics of Computation 22 (1968).
    """
    table = np.column_stack([gram[np.ix_(binding, binding)], least[binding]])
    last = 1
    for k in range(len(binding)):
        pivot, row = table[k, k], table[k]
        if pivot == 0:
            return table[:, -1] * 0, 1
        table = (table * pivot - np.outer(table[:, k], row)) // last
        table[k], last = row, pivot
    return table[:, -1], last


def _whole(payoff: Floats) -> Wholes:
    """The payoffs in a unit of which all of them are multiples."""
    ratios = [gain.as_integer_ratio() for gain in payoff.ravel().tolist()]
    unit = max((per for _, per in ratios), default=1)  # all are powers of two
    return np.array([gain * (unit // per) for gain, per in ratios], object).reshape(payoff.shape)
