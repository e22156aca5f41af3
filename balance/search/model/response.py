"""Surrogate of the games: effect of edits on each win rate and on the first seat's lead.

Each response is a Gaussian process: the baseline level, plus the slopes of all edits, plus the
effects of pairs of steps. All effects have normal priors, so every prediction has a mean and a
standard error given all games played so far. The prior of the slopes is their posterior after the
design (`slopes`).

Reference: C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning" (2006),
2.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from balance.search.model.design import Baseline
from balance.search.model.features import pairs_of, pairs_shared, with_level
from balance.search.model.linear_algebra import (
    explained_variance,
    factor,
    on_coarse_grid,
    on_grid,
    product,
    solve,
)
from balance.search.model.slopes import Slopes, sums_of
from balance.statistics.arithmetic import logit, natural_log, ordered_sum, rate, steepness
from balance.statistics.intervals import Counts, Flags, Floats, Positions

# Permitted variances of a pair's effect, as shares of a slope's mean square; the fit uses the share
# with the largest marginal likelihood. Values below 0.01 are needed: with a minimum of 0.01, sums
# of fifteen edits had errors of 3 points and no genome seemed feasible (decision 0012).
_PAIR_SHARES = (0.0003, 0.001, 0.003, 0.01, 0.03)
# Minimum variance of a prediction: rounding may make a difference of nearly equal numbers negative.
_LEAST_VARIANCE = 1e-9


@dataclass(frozen=True)
class Played:
    """Results of ``n`` genomes: responses, or differences from the responses of a centre.

    Attributes:
        features: features of the genomes, shape [n, F].
        centre: features of the centre that each genome is compared with, shape [n, F]; all 0 if the
            value of the genome is a response.
        is_level: 1 if the value of the genome is a response, 0 if it is a difference, shape [n].
        value: responses or differences, shape [n, M + 1].
        variance: variances of the errors of `value`, shape [n, M + 1]; NaN if the response was not
            played.
    """

    features: Floats
    centre: Floats
    is_level: Floats
    value: Floats
    variance: Floats

    @classmethod
    def of(
        cls, baseline: Baseline, features: Floats, rates: Floats, growth: Floats, n_games: Counts
    ) -> Played:
        """Return results that are responses, from the win rates of genomes.

        Args:
            baseline: readings of the unchanged game, from which the variance of a game is taken.
            features: features of the genomes, shape [n, F].
            rates: win rates, shape [n, M].
            growth: growth of the first seat's lead, as a share of games, shape [n].
            n_games: number of games of each genome per matchup, shape [n].
        """
        lead_noise = np.full(len(rates), baseline.lead_luck)
        noise = np.column_stack([baseline.luck / steepness(rates), lead_noise])
        value = np.column_stack([logit(rates), growth])
        no_centre = np.zeros_like(features)
        is_level = np.ones(len(features))
        return cls(features, no_centre, is_level, value, noise / n_games[:, np.newaxis])

    @cached_property
    def known(self) -> Floats:
        """Regressors of the linear part, shape [n, F + 1].

        The first column is `is_level`, the others are the steps from the centre.
        """
        return np.column_stack([self.is_level, self.features - self.centre])

    @cached_property
    def _centres(self) -> tuple[Floats, Positions]:
        """Distinct centres of the genomes, and the position of each genome's centre among them.

        Returns:
            Features of the centres, shape [C, F], and positions, shape [n].
        """
        centres, which = np.unique(self.centre, axis=0, return_inverse=True)
        return centres, which.ravel()

    def take(self, chosen: Flags | Positions) -> Played:
        """Return the results of selected genomes.

        Args:
            chosen: flags, shape [n], or positions of the selected genomes.
        """
        return Played(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def less(self, predicted: Floats, m: int) -> Played:
        """Return these results with a prediction subtracted from one response.

        Args:
            predicted: predicted value of each result, shape [n].
            m: position of the response.
        """
        value = self.value.copy()
        value[:, m] -= predicted
        return replace(self, value=value)

    def append(self, added: Played) -> Played:
        """Return these results followed by the added ones."""
        pairs = (
            [getattr(played, field.name) for played in (self, added)] for field in fields(self)
        )
        return Played(*map(np.concatenate, pairs))

    def pairs_with(self, features: Floats) -> Floats:
        """Return the numbers of pairs of steps that other genomes share with these, shape [B, n].

        The number of pairs shared with the centre of each of these genomes is subtracted.

        Args:
            features: features of the other genomes, shape [B, F].
        """
        centres, which = self._centres
        return pairs_shared(features, self.features) - pairs_shared(features, centres)[:, which]


@dataclass(frozen=True)
class _Fit:
    """Posterior of one response, with the matrices that predictions need.

    Attributes:
        prior: prior of level and slopes, without the results.
        rows: positions of the results that include this response, shape [n].
        shared: prior covariance of level and slopes with the results, shape [F + 1, n].
        pair_variance: variance of a pair's effect.
        upper: Cholesky factor of the covariance of the results, shape [n, n].
        weights: weights of the results in a predicted mean, shape [n].
        mean: posterior mean of level and slopes, shape [F + 1].
    """

    prior: Slopes
    rows: Positions
    shared: Floats
    pair_variance: float
    upper: Floats
    weights: Floats
    mean: Floats


@dataclass(frozen=True)
class Response:
    """Surrogate of the games: predicts the responses of genomes, with standard errors.

    Attributes:
        baseline: readings of the unchanged game.
        played: results to which the surrogate is fitted.
        fits: posterior of each response. The last response is the part of the lead's growth that
            win rates do not explain.
    """

    baseline: Baseline
    played: Played
    fits: tuple[_Fit, ...]

    @classmethod
    def fit(cls, baseline: Baseline, priors: tuple[Slopes, ...], played: Played) -> Response:
        """Return the surrogate with the posterior of all responses.

        Args:
            baseline: readings of the unchanged game.
            priors: priors of the slopes of the M matchups, then of the lead's growth.
            played: results to which the surrogate is fitted.
        """
        *matchups, growth = priors
        pairs = played.pairs_with(played.features) - played.pairs_with(played.centre)
        fits = list[_Fit]()
        predicted = dict[int, Floats]()  # values of the results by the responses that lead others
        leading = {prior.leader for prior in matchups}
        for m, prior in enumerate(matchups):
            lead = np.zeros(len(played.features))
            if prior.leader is not None:
                lead = predicted[prior.leader]
            fit = _fit_response(prior, played.less(lead, m), pairs, m)
            fits.append(fit)
            if m in leading:
                by_pairs = product(pairs[:, fit.rows], fit.weights)
                predicted[m] = lead + product(played.known, fit.mean) + fit.pair_variance * by_pairs
        # The lead's growth is fitted last: the part that follows from win rates is subtracted, and
        # it depends on the fits of the matchups.
        rates_alone = cls(baseline, played, tuple(fits))
        by_rates = rates_alone.growth_by_rates(played.features)
        by_rates -= np.where(played.is_level, 0.0, rates_alone.growth_by_rates(played.centre))
        beyond = played.less(by_rates, len(matchups))
        growth_fit = _fit_response(growth, beyond, pairs, len(matchups))
        return cls(baseline, played, (*fits, growth_fit))

    def growth_by_rates(self, features: Floats) -> Floats:
        """Return the growth of the lead that follows from predicted win rates alone, shape [B].

        Args:
            features: features of the genomes, shape [B, F].
        """
        n_matchups = len(self.baseline.logits)
        return self.baseline.growth_by_rates(rate(self._predict_fits(features)[:, :n_matchups]))

    @property
    def slopes(self) -> Floats:
        """Posterior mean effect of one step on each response, without pairs, shape [F, M + 1]."""
        return self.linear[1:]

    @cached_property
    def linear(self) -> Floats:
        """Posterior means of the levels, then of the slopes of all responses, [F + 1, M + 1]."""
        return self._with_leaders([fit.mean for fit in self.fits])

    def _with_leaders(self, values: Sequence[Floats]) -> Floats:
        """Return values of all responses, to which those of leaders are added, [..., M + 1].

        Args:
            values: value of each fit, each of shape [...].
        """
        return sums_of(values, [fit.prior for fit in self.fits])

    def mean(self, features: Floats) -> Floats:
        """Return the predicted responses of genomes, shape [B, M + 1].

        They are the log-odds of the win rates, and the growth of the lead as a share of games.

        Args:
            features: features of the genomes, shape [B, F].
        """
        means = self._predict_fits(features)
        means[:, -1] += self.baseline.growth_by_rates(rate(means[:, :-1]))
        return means

    def _predict_fits(self, features: Floats) -> Floats:
        """Return the mean of each fit, shape [B, M + 1].

        The lead's growth lacks the part that follows from win rates.

        Args:
            features: features of the genomes, shape [B, F].
        """
        linear = product(with_level(features), self.linear)
        by_pairs = product(self.played.pairs_with(features), self._weights)
        by_pairs *= [fit.pair_variance for fit in self.fits]
        return np.asarray(linear + self._with_leaders([*by_pairs.T]))

    @cached_property
    def _weights(self) -> Floats:
        """Weights of all results in each fit's mean, shape [n, M + 1].

        The weight is 0 if the response was not played.
        """
        weights = np.zeros((len(self.played.features), len(self.fits)))
        for m, fit in enumerate(self.fits):
            weights[fit.rows, m] = fit.weights
        return weights

    def error(self, features: Floats) -> Floats:
        """Return the standard errors of the predictions of `mean`, shape [B, M + 1].

        The variance of a prediction is k(x, x) - k(x, X) K^-1 k(X, x): its prior variance less the
        part that the data explain.

        Args:
            features: features of the genomes, shape [B, F].
        """
        pairs = self.played.pairs_with(features)
        own = pairs_of(features)
        regressors = csr_array(with_level(features))  # sparse, since a genome has few edits
        errors = np.zeros((len(features), len(self.fits)))
        for m, fit in enumerate(self.fits):
            scaled = product(regressors, np.ascontiguousarray(fit.prior.root.T))
            shared = product(regressors, fit.shared) + fit.pair_variance * pairs[:, fit.rows]
            prior_variance = (scaled * scaled).sum(axis=1) + fit.pair_variance * own
            variance = prior_variance - explained_variance(fit.upper, shared)
            variance = np.maximum(variance, _LEAST_VARIANCE)
            if fit.prior.leader is not None:  # the errors of leader and difference are independent
                variance = variance + errors[:, fit.prior.leader] ** 2
            errors[:, m] = np.sqrt(variance)
        return errors


def _fit_response(prior: Slopes, played: Played, pairs: Floats, m: int) -> _Fit:
    """Return the posterior of one response, with the pair variance of the largest likelihood.

    The logarithm of the marginal likelihood is -y'K^-1 y / 2 - log|K| / 2, up to a constant.

    Args:
        prior: prior of level and slopes, without the results.
        played: results of all responses; those with a NaN variance for this response are left out.
        pairs: numbers of pairs of steps that each two results share, shape [n, n].
        m: position of the response.
    """
    rows = np.flatnonzero(~np.isnan(played.variance[:, m]))
    scaled = product(played.known[rows], prior.root.T)
    covariance = product(scaled, scaled.T) + np.diag(played.variance[rows, m])
    residual = played.value[rows, m] - product(played.known[rows], prior.mean)
    pairs = pairs[np.ix_(rows, rows)]
    fits = []
    for share in _PAIR_SHARES:
        upper = factor(covariance + share * prior.spread * pairs)
        weights = solve(upper, residual)
        data_fit = ordered_sum(residual * weights)
        half_log_determinant = ordered_sum(natural_log(np.diag(upper)))
        likelihood = float(-data_fit / 2 - half_log_determinant)
        # The minus sign makes `max` choose the smaller share if likelihoods are equal.
        fits.append((likelihood, -share, upper, weights))
    _, share, upper, weights = max(fits, key=lambda fit: fit[:2])
    weights = on_coarse_grid(weights)
    learned = on_coarse_grid(product(scaled.T, weights))
    mean = on_grid(prior.mean + product(prior.root.T, learned))
    shared = product(prior.root.T, scaled.T)
    return _Fit(prior, rows, shared, -share * prior.spread, upper, weights, mean)
