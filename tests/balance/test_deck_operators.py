"""Genetic operators on decks: a child keeps its parent's slots where no card is replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.decks.operators import align, cross, join, mutate, single_swaps
from balance.decks.program import random_decks
from balance.decks.space import Slots
from sim.cards.deck import load_deck
from tests.balance.decks import all_decks, small_deck, small_table, space_in
from tests.duels import CORE

FREE = space_in()
SWAPS = space_in(origin=load_deck("ember_rush"), swaps=3)
RNGS = st.integers(0, 2**32).map(np.random.default_rng)


def child_of(deck: Slots, operate: Callable[..., None], *how: object) -> Slots:
    """Return the result of an operator on a copy of a deck."""
    child = deck.copy()
    operate(child, *how)
    return child


@given(rng=RNGS)
def test_crossover_brings_cards_of_the_other_for_cards_that_it_lacks(rng):
    first, second = rng.permuted(random_decks(FREE, 2, rng), axis=1)
    child = child_of(first, cross, second, rng)
    before, after, other = (Counter(deck.tolist()) for deck in (first, child, second))
    assert after - before <= other - before
    assert before - after <= before - other
    assert int((child != first).sum()) == (after - before).total()
    assert (FREE.counts(child[np.newaxis]) <= FREE.most).all()


@given(rng=RNGS)
@settings(max_examples=20)
def test_joined_decks_have_swaps_of_both_and_no_others(rng):
    first, second = align(random_decks(SWAPS, 2, rng), SWAPS.origin)
    child = child_of(first, join, second, SWAPS.origin, rng)
    decks = (SWAPS.origin, first, second)
    after = Counter(child.tolist())
    origin, before, other = (Counter(deck.tolist()) for deck in decks)
    assert after - origin <= (before - origin) + (other - origin)
    assert origin - after <= (origin - before) + (origin - other)
    assert ((child != first) <= (first == SWAPS.origin) | (child != SWAPS.origin)).all()


def test_two_equal_swaps_join_to_swap_both_copies():
    swapped = SWAPS.origin.copy()
    swapped[-1] = CORE.index("puffball")
    rng = np.random.default_rng(0)
    children = [child_of(swapped, join, swapped, SWAPS.origin, rng) for _ in range(20)]
    assert {int((child == swapped[-1]).sum()) for child in children} == {1, 2}


@given(rng=RNGS)
def test_a_mutation_replaces_one_card_or_its_copies_by_one_other(rng):
    deck = rng.permuted(random_decks(FREE, 1, rng), axis=1)[0]
    child = child_of(deck, mutate, FREE, rng)
    changed = np.flatnonzero(child != deck)
    assert 1 <= len(changed) <= 2
    assert len(set(deck[changed].tolist())) == len(set(child[changed].tolist())) == 1
    assert (FREE.counts(child[np.newaxis]) <= FREE.most).all()


def test_mutations_of_one_copy_and_of_all_copies_both_happen():
    rng = np.random.default_rng(1)
    deck = SWAPS.origin  # two copies of everything
    sizes = [int((child_of(deck, mutate, FREE, rng) != deck).sum()) for _ in range(200)]
    assert min(sizes.count(1), sizes.count(2)) > 20


def test_where_no_card_has_room_a_deck_stays():
    space = space_in(collection=dict.fromkeys(load_deck("ember_rush").cards, 1), size=15)
    (deck,) = random_decks(space, 1, np.random.default_rng(0))
    assert child_of(deck, mutate, space, np.random.default_rng(0)).tolist() == deck.tolist()


@given(rng=RNGS)
@settings(max_examples=20)
def test_aligned_decks_keep_all_but_the_swapped_slots_of_the_origin(rng):
    decks = rng.permuted(random_decks(SWAPS, 3, rng), axis=1)
    settled = align(decks, SWAPS.origin)
    assert np.sort(settled, axis=1).tolist() == np.sort(decks, axis=1).tolist()
    assert (settled != SWAPS.origin).sum(axis=1).tolist() == SWAPS.n_swaps(decks).tolist()


def test_mutations_of_a_changed_deck_also_take_changes_back():
    rng = np.random.default_rng(4)
    (deck,) = align(random_decks(SWAPS, 1, rng), SWAPS.origin)
    children = np.array([child_of(deck, mutate, SWAPS, rng) for _ in range(200)])
    n_swaps = SWAPS.n_swaps(children).tolist()
    assert min(n_swaps.count(2), n_swaps.count(3)) > 20


def test_single_swaps_are_all_decks_one_card_away():
    space = space_in(small_table(), small_deck({"a": 2, "c": 1, "d": 1}), curve={"2": (0, 1)})
    everything = all_decks(5, 4)
    expected = everything[space.legal(everything) & (space.n_swaps(everything) == 1)]
    found = single_swaps(space, space.origin)
    assert np.unique(np.sort(found, axis=1), axis=0).tolist() == expected.tolist()
    assert len(found) == len(expected)
    assert ((found != space.origin).sum(axis=1) == 1).all()
