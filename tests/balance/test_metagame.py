"""Metagame of decks: equilibrium, intervals and ratings from their games."""

from __future__ import annotations

import numpy as np
import pytest

from balance.cards.card_contest import play_matchups
from balance.metagame.metagame import average_equilibrium, metagame_of
from tests.balance.coins import coin_counts, players_named
from tests.balance.contests import THREE, counts_by_seed

CIRCLE = 0.1 * np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])


@pytest.fixture(scope="module")
def three():
    counts = play_matchups(THREE, THREE.table, n_games=1000, run_seed=3, purpose="matchups")
    return counts, metagame_of(THREE, counts, counts, run_seed=3, n_resamples=60)


def test_win_rates_are_those_of_both_sides_and_a_mirror_is_even(three):
    counts, metagame = three
    rates = metagame.win_rates
    np.testing.assert_allclose(rates.estimate + rates.estimate.T, 1, atol=1e-15)
    np.testing.assert_allclose(rates.low + rates.high.T, 1, atol=1e-15)
    assert [np.diag(bound).tolist() for bound in rates] == [[0.5] * 3] * 3
    for m, (a, b) in enumerate(THREE.matchups):
        assert rates.estimate[a, b] == counts.win_rate().estimate[0, m]
    assert metagame.n_games == 1000


def test_other_games_judge_the_mix(three):
    counts, metagame = three
    again = play_matchups(THREE, THREE.table, n_games=1000, run_seed=3, purpose="again")
    judged = metagame_of(THREE, counts, again, run_seed=3, n_resamples=60)
    np.testing.assert_array_equal(judged.shares.estimate, metagame.shares.estimate)
    other = metagame_of(THREE, again, again, run_seed=3, n_resamples=2)
    expected = other.win_rates.estimate @ metagame.shares.estimate
    np.testing.assert_allclose(judged.against_mix.estimate, expected, atol=1e-12)


def test_win_rates_against_a_mix_chosen_by_noise_are_covered():
    """Of even decks the lucky ones form the mix, against which the others seem to lose."""
    contest = players_named(*"abcd")
    even = np.zeros((4, 4))
    covered = []
    for seed in range(100):
        games = [coin_counts(even, n_seeds=200, seed=one) for one in (seed, 1000 + seed)]
        _, low, high = metagame_of(contest, *games, run_seed=seed, n_resamples=2).against_mix
        covered += ((low <= 0.5) & (high >= 0.5))[low < high].tolist()
    assert 0.92 <= np.mean(covered) <= 0.98


def test_of_even_decks_all_have_a_share_of_the_likely_mix():
    even = coin_counts(np.zeros((4, 4)), n_seeds=500, seed=3)
    shares = average_equilibrium(players_named(*"abcd"), even, run_seed=1, purpose="any")
    assert shares.sum() == pytest.approx(1)
    assert shares.min() > 0.02
    circle = coin_counts(CIRCLE, n_seeds=4000)
    thirds = average_equilibrium(players_named(*"abc"), circle, run_seed=1, purpose="any")
    np.testing.assert_allclose(thirds, 1 / 3, atol=0.05)


def test_decks_in_a_cycle_are_certainly_played():
    counts = coin_counts(CIRCLE, n_seeds=4000)
    metagame = metagame_of(players_named(*"abc"), counts, counts, run_seed=1, n_resamples=100)
    assert (metagame.never_played, metagame.unplayed.tolist()) == ((), [0, 0, 0])
    assert ((metagame.shares.low < 1 / 3) & (metagame.shares.high > 1 / 3)).all()
    assert float(metagame.cyclic.low) > 0.9


def test_a_deck_that_loses_to_all_is_certainly_not_played():
    payoff = np.pad(CIRCLE, (0, 1), constant_values=0.3)
    payoff[3, :] = -payoff[:, 3]
    payoff[3, 3] = 0
    counts = coin_counts(payoff, n_seeds=1000)
    metagame = metagame_of(players_named(*"abcd"), counts, counts, run_seed=1, n_resamples=50)
    assert (metagame.never_played, metagame.unplayed[3]) == ((3,), 1)
    assert tuple(metagame.share_of([0, 1, 2])) == pytest.approx((1, 1, 1))


def test_a_deck_alone_is_all_there_is():
    counts = counts_by_seed(np.zeros((1, 0, 2, 10), dtype=bool))
    metagame = metagame_of(players_named("a"), counts, counts, run_seed=1, n_resamples=5)
    found = (metagame.shares, metagame.win_rates, metagame.against_mix, metagame.ratings)
    assert [one.estimate.tolist() for one in found] == [[1], [[0.5]], [0.5], [0]]
    assert metagame.never_played == ()


def test_intervals_of_shares_cover_the_true_shares():
    truth = np.array([0.2, 0.4, 0.1]) / 0.7
    payoff = np.array([[0, 0.1, -0.4], [-0.1, 0, 0.2], [0.4, -0.2, 0]])
    contest = players_named(*"abc")
    held = []
    for seed in range(25):
        games = [coin_counts(payoff, n_seeds=500, seed=seed)] * 2
        _, low, high = metagame_of(contest, *games, run_seed=seed, n_resamples=40).shares
        held.append((low <= truth) & (truth <= high))
    assert np.mean(held, axis=0).min() > 0.75
