"""Decks number their slots in file order and obey the ruleset."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import (
    Deck,
    Pool,
    Ruleset,
    check_deck,
    check_pool,
    content_hash,
    load_deck,
    load_pool,
    load_ruleset,
)
from sim.files.toml_file import shipped_folder
from tests.refusals import refusal_of
from tests.strategies import decks, pools

DUEL = load_ruleset("duel")
FATIGUE = DUEL.model_copy(update={"deck_out": "fatigue"})
CORE = load_pool("core")
SHIPPED = sorted(
    path.stem
    for path in shipped_folder("decks").glob("*.toml")
    if load_deck(path.stem).pool == "core"  # decks of real cards: see test_hearthstone.py
)


def deck_of(cards: dict[str, int]) -> Deck:
    return Deck(name="d", pool="core", ruleset="duel", cards=cards)


def first_of_core(n: int) -> dict[str, int]:
    return {card.id: 1 for card in CORE.cards[:n]}


@given(st.data())
def test_cards_are_found_and_slots_hold_the_copies_in_file_order(
    data: st.DataObject,
) -> None:
    pool = data.draw(pools(DUEL))
    check_pool(pool, DUEL)
    assert [pool.index(card.id) for card in pool.cards] == list(range(len(pool.cards)))
    assert [pool.card(card.id) for card in pool.cards] == list(pool.cards)
    deck = data.draw(decks(pool, DUEL))
    check_deck(deck, pool, FATIGUE)
    slots = [pool.cards[index].id for index in deck.slots(pool)]
    assert list(Counter(slots).items()) == list(deck.cards.items())
    assert len(slots) == deck.n_cards


def test_the_order_of_cards_is_part_of_the_content() -> None:
    deck = deck_of({"a": 1, "b": 1})
    other = deck_of({"b": 1, "a": 1})
    assert content_hash(deck) != content_hash(other)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_decks_are_legal_and_full(name: str) -> None:
    deck = load_deck(name)
    check_deck(deck, load_pool(deck.pool), load_ruleset(deck.ruleset))
    assert deck.name == name
    assert deck.n_cards == DUEL.deck_limit


def test_every_core_card_is_in_some_shipped_deck() -> None:
    used = {card_id for name in SHIPPED for card_id in load_deck(name).cards}
    assert used == {card.id for card in CORE.cards}


FIRST = CORE.cards[0].id
OWN_CORE = CORE.model_copy(update={"name": "my_cards"})
OWN_DUEL = FATIGUE.model_copy(update={"name": "my_duel"})
UNEVEN = DUEL.model_copy(update={"opening_hand": (3, 6)})


@pytest.mark.parametrize(
    ("cards", "pool", "ruleset", "place", "value", "limit"),
    [
        ({"ember_welp": 1}, CORE, DUEL, "deck 'd': pool 'core'", "ember_welp", None),
        ({"ember_whelp": 3}, CORE, DUEL, "deck 'd': card 'ember_whelp'", 3, 2),
        ({card.id: 2 for card in CORE.cards[:16]}, CORE, DUEL, "deck 'd'", 32, 30),
        (first_of_core(4), CORE, DUEL, "deck 'd'", 4, 5),
        (first_of_core(5), CORE, UNEVEN, "deck 'd'", 5, 6),
        ({FIRST: 2}, OWN_CORE, FATIGUE, "deck 'd'", "core", "my_cards"),
        # The pool is compared before the cards are looked up.
        ({"nowhere": 1}, OWN_CORE, FATIGUE, "deck 'd'", "core", "my_cards"),
        ({FIRST: 2}, CORE, OWN_DUEL, "deck 'd'", "duel", "my_duel"),
    ],
)
def test_an_illegal_deck_is_refused_with_the_limit(
    cards: dict[str, int], pool: Pool, ruleset: Ruleset, place: str, value: object, limit: object
) -> None:
    error = refusal_of(check_deck, deck_of(cards), pool, ruleset)
    assert (error.place, error.value, error.limit) == (place, value, limit)


def test_a_deck_must_last_for_the_larger_opening_hand_where_an_empty_deck_loses() -> None:
    check_deck(deck_of(first_of_core(5)), CORE, DUEL)
    check_deck(deck_of(first_of_core(6)), CORE, UNEVEN)


def test_files_that_a_deck_names_are_not_compared_with_names() -> None:
    files = {"pool": "../my_cards.toml", "ruleset": "my_duel.toml"}
    check_deck(deck_of({FIRST: 2}).model_copy(update=files), CORE, FATIGUE)
