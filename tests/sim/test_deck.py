"""Decks number their slots in file order and obey the ruleset."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import Deck, InputError, check_deck, content_hash, load_deck, load_pool, load_ruleset
from sim.files.toml_file import shipped_folder
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


@given(st.data())
def test_slots_hold_the_copies_in_file_order(data: st.DataObject) -> None:
    pool = data.draw(pools(DUEL))
    deck = data.draw(decks(pool, DUEL))
    check_deck(deck, pool, FATIGUE)
    slots = [pool.cards[index].id for index in deck.slots(pool)]
    assert list(dict.fromkeys(slots)) == list(deck.cards)
    assert {card_id: slots.count(card_id) for card_id in slots} == deck.cards
    assert len(slots) == deck.n_cards


def test_slots_of_a_worked_example() -> None:
    assert deck_of({CORE.cards[4].id: 2, CORE.cards[0].id: 1}).slots(CORE) == [4, 4, 0]


def test_the_order_of_cards_is_part_of_the_content() -> None:
    one, other = deck_of({"a": 1, "b": 1}), deck_of({"b": 1, "a": 1})
    assert content_hash(one) != content_hash(other)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_decks_are_legal_and_full(name: str) -> None:
    deck = load_deck(name)
    check_deck(deck, load_pool(deck.pool), load_ruleset(deck.ruleset))
    assert deck.name == name
    assert deck.n_cards == DUEL.deck_limit


def test_every_core_card_is_in_some_shipped_deck() -> None:
    used = {card_id for name in SHIPPED for card_id in load_deck(name).cards}
    assert used == {card.id for card in CORE.cards}


def test_an_unknown_card_is_named_with_the_nearest_spelling() -> None:
    with pytest.raises(InputError, match=r"deck 'd'.*'ember_welp'; did you mean 'ember_whelp'"):
        check_deck(deck_of({"ember_welp": 1}), CORE, DUEL)


def test_too_many_copies_are_named() -> None:
    with pytest.raises(InputError, match="'ember_whelp': 3 copies, must be at most 2"):
        check_deck(deck_of({"ember_whelp": 3}), CORE, DUEL)


def test_too_many_cards_are_named() -> None:
    cards = {card.id: 2 for card in CORE.cards[:16]}
    with pytest.raises(InputError, match=r"deck 'd': 32 cards, must be at most 30"):
        check_deck(deck_of(cards), CORE, DUEL)


def test_a_deck_must_last_for_the_larger_opening_hand_where_an_empty_deck_loses() -> None:
    four, five, six = (deck_of({card.id: 1 for card in CORE.cards[:n]}) for n in (4, 5, 6))
    check_deck(five, CORE, DUEL)
    with pytest.raises(InputError, match=r"^deck 'd': 4 cards, must be at least 5 .*'duel'"):
        check_deck(four, CORE, DUEL)
    uneven = DUEL.model_copy(update={"opening_hand": (3, 6)})
    check_deck(six, CORE, uneven)
    with pytest.raises(InputError, match="5 cards, must be at least 6"):
        check_deck(five, CORE, uneven)


def test_a_short_deck_is_fine_where_an_empty_deck_only_hurts() -> None:
    check_deck(deck_of({CORE.cards[0].id: 1}), CORE, FATIGUE)


def test_a_deck_for_another_pool_is_refused_before_its_cards_are_looked_up() -> None:
    own = CORE.model_copy(update={"name": "my_cards"})
    message = "^deck 'd': made for pool 'core', played with 'my_cards'; change `pool` in the deck"
    for deck in (deck_of({CORE.cards[0].id: 2}), deck_of({"nowhere": 1})):
        with pytest.raises(InputError, match=message):
            check_deck(deck, own, FATIGUE)


def test_a_deck_for_another_ruleset_is_refused() -> None:
    own = FATIGUE.model_copy(update={"name": "my_duel"})
    message = "^deck 'd': made for ruleset 'duel', played under 'my_duel'; change `ruleset` in the"
    with pytest.raises(InputError, match=message):
        check_deck(deck_of({CORE.cards[0].id: 2}), CORE, own)


def test_files_that_a_deck_names_are_not_compared_with_names() -> None:
    files = {"pool": "../my_cards.toml", "ruleset": "my_duel.toml"}
    check_deck(deck_of({CORE.cards[0].id: 2}).model_copy(update=files), CORE, FATIGUE)
