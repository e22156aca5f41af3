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
from balance.model.design import N_GAMES, Baseline, Sample
from balance.model.features import Features, with_level
from balance.model.linear_algebra import factor, inverse_root, on_grid, product, solve
from balance.statistics.arithmetic import mean_of, ordered_sum, rate, steepness, weighted_sum
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from sim.play import Gene

_N_LINEARISED = 4
_N_LEARNT = 3  # times, between two linearisations
_FIRST_SPREAD = 1e-4
_N_SWEEPS = 3
_LEAST_VARIANCE = 1e-6
_COMMON = 0.02
_OWN = 0.005  # variances of log-odds before anything is known
_PAIRS = 0.002  # variance of log-odds that no slope explains: what a genome's pairs of edits do


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


class Strengths:
    """Estimates of ``F`` steps' effects on ``D`` players, and the spreads of what they leave open.

    They are the modes of a hierarchical model, found in turns: slopes given strengths (which the
    regression does), strengths given slopes, spreads given both.

    Attributes:
        effect: ``[F, D]`` on each player's strength, in log-odds.
    """

    def __init__(self, regression: Regression) -> None:
        """Nothing is known yet."""
        self._sides = regression.sides
        self._group = regression.group
        self._holds = regression.holds
        self._reaches = regression.reaches
        self.effect, self._error = np.zeros((2, *self._holds.shape))
        self._average = np.zeros(self._group.max() + 1)
        self._common = _COMMON
        self._own = _OWN

    def expected(self, m: int) -> Floats:
        """``[F]`` what a matchup's slopes are expected to be."""
        return weighted_sum(self.effect, self._sides[m])

    def variance(self, m: int) -> Floats:
        """``[F]`` of what they are besides."""
        return self._own + weighted_sum(self._error, self._sides[m] * self._sides[m])

    def learn(self, slopes: Floats, variances: Floats) -> None:
        """Take in ``[F, M]`` slopes and the variances of their errors."""
        for _ in range(_N_SWEEPS):
            for player in range(self._holds.shape[1]):
                self._learn_player(player, slopes)
        self._learn_spreads(slopes, variances)

    def _learn_player(self, player: int, slopes: Floats) -> None:
        pull = self._average[self._group] / self._common
        precision = np.full(len(slopes), 1 / self._common)
        for m in np.flatnonzero(self._sides[:, player]).tolist():
            side = self._sides[m, player]
            others = self.expected(m) - side * self.effect[:, player]
            weight = np.where(self._reaches[:, m], side / self._own, 0.0)
            pull += weight * (slopes[:, m] - others)
            precision += weight * side
        held = self._holds[:, player]
        self.effect[:, player] = np.where(held, pull / precision, 0.0)
        self._error[:, player] = np.where(held, 1 / precision, 0.0)

    def _learn_spreads(self, slopes: Floats, variances: Floats) -> None:
        held = np.nonzero(self._holds)
        reached = np.nonzero(self._reaches)
        group = self._group[held[0]]
        totals = np.bincount(group, self.effect[held], minlength=len(self._average))
        self._average = totals / (np.bincount(group, minlength=len(self._average)) + 1)
        apart = self.effect[held] - self._average[group]
        self._common = max(mean_of(apart * apart + self._error[held]), _LEAST_VARIANCE)
        expected = np.stack([self.expected(m) for m in range(len(self._sides))], axis=1)
        apart = slopes[reached] - expected[reached]
        self._own = max(mean_of(apart * apart + variances[reached]), _LEAST_VARIANCE)


def slopes_of(sample: Sample, regression: Regression) -> tuple[Slopes, ...]:
    """``[M + 1]`` of all responses: the matchups' log-odds, then the growth of the lead."""
    matchups = matchup_slopes(sample, regression)
    return (*matchups, growth_slopes(sample, regression.baseline, matchups))


def matchup_slopes(sample: Sample, regression: Regression) -> tuple[Slopes, ...]:
    """Of all matchups' log-odds."""
    baseline = regression.baseline
    strengths = Strengths(regression)
    n_matchups = len(regression.sides)
    n_features = len(regression.group)
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
    known = with_level(sample.features)
    weight = N_GAMES / baseline.lead_luck
    information = weight * product(known.T, known)
    means = product(known, np.stack([one.mean for one in matchups], axis=1))
    beyond = on_grid(sample.growth - baseline.growth_by_rates(rate(means)))
    pull = weight * product(known.T, beyond)
    spread = _FIRST_SPREAD
    for _ in range(_N_LINEARISED):
        precision = np.append(1 / baseline.lead_variance, np.full(known.shape[1] - 1, 1 / spread))
        upper = factor(information + np.diag(precision))
        mean = solve(upper, pull)
        root = inverse_root(upper)
        spread = max(mean_of(mean[1:] * mean[1:] + _variances(root)[1:]), _LEAST_VARIANCE)
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
    spread = mean_of(slopes * slopes + _variances(root)[1:]) if len(slopes) else _LEAST_VARIANCE
    return Slopes(on_grid(mean), whole, spread)


def _variances(root: Floats) -> Floats:
    """``[n]`` the diagonal of a covariance R'R."""
    return ordered_sum(root * root, axis=0)
