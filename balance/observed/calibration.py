"""Fit of a family of agents to observed win rates.

The observed rate x of a pair is modelled as 50 % + b (s(q) - 50 %): s is the win rate between
agents with the parameters q in games on fixed seeds, and the factor b between 0 and 1 moves rates
towards 50 %, since simulated rates usually lie too far apart. The parameters have a normal prior
with mean 0 and standard deviation 1. A search over random points is followed by Gauss-Newton steps
with derivatives from games on the same seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc

from balance.observed.rate_pairs import RatePairs
from balance.search.model.linear_algebra import factor as cholesky
from balance.search.model.linear_algebra import solve
from balance.statistics.arithmetic import ordered_sum, weighted_sum
from balance.statistics.intervals import Flags, Floats, Positions
from sim.seeds import generator

PURPOSE = "calibrate/points"  # name of the random stream of the first points
N_STEPS_MAX = 6
"""Maximum number of Gauss-Newton steps; on planted truths, fewer than five were needed."""
_PROBE = 0.5  # distance of the two points behind a derivative from the point between them
_STEP_MAX = 0.7  # maximum change of a parameter in a step: beyond it, rates are not linear
_ENOUGH = 0.02  # changes of all parameters below which the steps end; far below their errors
MISFIT = 0.01
"""Probability of a worse fit by chance below which no agent of the family plays like the table."""
UNKNOWN = 0.8
"""Share of the prior's standard deviation above which the data say little about a parameter."""

Simulate = Callable[[Floats, int], Floats]
"""Function of points, shape [P, Q], and a number of games per pair.

It returns the win rates of the first players, shape [P, K], in games on fixed seeds.
"""


@dataclass(frozen=True)
class ObservedRates:
    """Observed win rates of ``K`` pairs, to which agents are fitted.

    Attributes:
        pairs: positions of both players of each pair, shape [2, K].
        rates: observed win rate of the first player, shape [K].
        variance: variance of each observed rate by games, rounding and bands, shape [K].
    """

    pairs: Positions
    rates: Floats
    variance: Floats

    @classmethod
    def of(cls, pairs: RatePairs) -> ObservedRates:
        """Return the observed rates of pairs."""
        return cls(pairs.pairs, pairs.observed, pairs.observed_variance)


@dataclass(frozen=True)
class Calibration:
    """Fitted parameters of a family of agents.

    Attributes:
        point: parameters, shape [Q].
        errors: standard errors of the parameters, shape [Q].
        factor: factor of the differences from 50 %.
        factor_error: standard error of the factor.
        simulated: win rates between the fitted agents, shape [K].
        fitted: rates that the fit predicts, shape [K].
        held_out: rates predicted by fits without the pairs of one of both players, mean of both,
            shape [K].
        shrunk: rates of the unfitted agents times the slope of the pairs without one of both
            players, mean of both, shape [K].
        misfit: probability of a worse fit by chance, if an agent of the family had played.
        n_points: number of points at which games were played.
    """

    point: Floats
    errors: Floats
    factor: float
    factor_error: float
    simulated: Floats
    fitted: Floats
    held_out: Floats
    shrunk: Floats
    misfit: float
    n_points: int

    @property
    def is_determined(self) -> Flags:
        """Whether the data determine each parameter better than the prior does, shape [Q]."""
        return np.asarray(self.errors < UNKNOWN)


@dataclass(frozen=True)
class Calibrator:
    """Fit of a family of agents to observed rates.

    Attributes:
        observed: observed rates.
        simulate: function of points that returns win rates.
        n_parameters: number of parameters of the family, ``Q``.
        n_games: number of games behind each simulated rate; a quarter of it at the random points.
    """

    observed: ObservedRates
    simulate: Simulate
    n_parameters: int
    n_games: int

    def fit(self, *, n_points: int, run_seed: int) -> Calibration:
        """Return the fit.

        Args:
            n_points: number of random points with which the search begins, besides point 0.
            run_seed: seed of the points.
        """
        rng = generator(run_seed, PURPOSE)
        # Points of the prior, closer to 0 than half of it: most people play nearly alike.
        drawn = 0.7 * rng.standard_normal((n_points, self.n_parameters))
        points = np.concatenate([np.zeros((1, self.n_parameters)), drawn])
        rates = self.simulate(points, max(self.n_games // 8 * 2, 2))
        scores = [self._score(point, own) for point, own in zip(points, rates, strict=True)]
        point = points[int(np.argmin(scores))]
        unfitted, own = self.simulate(np.stack([points[0], point]), self.n_games)
        score = self._score(point, own)
        n_played = len(points) + 2
        slopes = np.zeros((len(own), self.n_parameters))
        for _ in range(N_STEPS_MAX):
            slopes = self._derivatives(point)
            n_played += 2 * self.n_parameters
            step = np.clip(self._step(point, own, slopes), -_STEP_MAX, _STEP_MAX)
            tried = point + step * np.array([[1.0], [0.5], [0.25]])
            results = self.simulate(tried, self.n_games)
            n_played += len(tried)
            found = [self._score(*each) for each in zip(tried, results, strict=True)]
            k = int(np.argmin(found))
            if found[k] >= score:
                break
            has_settled = bool((np.abs(tried[k] - point) < _ENOUGH).all())
            point = tried[k]
            own = results[k]
            score = found[k]
            if has_settled:
                break
        return self._calibration(point, own, slopes, unfitted, n_played)

    def _variance(self, rates: Floats) -> Floats:
        """Return the variance of observed minus simulated rates, shape [K]."""
        simulated = np.clip(rates, 0.02, 0.98)
        return self.observed.variance + simulated * (1 - simulated) / self.n_games

    def _weights(self, rates: Floats, chosen: Flags | None) -> Floats:
        """Return the inverse variances, 0 for pairs that are not chosen, shape [K]."""
        weights = 1 / self._variance(rates)
        return weights if chosen is None else weights * chosen

    def _factor(self, rates: Floats, chosen: Flags | None = None) -> float:
        """Return the best factor of the differences from 50 %, between 0 and 1.

        Args:
            rates: simulated rates, shape [K].
            chosen: pairs to which the factor is fitted; default all.
        """
        weights = self._weights(rates, chosen)
        differences = rates - 0.5
        squares = float(ordered_sum(weights * differences * differences))
        if not squares:
            return 0.0
        products = float(ordered_sum(weights * differences * (self.observed.rates - 0.5)))
        return min(max(products / squares, 0.0), 1.0)

    def _score(self, point: Floats, rates: Floats) -> float:
        """Return the penalised sum of squares of a point: twice its negative log posterior."""
        factor = self._factor(rates)
        residuals = self.observed.rates - 0.5 - factor * (rates - 0.5)
        chi = float(ordered_sum(residuals * residuals / self._variance(rates)))
        return chi + float(ordered_sum(point * point))

    def _derivatives(self, point: Floats) -> Floats:
        """Return the derivatives of the simulated rates, from games on the same seeds, [K, Q]."""
        moves = _PROBE * np.eye(self.n_parameters)
        rates = self.simulate(np.concatenate([point + moves, point - moves]), self.n_games)
        up, down = np.split(rates, 2)
        return np.asarray((up - down).T / (2 * _PROBE))

    def _step(
        self, point: Floats, rates: Floats, slopes: Floats, chosen: Flags | None = None
    ) -> Floats:
        """Return the Gauss-Newton step from a point, shape [Q].

        Args:
            point: point with its simulated rates.
            rates: simulated rates, shape [K].
            slopes: derivatives of the rates, shape [K, Q].
            chosen: pairs to which the parameters are fitted; default all.
        """
        factor = self._factor(rates, chosen)
        weights = self._weights(rates, chosen)
        residuals = self.observed.rates - 0.5 - factor * (rates - 0.5)
        moved = factor * slopes
        information = _information(moved, weights) + np.eye(self.n_parameters)
        gradient = weighted_sum(moved.T, weights * residuals) - point
        return solve(cholesky(information), gradient)

    def _calibration(
        self, point: Floats, rates: Floats, slopes: Floats, unfitted: Floats, n_points: int
    ) -> Calibration:
        """Return the fit at a point, with its errors and the rates of fits without a player."""
        factor = self._factor(rates)
        variance = self._variance(rates)
        fitted = 0.5 + factor * (rates - 0.5)
        residuals = self.observed.rates - fitted
        chi = float(ordered_sum(residuals * residuals / variance))
        freedom = max(len(rates) - self.n_parameters - 1, 1)
        # A family that does not fit makes larger errors than games do.
        dispersion = max(chi / freedom, 1.0)
        moved = np.column_stack([factor * slopes, rates - 0.5])
        # The factor has a prior, too, so that its error is finite if all rates are 50 %.
        information = _information(moved, 1 / (dispersion * variance))
        root = cholesky(information + np.eye(len(information)))
        variances = [solve(root, unit)[k] for k, unit in enumerate(np.eye(len(information)))]
        errors = np.sqrt(np.array(variances))
        held_out, shrunk = self._without_each_player(point, rates, slopes, unfitted)
        return Calibration(
            point=point,
            errors=errors[:-1],
            factor=factor,
            factor_error=float(errors[-1]),
            simulated=rates,
            fitted=fitted,
            held_out=held_out,
            shrunk=shrunk,
            misfit=float(gammaincc(freedom / 2, chi / 2)),  # of the chi-squared distribution
            n_points=n_points,
        )

    def _without_each_player(
        self, point: Floats, rates: Floats, slopes: Floats, unfitted: Floats
    ) -> tuple[Floats, Floats]:
        """Return the rates that fits without one of both players predict, each of shape [K].

        The parameters without a player are those after one Gauss-Newton step from the fit, in which
        the rates are linear.
        """
        held_out = np.zeros(len(rates))
        shrunk = np.zeros(len(rates))
        for player in np.unique(self.observed.pairs).tolist():
            own = (self.observed.pairs == player).any(axis=0)
            step = self._step(point, rates, slopes, ~own)
            moved = rates + weighted_sum(slopes, np.clip(step, -_STEP_MAX, _STEP_MAX))
            factor = self._factor(moved, ~own)
            held_out[own] += (0.5 + factor * (moved[own] - 0.5)) / 2
            slope = self._factor(unfitted, ~own)
            shrunk[own] += (0.5 + slope * (unfitted[own] - 0.5)) / 2
        return np.clip(held_out, 0, 1), shrunk


def _information(derivatives: Floats, weights: Floats) -> Floats:
    """Return the weighted sums of products of derivatives, summed in a fixed order, [Q, Q].

    Args:
        derivatives: derivative of each rate by each parameter, shape [K, Q].
        weights: weight of each rate, shape [K].
    """
    columns = derivatives.T
    return np.array([weighted_sum(columns * column, weights) for column in columns])
