"""Decomposition of win rates into a transitive and a cyclic part, without noise."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.metagame.cyclicity import cyclicity_of
from balance.statistics.intervals import resampled_rates
from tests.balance.coins import coin_counts

N_SEEDS = 4000


def payoff_of(logits):
    return 1 / (1 + np.exp(-np.asarray(logits))) - 0.5


def played(logits, seed=0, n_seeds=1000):
    """Return simulated win rates of coins with given log-odds, shape [M, S]."""
    return coin_counts(payoff_of(logits), n_seeds, seed).rates_by_seed(0)


def parted(by_seed, n, n_resamples=100):
    resampled = resampled_rates(by_seed, n_resamples, np.random.default_rng(1))
    return cyclicity_of(by_seed, resampled, [*combinations(range(n), 2)], n_players=n)


def without_noise(rates, n):
    """Every seed brings exactly the win rate."""
    return parted(np.repeat(rates[:, np.newaxis], N_SEEDS, axis=1), n, n_resamples=2)


def without_luck(logits):
    n = len(logits)
    return without_noise(0.5 + payoff_of(logits)[np.triu_indices(n, 1)], n)


def ordered(ratings):
    ratings = np.asarray(ratings, dtype=float)
    return ratings[:, np.newaxis] - ratings


@given(st.integers(3, 6), st.integers(0, 2**32))
def test_the_share_is_that_of_the_squares(n, seed):
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=n)
    around = np.triu(rng.normal(size=(n, n)), 1)
    around -= around.T
    circles = around - ordered(around.mean(axis=1))
    share = (circles**2).sum() / ((circles**2).sum() + (ordered(ratings) ** 2).sum())
    found = without_luck(0.1 * (circles + ordered(ratings)))
    assert float(found.share.estimate) == pytest.approx(share, abs=1e-3)


def test_a_rating_difference_of_100_is_a_win_rate_of_64_percent():
    odds = np.log(10) / 4  # 100 points: 64 % against the other
    top, bottom = without_luck(ordered([odds, 0])).ratings.estimate
    assert top - bottom == pytest.approx(100, rel=1e-3)
    assert payoff_of(odds) == pytest.approx(0.14, abs=1e-3)


def test_two_decks_make_no_circle():
    assert [float(bound) for bound in parted(played(ordered([0.2, 0])), 2).share] == [0, 0, 0]


def test_noise_does_not_count_as_cyclic():
    games = [played(ordered([0.06, 0.02, -0.03, -0.05]), seed) for seed in range(40)]
    # Without what single seeds bring, nothing says how much is luck.
    raw = np.mean([without_noise(one.mean(axis=1), 4).share.estimate for one in games])
    found = [parted(by_seed, 4).share for by_seed in games]
    assert raw > 0.1
    assert np.mean([share.estimate for share in found]) < raw / 2
    assert np.mean([share.low == 0 for share in found]) > 0.9


def test_the_interval_holds_the_true_share():
    truth = 0.3 * np.array([[0, 1, -1, 1], [-1, 0, 1, 1], [1, -1, 0, 1], [-1, -1, -1, 0]])
    share = 1 - 4 * (truth.mean(axis=1) ** 2).sum() / ((truth**2).sum() / 2)
    found = [parted(played(truth, seed, n_seeds=500), 4).share for seed in range(60)]
    assert 0 < share < 1
    assert np.mean([one.low <= share <= one.high for one in found]) > 0.85


def test_of_pure_noise_the_cyclic_share_is_unknown():
    found = [parted(played(np.zeros((4, 4)), seed, n_seeds=200), 4).share for seed in range(20)]
    assert np.mean([share.low for share in found]) < 0.05
    assert np.mean([share.high for share in found]) > 0.95
