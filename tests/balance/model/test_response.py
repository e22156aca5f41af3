"""Surrogate against a textbook Gaussian process, and slopes against known ones."""

from dataclasses import replace

import numpy as np
import pytest

from balance.search.model.design import N_GAMES, Baseline, Sample
from balance.search.model.features import Features, pairs_shared, with_level
from balance.search.model.linear_algebra import on_grid
from balance.search.model.response import Played, Response
from balance.search.model.slopes import (
    Slopes,
    growth_slopes,
    matchup_slopes,
    slopes_of,
    sums_of,
)
from balance.search.model.strengths import Regression
from balance.statistics.arithmetic import logit, rate
from tests.balance.contests import free_space

SPACE = free_space([-2] * 6, [2] * 6)
FEATURES = Features.of(SPACE)
F = len(FEATURES)
RNG = np.random.default_rng(3)


def baseline_of(*logits: float, lead: float = 0.1) -> Baseline:
    return Baseline(
        logits=np.array(logits),
        variance=np.full(len(logits), 1e-4),
        luck=np.full(len(logits), 0.8),
        lead=lead,
        side=1,
        lead_variance=1e-5,
        lead_luck=0.1,
        guards=({"median_turns": np.full(1, 10.0)},),
    )


EVEN = baseline_of(0.0, lead=0.0)


def prior_of(spread: float = 0.04) -> Slopes:
    covariance_root = np.diag(np.sqrt(RNG.uniform(0.001, spread, F + 1)))
    return Slopes(on_grid(RNG.normal(0, 0.2, F + 1)), on_grid(covariance_root), spread)


def genomes_of(n: int) -> np.ndarray:
    return RNG.integers(-1, 3, (n, 6)).astype(np.int16)


def plain(prior: Slopes, played: Played, new: np.ndarray, share: float) -> tuple:
    """Return mean and error of a Gaussian process with the mean of the slopes, by the textbook."""
    phi = played.known
    phi_new = np.column_stack([np.ones(len(new)), new])
    covariance = prior.root.T @ prior.root

    def pairs(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return share * prior.spread * pairs_shared(one, other)

    def between(one: np.ndarray) -> np.ndarray:  # of genomes and of differences
        return pairs(one, played.features) - pairs(one, played.centre)

    known = phi @ covariance @ phi.T + between(played.features) - between(played.centre)
    known += np.diag(played.variance[:, 0])
    cross = phi_new @ covariance @ phi.T + between(new)
    own = np.einsum("bi,ij,bj->b", phi_new, covariance, phi_new) + np.diag(pairs(new, new))
    solved = np.linalg.solve(known, cross.T)
    mean = phi_new @ prior.mean + solved.T @ (played.value[:, 0] - phi @ prior.mean)
    return mean, np.sqrt(own - np.einsum("bn,nb->b", cross, solved))


@pytest.mark.parametrize("n", [0, 20])
def test_predictions_are_those_of_a_gaussian_process(
    n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.search.model.response._PAIR_SHARES", (0.05,))
    prior = prior_of()
    features = FEATURES.read(genomes_of(n))
    centre = np.where(np.arange(n)[:, np.newaxis] < 8, 0.0, FEATURES.read(genomes_of(1)))
    is_level = (np.arange(n) < 8).astype(float)
    value = RNG.normal(0, 0.3, n)
    variance = RNG.uniform(0.001, 0.01, n)
    value = np.column_stack([value] * 2)
    variance = np.column_stack([variance] * 2)
    played = Played(features, centre, is_level, value, variance)
    model = Response.fit(EVEN, (prior, prior), played)
    new = FEATURES.read(genomes_of(9))
    mean, error = plain(prior, played, new, 0.05)
    for response in (0, 1):  # a rate and the lead, of which rates bring nothing here
        np.testing.assert_allclose(model.mean(new)[:, response], mean, atol=2e-4)
        np.testing.assert_allclose(model.error(new)[:, response], error, atol=2e-4)


def test_the_likeliest_share_of_pairs_is_taken() -> None:
    prior = prior_of()
    new = FEATURES.read(genomes_of(300))
    line = np.column_stack([np.ones(300), new]) @ prior.mean
    for pair, is_more in ((0.0, False), (0.05, True)):
        products = np.einsum("bi,bj,ij->b", new, new, np.triu(RNG.normal(0, pair, (F, F)), 1))
        value = np.column_stack([line + products + RNG.normal(0, 0.03, 300)] * 2)
        played = Played(new, 0 * new, np.ones(300), value, np.full((300, 2), 1e-3))
        fit = Response.fit(EVEN, (prior, prior), played).fits[0]
        assert (fit.pair_variance > 0.0003 * prior.spread * 1.01) == is_more


def test_a_lead_grows_as_matchups_become_even() -> None:
    """The advantage of a seat is a constant number of log-odds in every matchup."""
    worth = 0.3
    logits = np.array([1.2, -0.4])

    def lead(at: np.ndarray) -> float:
        return float(np.mean((rate(at + worth) - rate(at - worth)) / 2))

    baseline = baseline_of(*logits, lead=lead(logits))
    for share in (0.0, 0.5, 1.0, 1.5):
        growth = baseline.growth_by_rates(rate(share * logits)[np.newaxis])
        np.testing.assert_allclose(growth, lead(share * logits) - lead(logits), atol=2e-3)


# --- slopes ---

SIDES = np.array([[1.0, -1, 0], [1, 0, -1], [0, 1, -1]])


def regression_of(holds: np.ndarray) -> Regression:
    return Regression(
        sides=SIDES,
        holds=holds,
        reaches=(holds[:, np.newaxis] & (SIDES != 0)).any(axis=2),
        group=np.zeros(F, dtype=np.int64),
        baseline=baseline_of(0.4, -0.2, 0.1),
        leaders=(None,) * len(SIDES),
    )


@pytest.mark.parametrize("n", [200, 4000])
def test_slopes_are_estimated_within_their_standard_errors(n: int) -> None:
    holds = RNG.random((F, 3)) < 0.6
    regression = regression_of(holds)
    strengths = holds * RNG.normal(0, 0.15, (F, 3))
    own = RNG.normal(0, 0.05, (F, 3)) * regression.reaches
    slopes = strengths @ SIDES.T * regression.reaches + own
    features = (RNG.random((n, F)) < 0.3).astype(float)
    chances = rate(regression.baseline.logits + features @ slopes)
    rates = RNG.binomial(int(N_GAMES / 0.8), chances) / int(N_GAMES / 0.8)
    by_rates = regression.baseline.growth_by_rates(chances)
    sample = Sample(features, rates, by_rates + features @ (growth := RNG.normal(0, 0.01, F)))
    found = matchup_slopes(sample, regression)
    z = []
    for m, one in enumerate(found):
        assert not one.mean[1:][~regression.reaches[:, m]].any()
        reached = np.flatnonzero(regression.reaches[:, m]) + 1
        errors = np.sqrt((one.root**2).sum(axis=0))[reached]
        z.append((one.mean[reached] - np.append(0, slopes[:, m])[reached]) / errors)
    assert 0.6 < np.sqrt(np.mean(np.concatenate(z) ** 2)) < 1.5
    if n > 1000:
        np.testing.assert_allclose([one.mean[0] for one in found], [0.4, -0.2, 0.1], atol=0.03)
    estimated = growth_slopes(sample, regression.baseline, found).mean[1:]
    assert np.corrcoef(estimated, growth)[0, 1] > 0.9


def test_a_matchup_with_little_to_say_leans_on_the_others() -> None:
    holds = np.ones((F, 3), dtype=bool)
    holds[:, 1:] = False  # every feature is the first player's, in two matchups
    regression = regression_of(holds)
    strength = RNG.normal(0, 0.2, F)
    features = (RNG.random((600, F)) < 0.3).astype(float)
    levels = regression.baseline.logits
    rates = np.column_stack([rate(level + features @ strength) for level in levels])
    rates[:, 1] = RNG.binomial(10, rates[:, 1]) / 10
    found = matchup_slopes(Sample(features, rates, np.zeros(600)), regression)
    alone = logit(rates[:, 1]) - levels[1]
    fitted = np.linalg.lstsq(features, alone, rcond=None)[0]
    assert np.std(found[1].mean[1:] - strength) < 0.85 * np.std(fitted - strength)


def test_a_matchup_with_a_leader_needs_few_games_of_its_own() -> None:
    """A dear pilot's slopes are the cheap pilot's with small differences."""
    holds = np.ones((F, 2), dtype=bool)
    sides = np.array([[1.0, -1.0], [1.0, -1.0]])
    baseline = replace(
        baseline_of(0.4, 0.1), luck=np.array([0.05, 0.8]), variance=np.array([1e-5, 1e-4])
    )
    slopes = RNG.normal(0, 0.15, F)
    apart = slopes + RNG.normal(0, 0.02, F)
    features = (RNG.random((400, F)) < 0.3).astype(float)
    chances = np.column_stack([rate(0.4 + features @ slopes), rate(0.1 + features @ apart)])
    rates = np.column_stack(
        [RNG.binomial(n, chance) / n for n, chance in zip((160, 10), chances.T, strict=True)]
    )
    sample = Sample(features, rates, np.zeros(400))
    errors = []
    for leaders in ((None, 0), (None, None)):
        regression = Regression(
            sides, holds, np.ones((F, 2), bool), np.zeros(F, np.int64), baseline, leaders
        )
        found = slopes_of(sample, regression)
        sums = sums_of([one.mean for one in found], found)
        errors.append(np.std(sums[1:, 1] - apart))
        np.testing.assert_allclose(sums[0, :2], [0.4, 0.1], atol=0.05)
    led, alone = errors
    assert led < 0.7 * alone


def test_predictions_add_the_difference_to_the_leader() -> None:
    """The surrogate predicts a led response as its leader's plus a difference, errors alike."""
    baseline = baseline_of(0.0, 0.0, lead=0.0)
    lead = prior_of()
    difference = replace(prior_of(spread=0.001), leader=0)
    growth = prior_of()
    genomes = genomes_of(60)
    features = FEATURES.read(genomes)
    truth = np.column_stack([with_level(features) @ lead.mean] * 2)
    truth[:, 1] += with_level(features) @ difference.mean
    played = Played(
        features,
        np.zeros_like(features),
        np.ones(60),
        np.column_stack([truth, np.zeros(60)]),
        np.full((60, 3), 1e-6),
    )
    model = Response.fit(baseline, (lead, difference, growth), played)
    np.testing.assert_allclose(model.mean(features)[:, :2], truth, atol=0.02)
    new = FEATURES.read(genomes_of(20))
    np.testing.assert_allclose(
        model.linear[:, 1], model.fits[0].mean + model.fits[1].mean, atol=1e-12
    )
    errors = model.error(new)
    assert (errors[:, 1] >= errors[:, 0]).all()
