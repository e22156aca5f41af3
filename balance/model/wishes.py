"""Wishes: how far predicted responses are from what is demanded, and how likely they are to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from balance.demands import Demands
from balance.model.design import Baseline
from balance.model.linear_algebra import Matrix, Vector
from balance.model.response import Response
from balance.statistics.arithmetic import normal_share, rate, weighted_sum
from balance.statistics.intervals import Floats, Interval, Positions
from sim.engine.compiled import compiled, none

_Places = types.Array(types.int64, 2, "C")


@dataclass(frozen=True)
class Wishes:
    """Demands on win rates, and the most by which the first seat's lead may grow.

    Attributes:
        demands: ``[N]``.
        most_growth: a share of games, less room.
        room: how far inside its bounds a matchup's rate has to be, a share (`Demands.errors`).
        baseline: today's, whose lead grows.
    """

    demands: Demands
    most_growth: float
    room: float
    baseline: Baseline

    def rates(self, means: Floats) -> Floats:
        """``[B, R]`` what demands are about, of ``[B, M + 1]`` responses."""
        rates = rate(means[:, :-1])
        if not self.demands.with_first_seat:
            return rates
        lead = self.baseline.lead + means[:, -1]
        return np.column_stack([rates, 0.5 + self.baseline.side * lead])

    def steepness(self, rates: Floats) -> Floats:
        """``[B, R]`` how far each of these rates moves with its response."""
        steep = rates * (1 - rates)
        if self.demands.with_first_seat:
            steep[:, -1] = self.baseline.side
        return steep

    def misses(self, means: Floats) -> tuple[Floats, Floats]:
        """``[B]`` the worst distance from a target, and the root of all squares, as shares."""
        distance = self.demands.distance_pp(self.demands.of(self.rates(means))) / 100
        too_much = np.maximum(means[:, -1] - self.most_growth, 0.0)
        squares = weighted_sum(distance * distance, np.ones(distance.shape[-1]))
        return distance.max(axis=-1) + too_much, np.sqrt(squares) + too_much

    def misses_after(
        self, means: Floats, slopes: Floats, parents: Positions, added: Positions
    ) -> tuple[Floats, Floats]:
        """Roughly those of ``[B, M + 1]`` means after one more step each, by slopes alone.

        Args:
            means: of genomes.
            slopes: ``[F, M + 1]``.
            parents: ``[C]`` a genome's place.
            added: ``[C]`` the feature that it moves on.
        """
        rates = self.rates(means)
        growth = means[:, -1] - self.most_growth
        found = np.zeros((2, len(parents)))
        of_demand, matchup = np.nonzero(self.demands.weights)
        _reckon_misses(
            np.column_stack([self.demands.of(rates), growth]),
            self.steepness(rates),
            np.ascontiguousarray(slopes),
            np.column_stack([parents, added]),
            np.column_stack([of_demand, matchup]),
            self.demands.weights[of_demand, matchup].astype(np.float64),
            self.demands.aims,
            found,
        )
        return found[0], found[1]

    def chance(self, model: Response, features: Floats) -> Floats:
        """``[B]`` how likely all wishes hold, with room, as if apart."""
        means = model.mean(features)
        errors = model.error(features)
        rates = self.rates(means)
        spread = self._spread(rates, errors)
        wished = self.demands.of(rates)
        room = self.room * self.demands.errors
        above = normal_share((self.demands.high - room - wished) / spread)
        below = normal_share((self.demands.low + room - wished) / spread)
        growth = (self.most_growth - means[:, -1]) / errors[:, -1]
        found = normal_share(growth)
        for each_wish in np.maximum(above - below, 0.0).T:
            found = found * each_wish
        return np.asarray(found)

    def distances_pp(self, model: Response, features: Floats, n_errors: float) -> Interval:
        """``[B]`` the worst distance from an aim that is expected, and between which it may be.

        Args:
            model: predicts.
            features: ``[B, F]``.
            n_errors: standard errors by which every rate may be off, each its own way.
        """
        rates = self.rates(model.mean(features))
        distances_pp = self.distances_of(rates, n_errors * model.error(features))
        return Interval(*(one.max(axis=-1) for one in distances_pp))

    def distances_of(self, rates: Floats, errors: Floats) -> Interval:
        """``[B, N]`` distances from aims of ``[B, R]`` rates whose ``[B, M + 1]`` responses err."""
        off_pp = 100 * self._spread(rates, errors)
        distance_pp = self.demands.distance_pp(self.demands.of(rates))
        return Interval(distance_pp, np.maximum(distance_pp - off_pp, 0.0), distance_pp + off_pp)

    def _spread(self, rates: Floats, errors: Floats) -> Floats:
        """``[B, N]`` errors of the demanded rates, as if the ``[B, R]`` rates erred apart."""
        steep = abs(self.steepness(rates))
        each = errors[:, : rates.shape[1]] * np.maximum(steep, 0.02)
        squares = [weighted_sum(each * each, row * row) for row in self.demands.weights]
        return np.sqrt(np.stack(squares, axis=1))


@compiled(none(Matrix, Matrix, Matrix, _Places, _Places, Vector, Matrix, Matrix), from_python=True)
def _reckon_misses(
    here: Floats,
    steep: Floats,
    slopes: Floats,
    steps: Positions,
    parts: Positions,
    shares: Floats,
    nearest: Floats,
    found: Floats,
) -> None:
    """The worst miss of each step's demands and the root of their squares, both with the lead's.

    Args:
        here: ``[B, N + 1]`` the demanded rates of each genome, and the lead's growth too much.
        steep: ``[B, R]`` how far each rate moves.
        slopes: ``[F, M + 1]``.
        steps: ``[C, 2]`` the genome, and the feature that it moves on.
        parts: ``[L, 2]`` a demand, in their order, and a rate that it is about.
        shares: ``[L]`` that rate's.
        nearest: ``[2, N]`` what rates should not be below, and not above.
        found: ``[2, C]``.
    """
    n_parts = len(parts)
    last = here.shape[1] - 1
    for c in range(len(steps)):
        genome, feature = steps[c]
        worst = 0.0
        squares = 0.0
        part = 0
        for n in range(last):
            rate_after = here[genome, n]
            while part < n_parts and parts[part, 0] == n:
                m = parts[part, 1]
                rate_after += shares[part] * steep[genome, m] * slopes[feature, m]
                part += 1
            miss = max(nearest[0, n] - rate_after, rate_after - nearest[1, n], 0.0)
            worst = max(worst, miss)
            squares += miss * miss
        too_much = max(here[genome, last] + slopes[feature, slopes.shape[1] - 1], 0.0)
        found[0, c] = worst + too_much
        found[1, c] = np.sqrt(squares) + too_much
