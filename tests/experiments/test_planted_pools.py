"""Small pools with hidden steps: games of all decks, legal cards, and reversals of hidden steps."""

from __future__ import annotations

import numpy as np

from balance.cards.card_contest import patched
from balance.contest.patch import Edit
from experiments.benchmarks.attacked_pools import settings_of
from experiments.benchmarks.every_deck import COPIES, EVERY_DECK, best_few, own_rates, pilots
from experiments.benchmarks.planted_pools import (
    COSTS,
    can_go_back,
    contest_of,
    first_cards,
)
from sim.seeds import generator

FIELD = np.array([0, 1_500, 3_000])
CONTEST = contest_of(first_cards(generator(1, "test")), FIELD)


def test_decks_have_two_copies_of_their_kinds() -> None:
    assert len(EVERY_DECK) == 3_432
    for player, kinds in zip(CONTEST.players, EVERY_DECK[FIELD], strict=True):
        assert set(player.deck.cards.values()) == {COPIES}
        assert [*player.deck.cards] == [f"card_{k + 1}" for k in kinds]
    assert [card.cost for card in CONTEST.table.pool.cards] == [*COSTS]


def test_decks_with_a_card_that_is_too_strong_are_found() -> None:
    card = CONTEST.table.pool.cards[13]
    edits = [
        Edit(card.id, card.name, "cost", card.cost, 0),
        Edit(card.id, card.name, "attack", card.attack, 5),
    ]
    top, rates = best_few(patched(CONTEST, edits), seed=1, purpose="test")
    assert (EVERY_DECK[top] == 13).any(axis=1).mean() > 0.9
    assert rates.max() > 0.6


def test_a_field_has_rates_against_itself() -> None:
    rates = own_rates(CONTEST, pilots()[0], 1, 400)
    np.testing.assert_allclose(rates + rates.T, 1.0, rtol=0, atol=1e-12)


def test_steps_that_the_settings_forbid_to_go_back_are_not_hidden() -> None:
    tune = settings_of(1).tune
    card = next(card for card in CONTEST.table.pool.cards if card.attack > 1)
    one = [Edit(card.id, card.name, "attack", card.attack, card.attack - 1)]
    assert can_go_back(CONTEST, one, tune)
    assert not can_go_back(CONTEST, one, tune.model_copy(update={"fields": ("health",)}))
