"""Slopes by what a search has played, of searches that have no model of their own.

Every genome seen tells log-odds of each matchup; slopes are those of a ridge regression. Where a
search looked at few genomes, or at ones that are much alike, they are drawn to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.model.design import Baseline
from balance.model.features import with_level
from balance.model.linear_algebra import factor, inverse_root, on_grid, product, solve
from balance.statistics.arithmetic import logit, ordered_sum, steepness, weighted_sum
from balance.statistics.intervals import Counts, Floats

# Variance of a slope before anything is known, in log-odds: a step moves a rate by some 3 points.
_SLOPE = 0.02
# What no slope explains, in log-odds: the variance of what a genome's pairs of edits do.
_PAIRS = 0.002


@dataclass(frozen=True)
class PlayedSlopes:
    """Levels and slopes of all matchups, and how far they may be off.

    Attributes:
        means: ``[F + 1, M + 1]``; of the first seat's growth none.
        roots: ``[M, F + 1, F + 1]`` R of each matchup's covariance R'R.
    """

    means: Floats
    roots: Floats

    def error(self, features: Floats) -> Floats:
        """``[B, M + 1]`` standard errors of what ``[B, F]`` patches are expected to come to."""
        known = with_level(features)
        found = np.zeros((len(known), self.means.shape[1]))
        for b, patch in enumerate(known):
            for m, root in enumerate(self.roots):
                moved = weighted_sum(root, patch)
                found[b, m] = np.sqrt(ordered_sum(moved * moved))
        return found


def played_slopes(
    baseline: Baseline, features: Floats, rates: Floats, n_games: Counts
) -> PlayedSlopes:
    """The slopes that genomes tell which a search has seen.

    Args:
        baseline: today's, from other games.
        features: ``[n, F]`` of the genomes.
        rates: ``[n, M]`` win rates that they came to.
        n_games: ``[n]`` per matchup, of each.
    """
    known = with_level(features)
    means = np.zeros((known.shape[1], rates.shape[1] + 1))
    roots = np.zeros((rates.shape[1], known.shape[1], known.shape[1]))
    for m in range(rates.shape[1]):
        luck = baseline.luck[m] / (n_games * steepness(rates[:, m]))
        weights = on_grid(1 / (luck + _PAIRS))
        precision = np.append(1 / baseline.variance[m], np.full(features.shape[1], 1 / _SLOPE))
        expected = np.append(baseline.logits[m], np.zeros(features.shape[1]))
        information = product((known * weights[:, np.newaxis]).T, known) + np.diag(precision)
        pull = product(known.T, on_grid(weights * logit(rates[:, m]))) + precision * expected
        upper = factor(information)
        means[:, m] = solve(upper, pull)
        roots[m] = inverse_root(upper)
    return PlayedSlopes(means, roots)
