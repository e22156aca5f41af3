"""Slopes: the effect of one step of each number on each response, by regression on a design.

A response is a matchup's win rate as log-odds, or the first seat's lead. It equals the baseline
plus the slopes of all edits. In a matchup the slope of a step is its effect on the strength of the
first player, less its mean effect on the strengths of the other players (Bradley and Terry). An
effect on this matchup alone is added. The variances of these effects are estimated from the design
(empirical Bayes). Slopes that few games measure are shrunk towards the slopes that the strengths
predict, so that a search cannot exploit noise.

References: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
(1952); C. Bishop, "Pattern Recognition and Machine Learning" (2006), 3.5 and 4.3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.contest.contest import Contest
from balance.search.model.design import Baseline, Sample
from balance.search.model.features import Features, with_level
from balance.search.model.linear_algebra import factor, inverse_root, on_grid, product, solve
from balance.statistics.arithmetic import mean_of, ordered_sum, rate, steepness, weighted_sum
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from sim.play import Gene

# Numbers of iterations, fixed instead of tested for convergence, so that results are equal on all
# processors. Chosen by hand.
_N_LINEARISED = 4  # linearisations of the logistic function around the current slopes
_N_LEARNT = 3  # updates of strengths and variances per linearisation
_N_SWEEPS = 3  # passes over all players per update of the strengths

# Initial values of the variances, which the iterations replace. Chosen by hand.
_COMMON = 0.02  # variance of a step's effect on a player's strength, in squared log-odds
_OWN = 0.005  # variance of a step's effect on one matchup alone, in squared log-odds
_FIRST_SPREAD = 1e-4  # variance of a step's effect on the lead: one point, squared
# Variance of a difference from the leader's slope, in squared log-odds: half a point, squared.
_FIRST_DIFFERENCE = 4e-4

# Minimum estimated variance: an estimate of 0 could not be inverted, and would stay 0.
_LEAST_VARIANCE = 1e-6
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


@dataclass(frozen=True)
class Regression:
    """Structure of a regression on a design: ``M`` matchups of ``D`` players, ``F`` features.

    Attributes:
        sides: weight of each player's strength in a matchup, shape [M, D]: 1 for the first player;
            the weights of the other players add up to -1.
        holds: whether a feature can affect a player, shape [F, D].
        reaches: whether a feature can affect a matchup, shape [F, M].
        group: group of each feature, shape [F]. The features of one field and direction are a group
            with a common average effect.
        baseline: readings of the unchanged game, from games other than those of the design.
        leaders: position of each matchup's leader, or `None` (`Contest.leaders`), shape [M].
    """

    sides: Floats
    holds: Flags
    reaches: Flags
    group: Counts
    baseline: Baseline
    leaders: tuple[int | None, ...]

    @classmethod
    def of(
        cls, contest: Contest, genes: Sequence[Gene], features: Features, baseline: Baseline
    ) -> Regression:
        """Return the structure of the regression for a contest.

        Args:
            contest: contest with the players and matchups.
            genes: numbers that may move, in the order of a genome.
            features: the steps that genomes consist of.
            baseline: readings of the unchanged game.
        """
        sides = np.zeros((len(contest.matchups), len(contest.player_names)))
        for row, (first, *others) in zip(sides, contest.matchups, strict=True):
            row[first] += 1
            if others:
                # `subtract.at`, because a player may have several seats among the others.
                np.subtract.at(row, others, 1 / len(others))
        fields = [genes[k].field for k in features.gene]
        kinds = [*zip(fields, features.direction.tolist(), strict=True)]
        number = {kind: k for k, kind in enumerate(dict.fromkeys(kinds))}
        group = np.array([number[kind] for kind in kinds])
        reach = contest.reach(genes)[features.gene], contest.matchup_reach(genes)[features.gene]
        return cls(sides, *reach, group, baseline, contest.leaders)

    @property
    def has_leader(self) -> Flags:
        """Whether each matchup has a leader, shape [M]."""
        return np.array([leader is not None for leader in self.leaders])


class Strengths:
    """Estimated effects of ``F`` steps on the strengths of ``D`` players, and their variances.

    They are modes of a hierarchical model, computed by alternation: slopes given strengths (by the
    regression), strengths given slopes, variances given slopes and strengths.

    Attributes:
        effect: effect on each player's strength, in log-odds, shape [F, D].
    """

    def __init__(self, regression: Regression) -> None:
        """Initialise all effects to 0 and all variances to their initial values.

        Args:
            regression: structure of the matchups, players and groups of features.
        """
        # Matchups with a leader are left out: they depend on the strengths by their leaders.
        self._sides = np.where(regression.has_leader[:, np.newaxis], 0.0, regression.sides)
        self._group = regression.group
        self._holds = regression.holds
        self._reaches = regression.reaches & ~regression.has_leader
        self.effect, self._error = np.zeros((2, *self._holds.shape))
        self._average = np.zeros(self._group.max() + 1)
        self._common = _COMMON
        self._own = _OWN

    def expected(self, m: int) -> Floats:
        """Return the slopes of matchup `m` that the strengths predict, in log-odds, shape [F]."""
        return weighted_sum(self.effect, self._sides[m])

    def variance(self, m: int) -> Floats:
        """Return the variances of the slopes of matchup `m` around `expected`, shape [F]."""
        return self._own + weighted_sum(self._error, self._sides[m] * self._sides[m])

    def learn(self, slopes: Floats, variances: Floats) -> None:
        """Update the effects on strengths and the variances from estimated slopes.

        Args:
            slopes: slopes of all matchups, shape [F, M].
            variances: variances of their errors, shape [F, M].
        """
        for _ in range(_N_SWEEPS):
            for player in range(self._holds.shape[1]):
                self._learn_player(player, slopes)
        self._learn_spreads(slopes, variances)

    def _learn_player(self, player: int, slopes: Floats) -> None:
        """Update the effects on the strength of one player, with those of other players fixed."""
        weighted_sum_of_effects = self._average[self._group] / self._common
        precision = np.full(len(slopes), 1 / self._common)
        for m in np.flatnonzero(self._sides[:, player]).tolist():
            side = self._sides[m, player]
            others = self.expected(m) - side * self.effect[:, player]
            weight = np.where(self._reaches[:, m], side / self._own, 0.0)
            weighted_sum_of_effects += weight * (slopes[:, m] - others)
            precision += weight * side
        held = self._holds[:, player]
        self.effect[:, player] = np.where(held, weighted_sum_of_effects / precision, 0.0)
        self._error[:, player] = np.where(held, 1 / precision, 0.0)

    def _learn_spreads(self, slopes: Floats, variances: Floats) -> None:
        """Update the groups' average effects and the variances of strengths and of slopes.

        Args:
            slopes: slopes of all matchups, shape [F, M].
            variances: variances of their errors, shape [F, M].
        """
        held = np.nonzero(self._holds)
        reached = np.nonzero(self._reaches)
        group = self._group[held[0]]
        totals = np.bincount(group, self.effect[held], minlength=len(self._average))
        self._average = totals / (np.bincount(group, minlength=len(self._average)) + 1)
        deviation = self.effect[held] - self._average[group]
        self._common = max(mean_of(deviation * deviation + self._error[held]), _LEAST_VARIANCE)
        expected = np.stack([self.expected(m) for m in range(len(self._sides))], axis=1)
        deviation = slopes[reached] - expected[reached]
        self._own = max(mean_of(deviation * deviation + variances[reached]), _LEAST_VARIANCE)


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
            spread = max(mean_of(squares), _LEAST_VARIANCE) if len(squares) else spread
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
        spread = max(mean_of(mean[1:] * mean[1:] + _variances(root)[1:]), _LEAST_VARIANCE)
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
    spread = mean_of(slopes * slopes + _variances(root)[1:]) if len(slopes) else _LEAST_VARIANCE
    return Slopes(on_grid(mean), full_root, spread)


def _variances(root: Floats) -> Floats:
    """Return the diagonal of the covariance R'R, shape [n].

    Args:
        root: matrix R, shape [n, n].
    """
    return ordered_sum(root * root, axis=0)
