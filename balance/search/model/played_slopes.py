"""Slopes fitted to the genomes that a search evaluated, for searches without a surrogate.

Every evaluated genome is an observation of the log-odds of each matchup. The slopes are estimated
by ridge regression (a normal prior with mean 0), so that they are near 0 if a search evaluated few
genomes or only similar ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.search.model.design import Baseline
from balance.search.model.features import with_level
from balance.search.model.linear_algebra import factor, inverse_root, on_grid, product, solve
from balance.statistics.arithmetic import logit, ordered_sum, steepness, weighted_sum
from balance.statistics.intervals import Counts, Floats

# Prior variance of a slope, in squared log-odds: a standard deviation of 0.14, so that a step
# changes a rate near 50 % by about 3.5 points. Equal to `_COMMON` in `slopes`.
_SLOPE = 0.02
# Variance of a genome's log-odds that slopes do not explain: the effects of pairs of its edits.
# Equal to `_PAIRS` in `slopes`.
_PAIRS = 0.002


@dataclass(frozen=True)
class PlayedSlopes:
    """Posterior of the baseline level and the ``F`` slopes of all ``M`` matchups, in log-odds.

    Attributes:
        means: posterior means, level first, shape [F + 1, M + 1]. The last column, the growth of
            the first seat's lead, is not fitted and 0.
        roots: matrix R of each matchup's posterior covariance R'R, shape [M, F + 1, F + 1].
    """

    means: Floats
    roots: Floats

    def error(self, features: Floats) -> Floats:
        """Return the standard errors of the predicted responses of patches, shape [B, M + 1].

        The error of the last response, the growth of the first seat's lead, is 0.

        Args:
            features: features of the patches, shape [B, F].
        """
        patches = with_level(features)
        errors = np.zeros((len(patches), self.means.shape[1]))
        for b, patch in enumerate(patches):
            for m, root in enumerate(self.roots):
                moved = weighted_sum(root, patch)
                errors[b, m] = np.sqrt(ordered_sum(moved * moved))
        return errors


def played_slopes(
    baseline: Baseline, features: Floats, rates: Floats, n_games: Counts
) -> PlayedSlopes:
    """Fit levels and slopes to the genomes that a search has evaluated.

    Args:
        baseline: readings of the unchanged game, from games other than those of the genomes.
        features: features of the evaluated genomes, shape [n, F].
        rates: win rates of the evaluated genomes, shape [n, M].
        n_games: number of games of each genome per matchup, shape [n].
    """
    known = with_level(features)
    means = np.zeros((known.shape[1], rates.shape[1] + 1))
    roots = np.zeros((rates.shape[1], known.shape[1], known.shape[1]))
    for m in range(rates.shape[1]):
        noise = baseline.luck[m] / (n_games * steepness(rates[:, m]))
        weights = on_grid(1 / (noise + _PAIRS))
        precision = np.append(1 / baseline.variance[m], np.full(features.shape[1], 1 / _SLOPE))
        expected = np.append(baseline.logits[m], np.zeros(features.shape[1]))
        information = product((known * weights[:, np.newaxis]).T, known) + np.diag(precision)
        pull = product(known.T, on_grid(weights * logit(rates[:, m]))) + precision * expected
        upper = factor(information)
        means[:, m] = solve(upper, pull)
        roots[m] = inverse_root(upper)
    return PlayedSlopes(means, roots)
