"""Metagame of observed games: groups of players, ratings, equilibrium and cyclicity."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from balance import wilson
from balance.metagame.cyclicity import ELO_PER_LOGIT
from balance.observed.observed_metagame import (
    complete_players,
    connected_players,
    observed_metagame_of,
)
from sim import InputError
from tests.balance.observed_counts import counts_of, drawn_counts, rates_of_ratings

CYCLE = np.array([[0.5, 0.8, 0.2], [0.2, 0.5, 0.8], [0.8, 0.2, 0.5]])


@st.composite
def sparse_counts(draw: st.DrawFn):
    """Return counts of up to six players, of which some pairs have no games."""
    n = draw(st.integers(2, 6))
    games = np.zeros((n, n))
    for a, b in combinations(range(n), 2):
        games[a, b] = draw(st.sampled_from([0, 0, 1, 5, 40]))
    wins = np.array([[draw(st.integers(0, int(cell))) for cell in row] for row in games])
    return counts_of(wins, games)


@given(sparse_counts())
def test_complete_players_have_all_met_and_connected_ones_have_a_chain_of_games(counts) -> None:
    complete = complete_players(counts)
    assert all(counts.games[a, b] > 0 for a, b in combinations(complete, 2))
    reach = (counts.games > 0) | np.eye(counts.n_players, dtype=bool)
    for _ in range(counts.n_players):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    group = connected_players(counts)
    assert {*group} == {*np.flatnonzero(reach[group[0]]).tolist()}
    assert len(group) == reach.sum(axis=1).max()


@settings(max_examples=25)
@given(sparse_counts())
def test_what_cannot_be_computed_is_nan_and_everything_else_is_not(counts) -> None:
    assume(counts.pairs)
    found = observed_metagame_of(counts, run_seed=1, n_resamples=20)
    has_games = found.n_games > 0
    np.testing.assert_array_equal(np.isnan(found.win_rates.estimate), ~has_games)
    np.testing.assert_array_equal(np.isnan(found.field_rates.estimate), ~has_games)
    rated = np.isin(np.arange(counts.n_players), found.rated) & (len(found.rated) > 1)
    np.testing.assert_array_equal(np.isnan(found.ratings.estimate), ~rated)
    mixed = np.isin(np.arange(counts.n_players), found.complete)
    np.testing.assert_array_equal(np.isnan(found.shares.estimate), ~mixed)
    if found.complete:
        assert found.shares.estimate[mixed].sum() == pytest.approx(1)
    assert (found.cyclic is None) == (len(found.complete) < 3)


def test_ratings_maximise_the_likelihood_of_unequal_numbers_of_games() -> None:
    counts = counts_of(
        [[0, 30, 0, 9], [0, 0, 70, 0], [0, 0, 0, 5], [0, 0, 0, 0]],
        [[0, 40, 0, 10], [0, 0, 100, 0], [0, 0, 0, 30], [0, 0, 0, 0]],
    )
    found = observed_metagame_of(counts, run_seed=1)
    assert found.rated == (0, 1, 2, 3)
    ratings = found.ratings.estimate / ELO_PER_LOGIT
    won = np.where(counts.games > 0, counts.points + 0.5, 0)
    pull = won - (won + won.T) * rates_of_ratings(ratings)
    np.testing.assert_allclose(pull.sum(axis=1), 0, atol=1e-6)
    assert ratings.sum() == pytest.approx(0, abs=1e-9)


def test_intervals_of_ratings_cover_the_truth() -> None:
    rng = np.random.default_rng(3)
    truth = np.array([0.5, 0.2, 0.0, -0.3, -0.4])
    rates = rates_of_ratings(truth)
    covered = []
    for _ in range(40):
        found = observed_metagame_of(drawn_counts(rates, 100, rng), run_seed=1, n_resamples=100)
        low = found.ratings.low / ELO_PER_LOGIT
        high = found.ratings.high / ELO_PER_LOGIT
        covered += ((low <= truth) & (truth <= high)).tolist()
    assert 0.9 <= np.mean(covered) <= 0.99


def test_a_cycle_is_cyclic_and_is_played_evenly_and_ratings_alone_are_not_cyclic() -> None:
    rng = np.random.default_rng(4)
    cycle = observed_metagame_of(drawn_counts(CYCLE, 2_000, rng), run_seed=1)
    assert cycle.cyclic.low > 0.9
    np.testing.assert_allclose(cycle.shares.estimate, 1 / 3, atol=0.03)
    ladder = rates_of_ratings(np.array([0.8, 0.3, -0.2, -0.9]))
    ranked = observed_metagame_of(drawn_counts(ladder, 2_000, rng), run_seed=1)
    assert ranked.cyclic.high < 0.1
    assert ranked.shares.estimate.tolist() == [1, 0, 0, 0]
    assert ranked.unplayed[1:].min() > 0.95


def test_the_interval_of_the_cyclic_share_covers_the_truth() -> None:
    rng = np.random.default_rng(5)
    odds = np.array([0.0, 0.4, 0.1]), np.array([[0, 0.3, -0.3], [-0.3, 0, 0.3], [0.3, -0.3, 0]])
    logits = odds[0][:, np.newaxis] - odds[0] + odds[1]
    gaps = [logits[a, b] for a, b in combinations(range(3), 2)]
    ratings = logits.mean(axis=1)
    truth = 1 - 3 * (ratings**2).sum() / np.square(gaps).sum()
    covered = 0
    for _ in range(40):
        counts = drawn_counts(1 / (1 + np.exp(-logits)), 300, rng)
        share = observed_metagame_of(counts, run_seed=1, n_resamples=100).cyclic
        covered += int(share.low <= truth <= share.high)
    assert covered >= 35


def test_the_field_weights_opponents_by_their_games() -> None:
    counts = counts_of([[0, 8, 30], [0, 0, 0], [0, 0, 0]], [[6, 10, 40], [0, 0, 0], [0, 0, 0]])
    found = observed_metagame_of(counts, run_seed=1)
    np.testing.assert_allclose(found.field, np.array([62, 10, 40]) / 112)
    assert found.field_rates.estimate[0] == pytest.approx((10 * 0.8 + 40 * 0.75) / 50)
    assert found.met.tolist() == pytest.approx([1, 62 / 102, 62 / 72])
    np.testing.assert_allclose(found.win_rates.at(0), wilson(38, 50))
    assert found.complete == (0, 2)


def test_mirrors_alone_are_refused() -> None:
    counts = counts_of(np.zeros((2, 2)), np.diag([5, 8]))
    with pytest.raises(InputError) as refused:
        observed_metagame_of(counts, run_seed=1)
    assert refused.value.place == "matchups"
    assert refused.value.value == counts.names
