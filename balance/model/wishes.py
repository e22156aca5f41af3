"""Wishes: how far predicted responses are from what is demanded, and how likely they are to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.demands import Demands
from balance.model.logits import rate
from balance.model.response import Response
from balance.statistics.arithmetic import normal_share, weighted_sum
from balance.statistics.intervals import Floats, Positions


@dataclass(frozen=True)
class Wishes:
    """Demands on win rates, and the most by which the first seat's lead may grow.

    Attributes:
        demands: ``[N]``.
        most_growth: a share of games, less room.
        room: how far inside its bounds a rate has to be, a share.
    """

    demands: Demands
    most_growth: float
    room: float

    def misses(self, means: Floats) -> tuple[Floats, Floats]:
        """``[B]`` the worst distance from a target, and the root of all squares, as shares."""
        return self._misses(self.demands.of(rate(means[:, :-1])), means[:, -1])

    def misses_after(
        self, means: Floats, slopes: Floats, parents: Positions, added: Positions
    ) -> tuple[Floats, Floats]:
        """Roughly those of ``[B, M + 1]`` means after one more step each, by slopes alone."""
        rates = rate(means[:, :-1])
        steep = rates * (1 - rates)
        after = rates[parents] + steep[parents] * slopes[added, :-1]
        return self._misses(self.demands.of(after), means[parents, -1] + slopes[added, -1])

    def _misses(self, demanded: Floats, growth: Floats) -> tuple[Floats, Floats]:
        distance = self.demands.distance_pp(demanded) / 100
        too_much = np.maximum(growth - self.most_growth, 0.0)
        squares = weighted_sum(distance * distance, np.ones(distance.shape[-1]))
        return distance.max(axis=-1) + too_much, np.sqrt(squares) + too_much

    def chance(self, model: Response, features: Floats) -> Floats:
        """``[B]`` how likely all wishes hold, with room, as if apart."""
        means, errors = model.mean(features), model.error(features)
        rates = rate(means[:, :-1])
        each = errors[:, :-1] * np.maximum(rates * (1 - rates), 0.02)
        spread = np.sqrt(_weighted_squares(each, self.demands.weights))
        wished = self.demands.of(rates)
        above = normal_share((self.demands.high - self.room - wished) / spread)
        below = normal_share((self.demands.low + self.room - wished) / spread)
        growth = (self.most_growth - means[:, -1]) / errors[:, -1]
        found = normal_share(growth)
        for each_wish in np.maximum(above - below, 0.0).T:
            found = found * each_wish
        return np.asarray(found)


def _weighted_squares(errors: Floats, weights: Floats) -> Floats:
    """``[B, N]`` variances of means of ``[B, M]`` rates that err apart."""
    return np.stack([weighted_sum(errors * errors, row * row) for row in weights], axis=1)
