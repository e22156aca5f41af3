"""Effects of cards in observed decks, and cards that the games cannot separate."""

from __future__ import annotations

import numpy as np
import pytest

from balance.observed.observed_cards import DECKS_MIN, observed_cards_of
from balance.observed.observed_metagame import observed_metagame_of
from sim import InputError
from tests.balance.observed_counts import drawn_counts, rates_of_ratings

N_DECKS = 24


def found(copies: np.ndarray, effect: np.ndarray, archetype: np.ndarray | None = None):
    """Return the effects in games of decks with ratings that are sums of effects of copies."""
    rng = np.random.default_rng(6)
    counts = drawn_counts(rates_of_ratings(copies @ effect), 400, rng)
    metagame = observed_metagame_of(counts, run_seed=1, n_resamples=10)
    groups = np.zeros(len(copies), dtype=np.intp) if archetype is None else archetype
    return observed_cards_of(counts, metagame, copies, groups)


def test_the_card_that_makes_decks_win_has_the_largest_effect() -> None:
    rng = np.random.default_rng(7)
    copies = rng.integers(0, 3, size=(N_DECKS, 12))
    effect = np.zeros(12)
    effect[4] = 0.3
    cards = found(copies, effect)
    best = int(np.argmax(cards.effects.effect.estimate))
    assert cards.effects.cards[best] == 4
    assert cards.effects.is_outlier[best]
    assert cards.effects.effect.low[best] < 0.3 < cards.effects.effect.high[best] + 0.1
    assert cards.n_decks == N_DECKS


def test_cards_that_always_occur_together_share_their_effect_and_are_named() -> None:
    rng = np.random.default_rng(8)
    copies = rng.integers(0, 3, size=(N_DECKS, 8))
    copies[:, 5] = copies[:, 2]
    copies[:, 7] = 2
    effect = np.zeros(8)
    effect[2] = 0.4
    cards = found(copies, effect)
    assert cards.constant == (7,)
    assert 7 not in cards.effects.cards
    together = {int(cards.effects.cards[k]): cards.together[k] for k in range(7)}
    assert together[2] == (5,)
    assert together[5] == (2,)
    assert {card: with_it for card, with_it in together.items() if card not in (2, 5)} == {
        0: (), 1: (), 3: (), 4: (), 6: (),
    }  # fmt: skip
    estimate = cards.effects.effect.estimate
    assert estimate[2] == pytest.approx(estimate[5])


def test_archetypes_with_a_card_are_counted() -> None:
    copies = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 1, 1]])
    cards = found(copies, np.array([0.2, 0.0, 0.0]), np.array([0, 0, 1, 1, 1]))
    assert cards.n_archetypes.tolist() == [1, 1, 2]


def test_too_few_lists_are_refused() -> None:
    copies = np.zeros((6, 3), dtype=np.int64)
    copies[: DECKS_MIN - 1] = 1
    with pytest.raises(InputError) as refused:
        found(copies, np.zeros(3))
    assert refused.value.limit == DECKS_MIN
    assert refused.value.value == DECKS_MIN - 1


def test_decks_of_the_same_cards_are_refused() -> None:
    with pytest.raises(InputError) as refused:
        found(np.ones((6, 3), dtype=np.int64), np.zeros(3))
    assert refused.value.value == 6
