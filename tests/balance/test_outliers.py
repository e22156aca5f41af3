"""Outliers: estimated effects of cards on decks, with intervals that cover the true ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.decks.building import prepare_search
from balance.decks.deck_search import DeckState, search_decks
from balance.decks.outliers import CardEffects, card_effects
from balance.statistics.intervals import Floats
from sim.seeds import generator
from tests.balance.contests import THREE
from tests.balance.decks import coin_field, settings_of
from tests.duels import CORE

N_CARDS = len(CORE.cards)
SEARCH, _ = prepare_search(THREE, settings_of())
SPREAD = 0.08


def played(worth: Floats, rng: np.random.Generator, n_decks: int = 1500) -> DeckState:
    """Return random decks with log-odds that are sums over their cards, plus noise per deck."""
    copies = np.repeat(np.arange(N_CARDS), 2)
    decks = np.array([np.sort(rng.permutation(copies)[:30]) for _ in range(n_decks)], np.int16)
    log_odds = worth[decks].sum(axis=1) + rng.normal(0, 0.1, n_decks)
    n_games = rng.choice([50, 150, 350], n_decks)
    rates = 1 / (1 + np.exp(log_odds.mean() - log_odds))
    points = rng.binomial(n_games[:, np.newaxis], rates[:, np.newaxis], (n_decks, 3))
    nothing = np.zeros((1, 3))
    return DeckState(0, decks[:4], nothing[:, :2], decks, points.astype(float), n_games, nothing)


def effects_of(worth: Floats, run: int) -> CardEffects:
    return card_effects(SEARCH, played(worth, generator(5, f"decks/{run}")))


def test_intervals_cover_the_effect_of_a_copy_against_other_cards():
    covered = []
    for run in range(6):
        worth = generator(5, f"worth/{run}").normal(0, SPREAD, N_CARDS)
        effects = effects_of(worth, run)
        truth = (worth - worth.mean()) * N_CARDS / (N_CARDS - 1)
        estimate, low, high = effects.effect
        assert effects.cards.tolist() == list(range(N_CARDS))
        assert np.corrcoef(truth, estimate)[0, 1] > 0.9
        covered.append((low <= truth) & (truth <= high))
    assert 0.92 <= np.mean(covered) <= 0.98


def test_a_card_far_beyond_the_others_is_the_only_outlier():
    worth = generator(5, "worth").normal(0, SPREAD, N_CARDS)
    worth[7] = 5 * SPREAD
    assert np.flatnonzero(effects_of(worth, 0).is_outlier).tolist() == [7]


def test_normal_effects_have_few_outliers():
    worths = [generator(9, f"worth/{run}").normal(0, SPREAD, N_CARDS) for run in range(6)]
    flagged = [effects_of(worth, run).is_outlier for run, worth in enumerate(worths)]
    assert np.sum(flagged) <= 3  # half a card each is expected beyond the fence itself
    assert not effects_of(np.zeros(N_CARDS), 0).is_outlier.any()


def test_the_best_decks_are_the_tenth_with_the_highest_lower_bounds():
    state = played(np.zeros(N_CARDS), generator(5, "decks"), n_decks=40)
    best = [3, 11, 25, 30]
    points = np.zeros_like(state.seen_points)
    points[best] = state.seen_games[best, np.newaxis]
    effects = card_effects(SEARCH, replace(state, seen_points=points))
    copies = np.stack([np.bincount(deck, minlength=N_CARDS) for deck in state.seen])
    assert effects.n_best == 4
    np.testing.assert_allclose(effects.copies, copies[best].mean(axis=0))
    np.testing.assert_allclose(effects.held, (copies[best] > 0).mean(axis=0))
    assert effects.n_decks.tolist() == (copies > 0).sum(axis=0).tolist()


@pytest.mark.parametrize("card", ["puffball", "shell_warden"])
def test_a_search_finds_the_card_that_every_good_deck_plays(card, monkeypatch):
    coin_field(monkeypatch, {one.id: 0.002 for one in CORE.cards[::3]} | {card: 0.1})
    settings = settings_of(population=20, generations=20, search=20)
    search, _ = prepare_search(THREE, settings)
    effects = card_effects(search, search_decks(search))
    assert [CORE.cards[k].id for k in effects.cards[effects.is_outlier]] == [card]
    assert effects.held[effects.is_outlier] > 0.9
