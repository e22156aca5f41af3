"""Legality of decks against rules written out, and integer programs that find legal decks."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.decks import program as deck_program
from balance.decks.program import check_space, random_decks
from balance.decks.space import DeckSpace, deck_of
from sim import InputError, load_deck
from tests.balance.decks import SMALL_COSTS, all_decks, small_deck, small_table, space_in
from tests.duels import CORE, TABLE
from tests.refusals import refusal_of, refused

SIZE = 4
BOUNDS = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)).map(lambda pair: tuple(sorted(pair)))
CURVES = st.dictionaries(st.sampled_from("0123"), BOUNDS, max_size=2)
COLLECTIONS = st.none() | st.dictionaries(st.sampled_from("abcde"), st.integers(0, 4))
LIMITS = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 3), max_size=2)
PRICES = st.dictionaries(st.sampled_from("abcde"), st.sampled_from([0.0, 0.1, 0.5, 2.0]))
ORIGINS = st.none() | st.lists(st.sampled_from("abcde"), min_size=SIZE, max_size=SIZE)


@st.composite
def spaces(draw) -> DeckSpace:
    collection = draw(COLLECTIONS)
    origin = draw(ORIGINS)
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
    """Return whether a deck keeps all limits, by a direct count."""
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
    for measure in (space.legal, space.price, space.n_swaps):
        assert measure(shuffled).tolist() == measure(decks).tolist()


def test_the_original_deck_is_owned_and_has_no_swap():
    space = space_in(origin=load_deck("ember_rush"), collection={"puffball": 2})
    assert space.holds_origin
    assert space.n_swaps(space.origin[np.newaxis]) == 0
    assert space.most[[CORE.index(card) for card in ("puffball", "shell_warden")]].tolist() == [
        2,
        0,
    ]


@given(slots=st.lists(st.integers(0, len(CORE.cards) - 1), min_size=1, max_size=30))
def test_a_deck_keeps_its_cards_in_the_order_of_their_first_slots(slots):
    deck = deck_of(np.array(slots, dtype=np.int16), "mine", TABLE)
    assert Counter(deck.slots(CORE)) == Counter(slots)
    assert list(deck.cards) == [CORE.cards[card].id for card in dict.fromkeys(slots)]


def test_a_deck_equals_the_deck_of_its_slots():
    deck = load_deck("tide_keep")
    assert deck_of(np.array(deck.slots(CORE), dtype=np.int16), "tide_keep", TABLE) == deck


@pytest.mark.parametrize(
    ("settings_given", "place", "value", "limit"),
    [
        ({"size": 31}, "build.size", 31, 30),
        ({"size": 3}, "build.size", 3, 5),
        ({"copies": 3}, "build.copies", 3, 2),
        ({"budget": 3.0}, "build.budget", 3.0, None),
        ({"size": 20, "origin": load_deck("ember_rush")}, "build.size", 20, 30),
    ],
)
def test_settings_beyond_the_rules_are_refused(settings_given, place, value, limit):
    error = refusal_of(space_in, **settings_given)
    assert (error.place, error.value, error.limit) == (place, value, limit)


@pytest.mark.parametrize(
    ("settings_given", "place"),
    [
        ({"prices": {"pufball": 1.0}}, "build.prices"),
        ({"limits": {"pufball": 1}}, "build.limits"),
        ({"collection": {"pufball": 1}}, "collection"),
    ],
)
def test_unknown_cards_of_settings_are_refused(settings_given, place):
    error = refusal_of(space_in, **settings_given)
    assert error.place.startswith(place)


# --- integer programs ---

ALL_SMALL = all_decks(len(SMALL_COSTS), SIZE)


@pytest.mark.thorough
@given(space=spaces())
@settings(max_examples=60)
def test_legal_decks_are_found_if_and_only_if_there_are_any(space):
    if space.legal(ALL_SMALL).any():
        decks = random_decks(space, 3, np.random.default_rng(1))
        assert decks.shape == (3, SIZE)
        assert space.legal(decks).all()
    else:
        with pytest.raises(InputError) as caught:
            check_space(space)
        assert caught.value.place == "build"
        assert caught.value.limit


def test_random_decks_reach_every_legal_deck():
    space = space_in(small_table(), size=SIZE, curve={"1": (2, 2), "2": (1, 1)})
    found = np.unique(np.sort(random_decks(space, 80, np.random.default_rng(1))), axis=0)
    assert found.tolist() == ALL_SMALL[space.legal(ALL_SMALL)].tolist()


def test_without_limits_on_several_cards_the_program_draws_copies():
    space = space_in()
    numbers = np.random.default_rng(3).random(2 * len(CORE.cards))
    chosen = deck_program._solve(space, numbers, frozenset())
    assert np.flatnonzero(chosen).tolist() == sorted(np.argsort(numbers)[: space.size].tolist())


@pytest.mark.parametrize(
    ("settings_given", "limits"),
    [
        (
            {"curve": {"1": (20, 30), "2": (20, 30)}},
            (
                "curve.1 = [20, 30] (copies available: 22)",
                "curve.2 = [20, 30] (copies available: 32)",
                "size = 30",
            ),
        ),
        ({"curve": {"9": (1, 2)}}, ("curve.9 = [1, 2] (copies available: 0)",)),
        (
            {"curve": dict.fromkeys("012345", (0, 4))},
            (
                *(
                    f"curve.{cost} = [0, 4] (copies available: {n})"
                    for cost, n in enumerate([2, 22, 32, 22, 18, 16])
                ),
                "size = 30",
            ),
        ),
        (
            {"collection": {"puffball": 2, "ash_urchin": 1}},
            ("the collection (3 copies of 2 cards)", "size = 30"),
        ),
        ({"collection": {}}, ("the collection (0 copies of 0 cards)", "size = 30")),
        (
            {"collection": {}, "budget": 29.5},
            ("budget = 29.5 (copies owned: 0)", "size = 30"),
        ),
        (
            {"origin": load_deck("ember_rush"), "curve": {"1": (9, 9)}, "swaps": 1},
            ("curve.1 = [9, 9] (copies available: 22)", "swaps = 1", "size = 30"),
        ),
        (
            {"origin": load_deck("ember_rush"), "copies": 1, "swaps": 1},
            ("copies = 1", "swaps = 1"),
        ),
    ],
)
def test_limits_that_exclude_every_deck_are_named(settings_given, limits):
    error = refusal_of(check_space, space_in(**settings_given))
    assert error.place == "build"
    assert error.limit == limits


def test_of_two_impossible_limits_one_is_named():
    """Without either limit alone there is still no legal deck."""
    space = space_in(curve={"9": (1, 1), "8": (1, 1)})
    with refused() as refusal:
        check_space(space)
    assert refusal.error.limit == ("curve.8 = [1, 1] (copies available: 0)",)
    assert not refusal.error.remedy


def test_a_budget_buys_the_copies_that_are_not_owned():
    table = small_table()
    owned = {"a": 2, "b": 1}
    space = space_in(table, collection=owned, size=SIZE, budget=1.0, prices={"b": 5.0, "c": 2.0})
    decks = random_decks(space, 40, np.random.default_rng(0))
    assert space.legal(decks).all()
    counts = space.counts(decks)
    assert (counts[:, :3] <= [2, 1, 0]).all()  # `b` and `c` are too dear
    assert counts[:, 3:].sum(axis=1).tolist() == [1] * 40


def test_an_origin_that_is_not_legal_leads_to_decks_that_are():
    space = space_in(small_table(), small_deck({"a": 2, "b": 2}), copies=1, swaps=2)
    assert not space.holds_origin
    decks = random_decks(space, 20, np.random.default_rng(0))
    assert space.legal(decks).all()
    assert (space.n_swaps(decks) == 2).all()
