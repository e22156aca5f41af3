"""The response model: what edits do to each matchup and to the first seat's lead, and how sure.

Every response is today's, the slopes of all edits, and what pairs of steps do beyond those: each
has a normal prior, so what was played tells means and errors of everything at once (a Gaussian
process whose linear part a design has told already).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from balance.model.design import Baseline
from balance.model.features import pairs_of, pairs_shared, with_level
from balance.model.linear_algebra import explained, factor, on_coarse_grid, on_grid, product, solve
from balance.model.slopes import Slopes
from balance.statistics.arithmetic import logit, natural_log, ordered_sum, rate, steepness
from balance.statistics.intervals import Counts, Flags, Floats, Positions

# How large a pair's variance may be, as shares of a slope's; the likeliest is taken.
_PAIR_SHARES = (0.0003, 0.001, 0.003, 0.01, 0.03)


@dataclass(frozen=True)
class Played:
    """What ``n`` genomes came to: responses, or differences from those of a centre.

    Attributes:
        features: ``[n, F]`` of what was played.
        centre: ``[n, F]`` of what it is compared with; today's, all 0, for a response by itself.
        is_level: ``[n]`` 1 for a response by itself, 0 for a difference.
        value: ``[n, M + 1]`` responses, or differences.
        variance: ``[n, M + 1]`` of their errors; no number where a response was not played.
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
        """Responses by themselves.

        Args:
            baseline: today's.
            features: ``[n, F]``.
            rates: ``[n, M]`` win rates.
            growth: ``[n]`` of the first seat's lead.
            n_games: ``[n]`` per matchup.
        """
        lead_luck = np.full(len(rates), baseline.lead_luck)
        luck = np.column_stack([baseline.luck / steepness(rates), lead_luck])
        value = np.column_stack([logit(rates), growth])
        nothing = np.zeros_like(features)
        is_level = np.ones(len(features))
        return cls(features, nothing, is_level, value, luck / n_games[:, np.newaxis])

    @cached_property
    def known(self) -> Floats:
        """``[n, F + 1]`` what the slopes are told of: the level, and the steps from the centre."""
        return np.column_stack([self.is_level, self.features - self.centre])

    @cached_property
    def _centres(self) -> tuple[Floats, Positions]:
        """``[C, F]`` the different centres, and ``[n]`` which of them each has."""
        centres, which = np.unique(self.centre, axis=0, return_inverse=True)
        return centres, which.ravel()

    def take(self, some: Flags | Positions) -> Played:
        """Some of the genomes."""
        return Played(*(getattr(self, one.name)[some] for one in fields(self)))

    def joined(self, more: Played) -> Played:
        """These genomes and more."""
        pairs = ([getattr(played, one.name) for played in (self, more)] for one in fields(self))
        return Played(*map(np.concatenate, pairs))

    def pairs_with(self, features: Floats) -> Floats:
        """``[B, n]`` pairs of steps shared with ``[B, F]``, less those that the centre shares."""
        centres, which = self._centres
        return pairs_shared(features, self.features) - pairs_shared(features, centres)[:, which]


@dataclass(frozen=True)
class _Fit:
    """One response's posterior: what predictions need.

    Attributes:
        prior: its slopes before.
        rows: ``[n]`` what was played of it.
        shared: ``[F + 1, n]`` covariance of the level and the slopes with that.
        pair_variance: of a pair's effect.
        upper: ``[n, n]`` factor of what was played's covariance.
        weights: ``[n]`` of what was played, in a mean.
        mean: ``[F + 1]`` the level, then the slopes, now.
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
    """A fitted model; predictions are ``[B, M + 1]``.

    Attributes:
        baseline: today's.
        played: what it was fitted to.
        fits: what fitting found, of each response; of growth, beyond what win rates bring.
    """

    baseline: Baseline
    played: Played
    fits: tuple[_Fit, ...]

    @classmethod
    def fit(cls, baseline: Baseline, priors: tuple[Slopes, ...], played: Played) -> Response:
        """The posterior of all responses."""
        *matchups, growth = priors
        pairs = played.pairs_with(played.features) - played.pairs_with(played.centre)
        fits = tuple(_fit(prior, played, pairs, m) for m, prior in enumerate(matchups))
        rates_alone = cls(baseline, played, fits)
        told = rates_alone.growth_by_rates(played.features)
        told -= np.where(played.is_level, 0.0, rates_alone.growth_by_rates(played.centre))
        beyond = played.value - np.eye(1, len(priors), len(matchups)) * told[:, np.newaxis]
        rest = _fit(growth, replace(played, value=beyond), pairs, len(matchups))
        return cls(baseline, played, (*fits, rest))

    def growth_by_rates(self, features: Floats) -> Floats:
        """``[B]`` growth of the lead that the expected win rates of ``[B, F]`` features bring."""
        n_matchups = len(self.baseline.logits)
        return self.baseline.growth_by_rates(rate(self._expected(features)[:, :n_matchups]))

    @property
    def slopes(self) -> Floats:
        """``[F, M + 1]`` what one more step does, pairs apart."""
        return np.stack([fit.mean[1:] for fit in self.fits], axis=1)

    def mean(self, features: Floats) -> Floats:
        """``[B, M + 1]`` expected responses of ``[B, F]`` features."""
        found = self._expected(features)
        found[:, -1] += self.baseline.growth_by_rates(rate(found[:, :-1]))
        return found

    def _expected(self, features: Floats) -> Floats:
        """``[B, ...]`` what each fit expects."""
        found = product(with_level(features), np.stack([fit.mean for fit in self.fits], axis=1))
        by_pairs = product(self.played.pairs_with(features), self._weights)
        return np.asarray(found + by_pairs * [fit.pair_variance for fit in self.fits])

    @cached_property
    def _weights(self) -> Floats:
        """``[n, ...]`` of all that was played, 0 where a response was not."""
        weights = np.zeros((len(self.played.features), len(self.fits)))
        for m, fit in enumerate(self.fits):
            weights[fit.rows, m] = fit.weights
        return weights

    def error(self, features: Floats) -> Floats:
        """``[B, M + 1]`` standard errors of `mean`."""
        pairs = self.played.pairs_with(features)
        own = pairs_of(features)
        here = csr_array(with_level(features))  # few numbers of a genome move
        found = np.zeros((len(features), len(self.fits)))
        for m, fit in enumerate(self.fits):
            scaled = product(here, np.ascontiguousarray(fit.prior.root.T))
            shared = product(here, fit.shared) + fit.pair_variance * pairs[:, fit.rows]
            whole = (scaled * scaled).sum(axis=1) + fit.pair_variance * own
            found[:, m] = np.sqrt(np.maximum(whole - explained(fit.upper, shared), 1e-9))
        return found


def _fit(prior: Slopes, played: Played, pairs: Floats, m: int) -> _Fit:
    """The posterior of a response, with the share of pairs that makes what was played likeliest."""
    rows = np.flatnonzero(~np.isnan(played.variance[:, m]))
    scaled = product(played.known[rows], prior.root.T)
    certain = product(scaled, scaled.T) + np.diag(played.variance[rows, m])
    rest = played.value[rows, m] - product(played.known[rows], prior.mean)
    pairs = pairs[np.ix_(rows, rows)]
    fits = []
    for share in _PAIR_SHARES:
        upper = factor(certain + share * prior.spread * pairs)
        weights = solve(upper, rest)
        fitted = ordered_sum(rest * weights)
        size = ordered_sum(natural_log(np.diag(upper)))
        likelihood = float(-fitted / 2 - size)
        fits.append((likelihood, -share, upper, weights))
    _, share, upper, weights = max(fits, key=lambda fit: fit[:2])
    weights = on_coarse_grid(weights)
    learned = on_coarse_grid(product(scaled.T, weights))
    mean = on_grid(prior.mean + product(prior.root.T, learned))
    shared = product(prior.root.T, scaled.T)
    return _Fit(prior, rows, shared, -share * prior.spread, upper, weights, mean)
