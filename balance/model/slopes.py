"""Slopes: what one step of each number does to each response, by regression over a design.

A response is a matchup's rate, as log-odds, or the first seat's lead. It is today's plus the slopes
of all edits. What a step does to a matchup is what it does to the strength of the one player, less
what it does to that of the other (Bradley and Terry), and something of that matchup's own; the
spreads of these are told by the design (empirical Bayes). Where few games tell a matchup from the
others, its slopes lean on theirs, and no search can make much of luck.

References: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
(1952); C. Bishop, "Pattern Recognition and Machine Learning" (2006), 3.5 and 4.3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.contest import Contest
from balance.model.baseline import Baseline
from balance.model.design import N_GAMES, Sample
from balance.model.features import Features, with_level
from balance.model.linear_algebra import factor, inverse_root, on_grid, product, solve
from balance.model.strengths import LEAST_VARIANCE, Strengths
from balance.statistics.arithmetic import mean_of, ordered_sum, rate, steepness
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from sim.play import Gene

_N_LINEARISED = 4
_N_LEARNT = 3  # times, between two linearisations
_FIRST_SPREAD = 1e-4
_PAIRS = 0.002
"""Variance of a genome's log-odds that no slope explains: what its pairs of edits do."""


@dataclass(frozen=True)
class Slopes:
    """The posterior of one response's level today and ``F`` slopes.

    Attributes:
        mean: ``[F + 1]`` the level, then the slopes.
        root: ``[F + 1, F + 1]`` R of the covariance R'R, on a grid: products with whole numbers,
            and their squares, are exact.
        spread: mean square of slopes.
    """

    mean: Floats
    root: Floats
    spread: float


@dataclass(frozen=True)
class Regression:
    """What slopes of ``M`` matchups of ``D`` players are asked of.

    Attributes:
        sides: ``[M, D]`` 1 for a matchup's first player, and -1 in all for the others.
        holds: ``[F, D]`` features that can matter to a player.
        reaches: ``[F, M]`` features that can matter in a matchup.
        group: ``[F]`` features with an average of their own: those of one field and direction.
        baseline: today's, from other games.
    """

    sides: Floats
    holds: Flags
    reaches: Flags
    group: Counts
    baseline: Baseline

    @classmethod
    def of(
        cls, contest: Contest, genes: Sequence[Gene], features: Features, baseline: Baseline
    ) -> Regression:
        """That of a contest's numbers."""
        sides = np.zeros((len(contest.matchups), len(contest.player_names)))
        for row, (first, *others) in zip(sides, contest.matchups, strict=True):
            row[first] += 1
            np.subtract.at(row, others, 1 / len(others))
        fields = [genes[k].field for k in features.gene]
        kinds = [*zip(fields, features.direction.tolist(), strict=True)]
        number = {kind: k for k, kind in enumerate(dict.fromkeys(kinds))}
        group = np.array([number[kind] for kind in kinds])
        reach = contest.reach(genes)[features.gene], contest.matchup_reach(genes)[features.gene]
        return cls(sides, *reach, group, baseline)


def slopes_of(sample: Sample, regression: Regression) -> tuple[Slopes, ...]:
    """``[M + 1]`` of all responses: the matchups' log-odds, then the growth of the lead."""
    matchups = matchup_slopes(sample, regression)
    return (*matchups, growth_slopes(sample, regression.baseline, matchups))


def matchup_slopes(sample: Sample, regression: Regression) -> tuple[Slopes, ...]:
    """Of all matchups' log-odds."""
    baseline = regression.baseline
    strengths = Strengths(regression.sides, regression.holds, regression.reaches, regression.group)
    n_matchups, n_features = len(regression.sides), len(regression.group)
    known = with_level(sample.features)
    inside = [np.flatnonzero(np.append(True, reached)) for reached in regression.reaches.T]
    means = [np.append(level, np.zeros(n_features)) for level in baseline.logits]
    roots = [np.zeros((0, 0))] * n_matchups
    for _ in range(_N_LINEARISED):
        told = [
            _told(known[:, where], on_grid(mean[where]), rates, luck)
            for where, mean, rates, luck in zip(
                inside, means, sample.rates.T, baseline.luck.tolist(), strict=True
            )
        ]
        for _ in range(_N_LEARNT):
            slopes, variances = np.zeros((2, n_features, n_matchups))
            for m, (where, (information, pull)) in enumerate(zip(inside, told, strict=True)):
                expected = np.append(baseline.logits[m], strengths.expected(m))[where]
                precision = 1 / np.append(baseline.variance[m], strengths.variance(m))[where]
                upper = factor(information + np.diag(precision))
                means[m][where] = solve(upper, pull + expected * precision)
                roots[m] = inverse_root(upper)
                slopes[:, m] = means[m][1:]
                variances[where[1:] - 1, m] = _variances(roots[m])[1:]
            strengths.learn(slopes, variances)
    return tuple(map(_slopes, means, roots, inside))


def growth_slopes(sample: Sample, baseline: Baseline, matchups: tuple[Slopes, ...]) -> Slopes:
    """Of the growth of the first seat's lead beyond what win rates bring; every feature may matter.

    Args:
        sample: the design's.
        baseline: today's.
        matchups: slopes of the matchups' log-odds.
    """
    known, weight = with_level(sample.features), N_GAMES / baseline.lead_luck
    information = weight * product(known.T, known)
    means = product(known, np.stack([one.mean for one in matchups], axis=1))
    beyond = on_grid(sample.growth - baseline.growth_by_rates(rate(means)))
    pull = weight * product(known.T, beyond)
    spread = _FIRST_SPREAD
    for _ in range(_N_LINEARISED):
        precision = np.append(1 / baseline.lead_variance, np.full(known.shape[1] - 1, 1 / spread))
        upper = factor(information + np.diag(precision))
        mean, root = solve(upper, pull), inverse_root(upper)
        spread = max(mean_of(mean[1:] * mean[1:] + _variances(root)[1:]), LEAST_VARIANCE)
    return _slopes(mean, root, np.arange(len(mean)))


def _told(known: Floats, mean: Floats, rates: Floats, luck: float) -> tuple[Floats, Floats]:
    """Information and pull of a design on a matchup, linearised around a mean of slopes.

    Args:
        known: ``[n, k]`` ones, and features that can matter.
        mean: ``[k]`` on the grid.
        rates: ``[n]`` that were seen.
        luck: variance of a game, as a share of p (1 - p).
    """
    expected = product(known, mean)
    steep = steepness(rate(expected))
    weights = on_grid(1 / (luck / (N_GAMES * steep) + _PAIRS))
    seen = expected + (rates - rate(expected)) / steep
    information = product((known * weights[:, np.newaxis]).T, known)
    return information, product(known.T, on_grid(weights * seen))


def _slopes(mean: Floats, root: Floats, inside: Positions) -> Slopes:
    """Slopes of all features, 0 for those that cannot matter."""
    whole = np.zeros((len(mean), len(mean)))
    whole[np.ix_(inside, inside)] = root
    slopes = mean[inside][1:]
    spread = mean_of(slopes * slopes + _variances(root)[1:]) if len(slopes) else LEAST_VARIANCE
    return Slopes(on_grid(mean), whole, spread)


def _variances(root: Floats) -> Floats:
    """``[n]`` the diagonal of a covariance R'R."""
    return ordered_sum(root * root, axis=0)
