"""Which decks are legal, against rules spelt out one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.decks.space import DeckSpace, deck_of
from sim import InputError, load_deck
from tests.balance.decks import SMALL_COSTS, all_decks, small_deck, small_table, space_in
from tests.duels import CORE, TABLE

SIZE = 4
BOUNDS = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)).map(lambda pair: tuple(sorted(pair)))
CURVES = st.dictionaries(st.sampled_from("0123"), BOUNDS, max_size=2)
COLLECTIONS = st.none() | st.dictionaries(st.sampled_from("abcde"), st.integers(0, 4))
LIMITS = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 3), max_size=2)
PRICES = st.dictionaries(st.sampled_from("abcde"), st.sampled_from([0.0, 0.1, 0.5, 2.0]))
ORIGINS = st.none() | st.lists(st.sampled_from("abcde"), min_size=SIZE, max_size=SIZE)


@st.composite
def spaces(draw) -> DeckSpace:
    collection, origin = draw(COLLECTIONS), draw(ORIGINS)
    budget = None if collection is None else draw(st.none() | st.sampled_from([0.0, 0.3, 2.5]))
    return space_in(
        small_table(),
        small_deck(Counter(origin)) if origin else None,
        collection,
        size=SIZE,
        copies=draw(st.sampled_from([None, 1, 2])),
        limits=draw(LIMITS),
        curve=draw(CURVES),
        prices=draw(PRICES),
        budget=budget,
        swaps=draw(st.integers(1, 3)),
    )


def is_legal(space: DeckSpace, deck: list[int]) -> bool:
    """The limits again, in plain words."""
    counts = Counter(deck)
    before = Counter() if space.origin is None else Counter(space.origin.tolist())
    price = 0.0
    for card, copies in counts.items():
        owned = copies if space.owned is None else int(space.owned[card])
        if copies > min(space.copies, space.limits[card]) or (
            space.budget is None and copies > owned
        ):
            return False
        price += max(copies - owned, 0) * float(space.prices[card])
    for cost, (low, high) in space.curve.items():
        if not low <= sum(SMALL_COSTS[card] == cost for card in deck) <= high:
            return False
    if space.origin is not None and (before - counts).total() > space.swaps:
        return False
    return space.budget is None or price <= space.budget + 1e-6


@given(space=spaces())
def test_a_deck_is_legal_if_it_keeps_every_limit(space):
    decks = all_decks(len(SMALL_COSTS), SIZE)
    assert space.legal(decks).tolist() == [is_legal(space, deck) for deck in decks.tolist()]


@given(space=spaces(), rng=st.integers(0, 2**32).map(np.random.default_rng))
def test_the_order_of_the_slots_does_not_matter(space, rng):
    decks = all_decks(len(SMALL_COSTS), SIZE)
    shuffled = rng.permuted(decks, axis=1)
    assert space.legal(shuffled).tolist() == space.legal(decks).tolist()
    assert space.price(shuffled).tolist() == space.price(decks).tolist()
    assert space.n_swaps(shuffled).tolist() == space.n_swaps(decks).tolist()


def test_what_the_improved_deck_has_is_owned_and_it_has_no_swap():
    origin = load_deck("ember_rush")
    space = space_in(origin=origin, collection={"puffball": 2})
    assert space.holds_origin
    assert space.n_swaps(space.origin[np.newaxis]).tolist() == [0]
    assert space.most[CORE.index("puffball")] == 2
    assert space.most[CORE.index("shell_warden")] == 0


@given(slots=st.lists(st.integers(0, len(CORE.cards) - 1), min_size=1, max_size=30))
def test_a_deck_keeps_its_cards_in_the_order_of_their_first_slots(slots):
    deck = deck_of(np.array(slots, dtype=np.int16), "mine", TABLE)
    assert Counter(deck.slots(CORE)) == Counter(slots)
    first = list(dict.fromkeys(slots))
    assert list(deck.cards) == [CORE.cards[card].id for card in first]


def test_a_shipped_deck_is_the_deck_of_its_own_slots():
    deck = load_deck("tide_keep")
    assert deck_of(np.array(deck.slots(CORE), dtype=np.int16), "tide_keep", TABLE) == deck


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"size": 31}, r"build.size = 31 must be at most 30 \(deck_limit of ruleset 'duel'\)"),
        ({"size": 3}, r"build.size = 3 must be at least 5 \(opening_hand of ruleset 'duel'\)"),
        ({"copies": 3}, r"build.copies = 3 must be at most 2 \(copy_limit of ruleset 'duel'\)"),
        ({"budget": 3.0}, r"build.budget = 3: without a \[collection\] all cards are owned"),
        ({"prices": {"pufball": 1.0}}, "build.prices: .*'pufball'; did you mean 'puffball'"),
        ({"limits": {"pufball": 1}}, "build.limits: .*'pufball'; did you mean 'puffball'"),
        ({"collection": {"pufball": 1}}, "collection: .*'pufball'; did you mean 'puffball'"),
        (
            {"size": 20, "origin": load_deck("ember_rush")},
            "build.size = 20: deck 'ember_rush' has 30 cards, and swaps leave it so",
        ),
    ],
)
def test_what_does_not_fit_the_rules_is_named(wanted, says):
    with pytest.raises(InputError, match=says):
        space_in(**wanted)
