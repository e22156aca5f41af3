"""Outliers: estimated effects of cards on decks, with intervals that cover the true ones."""

from __future__ import annotations

import numpy as np

from balance.decks.outliers import CardEffects, effects_of_copies
from balance.statistics.intervals import Counts, Floats, wilson
from sim.seeds import generator
from tests.duels import CORE

N_CARDS = len(CORE.cards)
SPREAD = 0.08


def played(
    worth: Floats, rng: np.random.Generator, n_decks: int = 1500
) -> tuple[Counts, Floats, Counts]:
    """Return copies, points and games of random decks.

    Their log-odds are sums over their cards, plus noise per deck.
    """
    copies = np.repeat(np.arange(N_CARDS), 2)
    decks = np.array([rng.permutation(copies)[:30] for _ in range(n_decks)])
    log_odds = worth[decks].sum(axis=1) + rng.normal(0, 0.1, n_decks)
    n_games = rng.choice([150, 450, 1050], n_decks)
    rates = 1 / (1 + np.exp(log_odds.mean() - log_odds))
    counts = np.stack([np.bincount(deck, minlength=N_CARDS) for deck in decks])
    return counts, rng.binomial(n_games, rates).astype(float), n_games


def effects(counts: Counts, points: Floats, n_games: Counts) -> CardEffects:
    low = wilson(points, n_games).low
    return effects_of_copies(counts, rates=points / n_games, n_games=n_games, cautious=low)


def effects_of(worth: Floats, run: int) -> CardEffects:
    return effects(*played(worth, generator(5, f"decks/{run}")))


def test_intervals_cover_the_effect_of_a_copy_against_other_cards():
    covered = []
    for run in range(6):
        worth = generator(5, f"worth/{run}").normal(0, SPREAD, N_CARDS)
        found = effects_of(worth, run)
        truth = (worth - worth.mean()) * N_CARDS / (N_CARDS - 1)
        estimate, low, high = found.effect
        assert found.cards.tolist() == list(range(N_CARDS))
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
    counts, _, n_games = played(np.zeros(N_CARDS), generator(5, "decks"), n_decks=40)
    best = [3, 11, 25, 30]
    points = np.zeros(40)
    points[best] = n_games[best]
    found = effects(counts, points, n_games)
    assert found.n_best == 4
    np.testing.assert_allclose(found.copies, counts[best].mean(axis=0))
    np.testing.assert_allclose(found.held, (counts[best] > 0).mean(axis=0))
    assert found.n_decks.tolist() == (counts > 0).sum(axis=0).tolist()
