"""Strengths: what steps do to players, as far as all their matchups tell.

What a step does to a matchup is what it does to the strength of the one player, less what it does
to that of the other, and something of that matchup's own.

Reference: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
(1952).
"""

from __future__ import annotations

import numpy as np

from balance.statistics.arithmetic import mean_of, weighted_sum
from balance.statistics.intervals import Counts, Flags, Floats

LEAST_VARIANCE = 1e-6
_N_SWEEPS = 3
_COMMON, _OWN = 0.02, 0.005  # variances of log-odds before anything is known


class Strengths:
    """Estimates of ``F`` steps' effects on ``D`` players, and the spreads of what they leave open.

    They are the modes of a hierarchical model, found in turns: slopes given strengths (which the
    regression does), strengths given slopes, spreads given both.

    Attributes:
        effect: ``[F, D]`` on each player's strength, in log-odds.
    """

    def __init__(self, sides: Floats, holds: Flags, reaches: Flags, group: Counts) -> None:
        """Nothing is known yet.

        Args:
            sides: ``[M, D]`` 1 for a matchup's first player, and -1 in all for the others.
            holds: ``[F, D]`` features that can matter to a player.
            reaches: ``[F, M]`` features that can matter in a matchup.
            group: ``[F]`` features that have an average of their own.
        """
        self._sides, self._holds, self._reaches, self._group = sides, holds, reaches, group
        self.effect, self._error = np.zeros((2, *holds.shape))
        self._average = np.zeros(group.max() + 1)
        self._common, self._own = _COMMON, _OWN

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
        held, reached = np.nonzero(self._holds), np.nonzero(self._reaches)
        group = self._group[held[0]]
        totals = np.bincount(group, self.effect[held], minlength=len(self._average))
        self._average = totals / (np.bincount(group, minlength=len(self._average)) + 1)
        apart = self.effect[held] - self._average[group]
        self._common = max(mean_of(apart * apart + self._error[held]), LEAST_VARIANCE)
        expected = np.stack([self.expected(m) for m in range(len(self._sides))], axis=1)
        apart = slopes[reached] - expected[reached]
        self._own = max(mean_of(apart * apart + variances[reached]), LEAST_VARIANCE)
