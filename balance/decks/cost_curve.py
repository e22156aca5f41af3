"""Robust curve of the effects of cards over their costs.

The curve is a line with a deviation for each cost that has enough cards. Deviations have a normal
prior with an estimated variance, so that the curve follows the cards where there are many. The
effects of the cards about the curve follow a t-distribution, so that a few strong or weak cards
hardly move it.

Reference: K. Lange, R. Little, J. Taylor, "Robust Statistical Modeling Using the t Distribution",
Journal of the American Statistical Association 84 (1989).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.search.model.linear_algebra import factor, inverse_root, product, solve
from balance.statistics.arithmetic import mean_of, ordered_sum
from balance.statistics.intervals import Counts, Flags, Floats

SUPPORT = 3
"""Minimum number of cards of a cost that get a deviation of their own from the line."""

# Degrees of freedom of the t-distribution: the smallest number with a finite variance. With 10 % of
# the cards three spreads away, the curve moves by less than a tenth of a spread.
_FREEDOM = 3.0
# Factor from the inverse of the weighted information to the variance of an estimate of the location
# of a t-distribution.
_OF_INFORMATION = (_FREEDOM + 3) / (_FREEDOM + 1)
# Number of updates, fixed instead of tested for convergence, so that results are equal on all
# processors. Chosen by hand; later updates change values by less than 1 %.
_N_UPDATES = 40
# Prior precision of level and slope, in log-odds: so small that neither is restricted.
_LINE_PRECISION = 0.01
# Minimum estimated variance, in squared log-odds (0.1 pp): an estimate of 0 would stay 0.
_LEAST_VARIANCE = 1.6e-5


@dataclass(frozen=True)
class CostCurve:
    """Effect that cards of a cost usually have, in log-odds per copy.

    Attributes:
        costs: costs with a deviation of their own, in rising order; the only cost that occurs most
            often, if no cost has enough cards, shape [T].
        values: level, slope per mana, and the deviation of each of `costs`, shape [T + 2].
        root: root R of the inverse R'R of the weighted information on `values`, shape [T + 2,
            T + 2].
        spread: scale of the effects of cards about the curve, without the noise of their estimates.
    """

    costs: Counts
    values: Floats
    root: Floats
    spread: float

    def at(self, costs: Counts) -> Floats:
        """Return the usual effects of cards of given costs, shape [K].

        A cost without a deviation of its own has that of the nearest cost that has one.

        Args:
            costs: costs in mana, shape [K].
        """
        return ordered_sum(_regressors(costs, self.costs) * self.values)

    def variance(self, costs: Counts, others: Counts) -> Floats:
        """Return the variances of the mean of the curve at two costs, shape [K].

        Args:
            costs: costs in mana, shape [K].
            others: second cost of each pair, shape [K].
        """
        both = _regressors(costs, self.costs) + _regressors(others, self.costs)
        halves = product(self.root, both.T) / 2
        return _OF_INFORMATION * ordered_sum(halves * halves, axis=0)

    def supports(self, costs: Counts) -> Flags:
        """Return whether each cost has a deviation of its own, shape [K]."""
        return np.isin(costs, self.costs)


def fit_cost_curve(effects: Floats, noise: Floats, costs: Counts) -> CostCurve:
    """Fit the curve to the effects of ``K`` cards by expectation maximisation.

    Args:
        effects: effects of the cards in log-odds, shape [K].
        noise: variances of the estimates of these effects, shape [K].
        costs: costs of the cards in mana, shape [K].
    """
    known, n_cards = np.unique(costs, return_counts=True)
    own = known[n_cards >= SUPPORT]
    if not len(own):
        own = known[[int(np.argmax(n_cards))]]
    regressors = _regressors(costs, own)
    residual = effects - float(np.median(effects))
    spread = max(mean_of(residual * residual), _LEAST_VARIANCE)
    between = spread
    for _ in range(_N_UPDATES):
        variance = spread + noise
        shares = (_FREEDOM + 1) / (_FREEDOM + residual * residual / variance)
        weights = shares / variance
        weighted = regressors * weights[:, np.newaxis]
        information = ordered_sum(weighted[:, :, np.newaxis] * regressors[:, np.newaxis, :], axis=0)
        prior = np.append([_LINE_PRECISION, _LINE_PRECISION], np.full(len(own), 1 / between))
        upper = factor(information + np.diag(prior))
        values = solve(upper, ordered_sum(weighted * effects[:, np.newaxis], axis=0))
        root = inverse_root(upper)
        residual = effects - ordered_sum(regressors * values)
        halves = product(root, regressors.T)
        leverage = ordered_sum(halves * halves, axis=0)
        squares = mean_of(shares * (residual * residual + leverage))
        spread = max(squares - mean_of(noise), _LEAST_VARIANCE)
        deviations = values[2:] * values[2:] + ordered_sum(root * root, axis=0)[2:]
        between = max(mean_of(deviations), _LEAST_VARIANCE)
    return CostCurve(own, values, root, float(np.sqrt(spread)))


def _regressors(costs: Counts, own: Counts) -> Floats:
    """Return the regressors of the curve: 1, the cost, and which of `own` is nearest, [K, T + 2].

    Args:
        costs: costs in mana, shape [K].
        own: costs with deviations of their own, in rising order, shape [T].
    """
    nearest = np.abs(costs[:, np.newaxis] - own).argmin(axis=1)
    is_nearest = nearest[:, np.newaxis] == np.arange(len(own))
    return np.column_stack([np.ones(len(costs)), costs, is_nearest]).astype(np.float64)
