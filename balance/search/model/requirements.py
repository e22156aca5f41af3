"""Requirements on predictions: distances from targets, and the probability of feasibility."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from balance.contest.demands import Demands
from balance.search.model.design import Baseline
from balance.search.model.linear_algebra import Matrix, Vector
from balance.search.model.response import Response
from balance.statistics.arithmetic import normal_share, rate, weighted_sum
from balance.statistics.intervals import Floats, Interval, Positions
from sim.engine.compiled import compiled, none

_Places = types.Array(types.int64, 2, "C")
# Minimum slope of a rate against its log-odds: near 0 and 1 a rate hardly moves to first order, but
# a large error of the log-odds still moves it. Chosen by hand: the slope at 2 % and 98 %.
_LEAST_STEEPNESS = 0.02


@dataclass(frozen=True)
class Requirements:
    """Requirements on a genome: demands on win rates, and a limit on the first seat's lead.

    Attributes:
        demands: the ``N`` demands on rates.
        most_growth: maximum growth of the first seat's lead, less its margin, as a share of games.
        room: margin: minimum distance of a matchup's rate from the bounds of its band, as a share
            of games; `Demands.errors` scales the margin of each demand.
        baseline: readings of the unchanged game, from which the growth of the lead is measured.
    """

    demands: Demands
    most_growth: float
    room: float
    baseline: Baseline

    def rates(self, means: Floats) -> Floats:
        """Return the rates that demands combine, shape [B, R].

        These are the M win rates and, if a demand needs it, the first seat's win rate.

        Args:
            means: responses: log-odds of the win rates, and growth of the lead, shape [B, M + 1].
        """
        rates = rate(means[:, :-1])
        if not self.demands.with_first_seat:
            return rates
        lead = self.baseline.lead + means[:, -1]
        return np.column_stack([rates, 0.5 + self.baseline.side * lead])

    def steepness(self, rates: Floats) -> Floats:
        """Return the derivative of each rate with respect to its response, shape [B, R].

        Args:
            rates: rates as returned by `rates`, shape [B, R].
        """
        steep = rates * (1 - rates)
        if self.demands.with_first_seat:
            steep[:, -1] = self.baseline.side
        return steep

    def misses(self, means: Floats) -> tuple[Floats, Floats]:
        """Return two measures of the distance of predictions from the targets.

        Args:
            means: predicted responses, shape [B, M + 1].

        Returns:
            The largest distance of a rate from its target, and the root of the sum of squared
            distances, both as shares of games, each of shape [B]. Excess growth of the lead is
            added to both measures.
        """
        distance = self.demands.distance_pp(self.demands.of(self.rates(means))) / 100
        too_much = np.maximum(means[:, -1] - self.most_growth, 0.0)
        squares = weighted_sum(distance * distance, np.ones(distance.shape[-1]))
        return distance.max(axis=-1) + too_much, np.sqrt(squares) + too_much

    def misses_after(
        self, means: Floats, slopes: Floats, parents: Positions, added: Positions
    ) -> tuple[Floats, Floats]:
        """Return `misses` of genomes after one more step, approximated by slopes alone.

        Args:
            means: predicted responses of B parents, shape [B, M + 1].
            slopes: effect of one step of each feature on each response, shape [F, M + 1].
            parents: position of each child's parent, shape [C].
            added: feature that each child moves by one more step, shape [C].

        Returns:
            The two measures of `misses`, each of shape [C].
        """
        rates = self.rates(means)
        growth = means[:, -1] - self.most_growth
        misses = np.zeros((2, len(parents)))
        of_demand, matchup = np.nonzero(self.demands.weights)
        _compute_misses(
            np.column_stack([self.demands.of(rates), growth]),
            self.steepness(rates),
            np.ascontiguousarray(slopes),
            np.column_stack([parents, added]),
            np.column_stack([of_demand, matchup]),
            self.demands.weights[of_demand, matchup].astype(np.float64),
            self.demands.aims,
            misses,
        )
        return misses[0], misses[1]

    def chance(self, model: Response, features: Floats) -> Floats:
        """Return the probability that each genome meets all requirements with margin, shape [B].

        It is the product of the probabilities of the single requirements, since their errors are
        assumed to be independent.

        Args:
            model: surrogate that predicts responses and their errors.
            features: features of the genomes, shape [B, F].
        """
        means = model.mean(features)
        errors = model.error(features)
        rates = self.rates(means)
        spread = self._spread(rates, errors)
        values = self.demands.of(rates)
        room = self.room * self.demands.errors
        above = normal_share((self.demands.high - room - values) / spread)
        below = normal_share((self.demands.low + room - values) / spread)
        growth = (self.most_growth - means[:, -1]) / errors[:, -1]
        probability = normal_share(growth)
        for of_demand in np.maximum(above - below, 0.0).T:
            probability = probability * of_demand
        return np.asarray(probability)

    def distances_pp(self, model: Response, features: Floats, n_errors: float) -> Interval:
        """Return the largest predicted distance of each genome from a target, with intervals.

        Args:
            model: surrogate that predicts responses and their errors.
            features: features of the genomes, shape [B, F].
            n_errors: half width of the intervals, in standard errors.

        Returns:
            Distances and their bounds in points, each of shape [B].
        """
        rates = self.rates(model.mean(features))
        distances_pp = self.distances_of(rates, n_errors * model.error(features))
        return Interval(*(values.max(axis=-1) for values in distances_pp))

    def distances_of(self, rates: Floats, errors: Floats) -> Interval:
        """Return the distances of the demanded rates from their targets, with intervals.

        Args:
            rates: rates as returned by `rates`, shape [B, R].
            errors: half widths of the intervals of the responses, shape [B, M + 1].

        Returns:
            Distances and their bounds in points, each of shape [B, N]; no bound is below 0.
        """
        off_pp = 100 * self._spread(rates, errors)
        distance_pp = self.demands.distance_pp(self.demands.of(rates))
        return Interval(distance_pp, np.maximum(distance_pp - off_pp, 0.0), distance_pp + off_pp)

    def _spread(self, rates: Floats, errors: Floats) -> Floats:
        """Return the errors of the demanded rates by the delta method, shape [B, N].

        The errors of the rates that a demand combines are assumed to be independent.

        Args:
            rates: rates as returned by `rates`, shape [B, R].
            errors: errors of the responses, shape [B, M + 1].
        """
        steep = abs(self.steepness(rates))
        of_rates = errors[:, : rates.shape[1]] * np.maximum(steep, _LEAST_STEEPNESS)
        squares = [weighted_sum(of_rates * of_rates, row * row) for row in self.demands.weights]
        return np.sqrt(np.stack(squares, axis=1))


@compiled(none(Matrix, Matrix, Matrix, _Places, _Places, Vector, Matrix, Matrix), from_python=True)
def _compute_misses(
    genomes: Floats,
    steep: Floats,
    slopes: Floats,
    steps: Positions,
    parts: Positions,
    shares: Floats,
    targets: Floats,
    misses: Floats,
) -> None:
    """Compute both measures of `Requirements.misses` after one more step of each child's parent.

    Args:
        genomes: demanded rates of each parent, and growth of its lead less the maximum, shape
            [B, N + 1].
        steep: derivative of each rate with respect to its response, shape [B, R].
        slopes: effect of one step on each response, shape [F, M + 1].
        steps: position of each child's parent, and the feature that moves, shape [C, 2].
        parts: pairs of a demand and a rate that it combines, by rising demand, shape [L, 2].
        shares: weight of the rate in the demand of each pair, shape [L].
        targets: lowest and highest value of each demand that is on target, shape [2, N].
        misses: array that is filled with the measures, shape [2, C].
    """
    n_parts = len(parts)
    last = genomes.shape[1] - 1
    for c in range(len(steps)):
        genome, feature = steps[c]
        worst = 0.0
        squares = 0.0
        part = 0
        for n in range(last):
            rate_after = genomes[genome, n]
            while part < n_parts and parts[part, 0] == n:
                m = parts[part, 1]
                rate_after += shares[part] * steep[genome, m] * slopes[feature, m]
                part += 1
            miss = max(targets[0, n] - rate_after, rate_after - targets[1, n], 0.0)
            worst = max(worst, miss)
            squares += miss * miss
        too_much = max(genomes[genome, last] + slopes[feature, slopes.shape[1] - 1], 0.0)
        misses[0, c] = worst + too_much
        misses[1, c] = np.sqrt(squares) + too_much
