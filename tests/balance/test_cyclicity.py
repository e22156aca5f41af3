"""Win rates in two parts: an order, and circles; and what of the circles is mere luck."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.card_contest import Matchup
from balance.metagame.cyclicity import cyclicity_of
from balance.statistics.intervals import resampled_rates

N_SEEDS = 4000


def pairs_of(n):
    return [Matchup(int(a), int(b)) for a, b in zip(*np.triu_indices(n, 1), strict=True)]


def rates_of(logits):
    a, b = np.triu_indices(len(logits), 1)
    return 1 / (1 + np.exp(-np.asarray(logits)[a, b]))


def played(logits, seed=0, n_seeds=1000):
    """``[M, S]`` win rates of coins with these log odds."""
    rates = rates_of(logits)
    wins = np.random.default_rng(seed).random((len(rates), 2, n_seeds)) < rates[:, None, None]
    return wins.mean(axis=1)


def parted(by_seed, n, n_resamples=100):
    resampled = resampled_rates(by_seed, n_resamples, np.random.default_rng(1))
    return cyclicity_of(by_seed, resampled, pairs_of(n), n_players=n)


def without_luck(logits):
    """Every seed brings exactly the win rate, so that there is no noise."""
    by_seed = np.repeat(rates_of(logits)[:, np.newaxis], N_SEEDS, axis=1)
    return parted(by_seed, len(logits), n_resamples=2)


def ordered(ratings):
    ratings = np.asarray(ratings, dtype=float)
    return ratings[:, np.newaxis] - ratings


@given(st.integers(3, 6), st.integers(0, 2**32))
def test_the_share_is_that_of_the_squares(n, seed):
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=n)
    around = np.triu(rng.normal(size=(n, n)), 1)
    around -= around.T
    mean = around.mean(axis=1)
    circles = around - ordered(mean)
    share = (circles**2).sum() / ((circles**2).sum() + (ordered(ratings) ** 2).sum())
    found = without_luck(0.1 * (circles + ordered(ratings)))
    assert float(found.share.estimate) == pytest.approx(share, abs=1e-3)


def test_a_rating_of_a_hundred_points_is_what_chess_players_mean_by_it():
    odds = np.log(10) / 4  # 100 points: 64 % against the other
    found = without_luck(ordered([odds, 0]))
    top, bottom = found.ratings.estimate
    assert top - bottom == pytest.approx(100, rel=1e-3)
    assert rates_of(ordered([odds, 0]))[0] == pytest.approx(0.64, abs=1e-3)


def test_two_decks_make_no_circle():
    assert [float(bound) for bound in parted(played(ordered([0.2, 0])), 2).share] == [0, 0, 0]


def test_luck_is_not_taken_for_circles():
    truth = ordered([0.06, 0.02, -0.03, -0.05])
    raw, found = [], []
    for seed in range(40):
        by_seed = played(truth, seed)
        # Without what single seeds bring, nothing says how much is luck.
        rates = by_seed.mean(axis=1)
        as_if_sure = np.repeat(rates[:, np.newaxis], 1000, axis=1)
        raw.append(float(parted(as_if_sure, 4, n_resamples=2).share.estimate))
        found.append(parted(by_seed, 4))
    assert np.mean(raw) > 0.1
    assert np.mean([float(one.share.estimate) for one in found]) < np.mean(raw) / 2
    assert np.mean([float(one.share.low) == 0 for one in found]) > 0.9


def test_the_interval_holds_the_true_share():
    truth = 0.3 * np.array([[0, 1, -1, 1], [-1, 0, 1, 1], [1, -1, 0, 1], [-1, -1, -1, 0]])
    share = 1 - 4 * (truth.mean(axis=1) ** 2).sum() / ((truth**2).sum() / 2)
    held = []
    for seed in range(60):
        found = parted(played(truth, seed, n_seeds=500), 4).share
        held.append(found.low <= share <= found.high)
    assert 0 < share < 1
    assert np.mean(held) > 0.85


def test_of_mere_luck_the_share_is_unknown():
    low, high = [], []
    for seed in range(20):
        found = parted(played(np.zeros((4, 4)), seed, n_seeds=200), 4).share
        low.append(float(found.low))
        high.append(float(found.high))
    assert np.mean(low) < 0.05
    assert np.mean(high) > 0.95
