"""Slopes: the effect of one step of each number on each response, by regression on a design.

A response is a matchup's win rate as log-odds, or the first seat's lead. It equals the baseline
plus the slopes of all edits. Slopes that few games measure are shrunk towards the slopes that the
strengths of the players predict (`strengths`), so that a search cannot exploit noise. A matchup
with a leader (`Contest.leaders`) has the level and the slopes of its leader plus differences.

References: C. Bishop, "Pattern Recognition and Machine Learning" (2006), 3.5 and 4.3.3; for
leaders M. Kennedy, A. O'Hagan, "Predicting the output from a complex computer code when fast
approximations are available", Biometrika 87 (2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.search.model.design import Baseline, Sample
from balance.search.model.features import with_level
from balance.search.model.linear_algebra import factor, inverse_root, on_grid, product, solve
from balance.search.model.strengths import LEAST_VARIANCE, Regression, Strengths
from balance.statistics.arithmetic import mean_of, ordered_sum, rate, steepness
from balance.statistics.intervals import Floats, Positions

# Numbers of iterations, fixed instead of tested for convergence, so that results are equal on all
# processors. Chosen by hand.
_N_LINEARISED = 4  # linearisations of the logistic function around the current slopes
_N_LEARNT = 3  # updates of strengths and variances per linearisation

# Initial values of the variances, which the iterations replace. Chosen by hand.
_FIRST_SPREAD = 1e-4  # variance of a step's effect on the lead: one point, squared
# Variance of a difference from the leader's slope, in squared log-odds: half a point, squared.
_FIRST_DIFFERENCE = 4e-4
# Variance of a genome's log-odds that slopes do not explain: the effects of pairs of its edits.
# Chosen by hand; the surrogate estimates it later (`response`).
_PAIRS = 0.002


@dataclass(frozen=True)
class Slopes:
    """Posterior of one response's baseline level and ``F`` slopes.

    Attributes:
        mean: posterior means, level first, shape [F + 1].
        root: matrix R of the posterior covariance R'R, shape [F + 1, F + 1]; it is rounded to a
            grid, so that its products with whole numbers are exact.
        spread: expected mean square of the slopes of features that can affect the response.
        leader: position of an earlier response, from which level and slopes are differences; `None`
            if they are the response's own.
    """

    mean: Floats
    root: Floats
    spread: float
    leader: int | None = None


def slopes_of(sample: Sample, regression: Regression) -> tuple[Slopes, ...]:
    """Return the slopes of all responses: log-odds of M matchups, then the growth of the lead.

    Args:
        sample: results of the random genomes of the design.
        regression: structure of the players, matchups and features.
    """
    matchups = matchup_slopes(sample, regression)
    return (*matchups, growth_slopes(sample, regression.baseline, matchups))


def sums_of(means: Sequence[Floats], slopes: Sequence[Slopes]) -> Floats:
    """Return values of responses, to which those of leaders are added, shape [..., M + 1].

    Args:
        means: value of each response, or its difference from that of its leader, each [...].
        slopes: slopes of the responses, which have the leaders.
    """
    sums = list[Floats]()
    for mean, response in zip(means, slopes, strict=True):
        sums.append(mean if response.leader is None else mean + sums[response.leader])
    return np.stack(sums, axis=-1)


def matchup_slopes(sample: Sample, regression: Regression) -> tuple[Slopes, ...]:
    """Return the slopes of the log-odds of all matchups.

    Args:
        sample: results of the random genomes of the design.
        regression: structure of the players, matchups and features.
    """
    baseline = regression.baseline
    strengths = Strengths(regression)
    n_matchups = len(regression.sides)
    n_features = len(regression.group)
    known = with_level(sample.features)
    inside = [np.flatnonzero(np.append(True, reached)) for reached in regression.reaches.T]
    means = [np.append(level, np.zeros(n_features)) for level in baseline.logits]
    noises = (baseline.luck / sample.n_games).tolist()
    roots = [np.zeros((0, 0))] * n_matchups
    alone = np.flatnonzero(~regression.has_leader).tolist()
    for _ in range(_N_LINEARISED):
        equations = [
            _normal_equations(
                known[:, inside[m]], on_grid(means[m][inside[m]]), sample.rates[:, m], noises[m]
            )
            for m in alone
        ]
        for _ in range(_N_LEARNT):
            slopes, variances = np.zeros((2, n_features, n_matchups))
            for m, (information, pull) in zip(alone, equations, strict=True):
                reached_rows = inside[m]
                expected = np.append(baseline.logits[m], strengths.expected(m))[reached_rows]
                precision = 1 / np.append(baseline.variance[m], strengths.variance(m))[reached_rows]
                upper = factor(information + np.diag(precision))
                means[m][reached_rows] = solve(upper, pull + expected * precision)
                roots[m] = inverse_root(upper)
                slopes[:, m] = means[m][1:]
                variances[reached_rows[1:] - 1, m] = _variances(roots[m])[1:]
            strengths.learn(slopes, variances)
    found = list[Slopes]()
    for m, leader in enumerate(regression.leaders):
        if leader is None:
            found.append(_with_all_features(means[m], roots[m], inside[m]))
        else:
            lead = sums_of([slopes.mean for slopes in found], found)[:, leader]
            found.append(_differences(sample, regression, m, lead))
    return tuple(found)


def _differences(sample: Sample, regression: Regression, m: int, lead: Floats) -> Slopes:
    """Return the differences of a matchup's level and slopes from those of its leader.

    Differences of slopes have a common variance, which the design estimates. They are estimated
    precisely only where the design shows them: elsewhere the slopes are those of the leader.

    Args:
        sample: results of the random genomes of the design.
        regression: structure of the players, matchups and features.
        m: position of the matchup.
        lead: level and slopes of the leader, shape [F + 1].
    """
    baseline = regression.baseline
    inside = np.flatnonzero(np.append(True, regression.reaches[:, m]))
    known = with_level(sample.features)[:, inside]
    noise = float(baseline.luck[m]) / sample.n_games
    expected = lead[inside]
    expected[0] = baseline.logits[m]
    mean = expected
    spread = _FIRST_DIFFERENCE
    root = np.zeros((0, 0))
    for _ in range(_N_LINEARISED):
        information, pull = _normal_equations(known, on_grid(mean), sample.rates[:, m], noise)
        for _ in range(_N_LEARNT):
            precision = np.append(1 / baseline.variance[m], np.full(len(inside) - 1, 1 / spread))
            upper = factor(information + np.diag(precision))
            mean = solve(upper, pull + expected * precision)
            root = inverse_root(upper)
            squares = (mean - expected)[1:] ** 2 + _variances(root)[1:]
            spread = max(mean_of(squares), LEAST_VARIANCE) if len(squares) else spread
    difference = np.zeros(len(lead))
    difference[inside] = mean - lead[inside]
    own = _with_all_features(difference, root, inside)
    return replace(own, leader=regression.leaders[m])


def growth_slopes(sample: Sample, baseline: Baseline, matchups: tuple[Slopes, ...]) -> Slopes:
    """Return the slopes of the part of the lead's growth that win rates do not explain.

    Every feature may affect the lead, since it is a mean over all matchups.

    Args:
        sample: results of the random genomes of the design.
        baseline: readings of the unchanged game.
        matchups: slopes of the log-odds of all matchups.
    """
    known = with_level(sample.features)
    weight = sample.n_games / baseline.lead_luck
    information = weight * product(known.T, known)
    means = product(known, sums_of([response.mean for response in matchups], matchups))
    beyond = on_grid(sample.growth - baseline.growth_by_rates(rate(means)))
    pull = weight * product(known.T, beyond)
    spread = _FIRST_SPREAD
    for _ in range(_N_LINEARISED):
        precision = np.append(1 / baseline.lead_variance, np.full(known.shape[1] - 1, 1 / spread))
        upper = factor(information + np.diag(precision))
        mean = solve(upper, pull)
        root = inverse_root(upper)
        spread = max(mean_of(mean[1:] * mean[1:] + _variances(root)[1:]), LEAST_VARIANCE)
    return _with_all_features(mean, root, np.arange(len(mean)))


def _normal_equations(
    known: Floats, mean: Floats, rates: Floats, noise: float
) -> tuple[Floats, Floats]:
    """Return both sides of the normal equations of a matchup, linearised around given slopes.

    This is one step of iteratively reweighted least squares (Fisher scoring).

    Args:
        known: column of ones, then features that can affect the matchup, shape [n, k].
        mean: level and slopes around which rates are linearised, on the grid, shape [k].
        rates: observed win rates, shape [n].
        noise: variance of a genome's win rate as a share of p (1 - p).

    Returns:
        The information matrix, shape [k, k], and the right-hand side, shape [k].
    """
    expected = product(known, mean)
    steep = steepness(rate(expected))
    weights = on_grid(1 / (noise / steep + _PAIRS))
    observed = expected + (rates - rate(expected)) / steep
    information = product((known * weights[:, np.newaxis]).T, known)
    return information, product(known.T, on_grid(weights * observed))


def _with_all_features(mean: Floats, root: Floats, inside: Positions) -> Slopes:
    """Return the posterior of all slopes from that of the slopes that can affect the response.

    The covariance of all other slopes is 0.

    Args:
        mean: level and slopes; 0 for features that cannot affect the response, shape [F + 1].
        root: root of the covariance of the level and k slopes, shape [k + 1, k + 1].
        inside: positions of the level and these slopes in `mean`, shape [k + 1].
    """
    full_root = np.zeros((len(mean), len(mean)))
    full_root[np.ix_(inside, inside)] = root
    slopes = mean[inside][1:]
    spread = mean_of(slopes * slopes + _variances(root)[1:]) if len(slopes) else LEAST_VARIANCE
    return Slopes(on_grid(mean), full_root, spread)


def _variances(root: Floats) -> Floats:
    """Return the diagonal of the covariance R'R, shape [n].

    Args:
        root: matrix R, shape [n, n].
    """
    return ordered_sum(root * root, axis=0)
