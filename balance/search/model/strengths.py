"""Strengths: the effect of each step on the strength of each player, over all matchups.

In a matchup the slope of a step is its effect on the strength of the first player, less its mean
effect on the strengths of the other players (Bradley and Terry), plus an effect on this matchup
alone. The variances of these effects are estimated (empirical Bayes).

Reference: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
(1952).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.contest.contest import Contest
from balance.search.model.design import Baseline
from balance.search.model.features import Features
from balance.statistics.arithmetic import mean_of, weighted_sum
from balance.statistics.intervals import Counts, Flags, Floats
from sim.play import Gene

# Number of passes over all players per update of the strengths: fixed instead of tested for
# convergence, so that results are equal on all processors. Chosen by hand.
_N_SWEEPS = 3  # passes over all players per update of the strengths

# Initial values of the variances, which the iterations replace. Chosen by hand.
_COMMON = 0.02  # variance of a step's effect on a player's strength, in squared log-odds
_OWN = 0.005  # variance of a step's effect on one matchup alone, in squared log-odds

# Minimum estimated variance: an estimate of 0 could not be inverted, and would stay 0.
LEAST_VARIANCE = 1e-6


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
        self._common = max(mean_of(deviation * deviation + self._error[held]), LEAST_VARIANCE)
        expected = np.stack([self.expected(m) for m in range(len(self._sides))], axis=1)
        deviation = slopes[reached] - expected[reached]
        self._own = max(mean_of(deviation * deviation + variances[reached]), LEAST_VARIANCE)
