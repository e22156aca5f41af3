"""Integer programs find legal decks wherever there are any, and else say why not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from balance.decks import program as deck_program
from balance.decks.program import check_space, random_decks
from sim import InputError, load_deck
from tests.balance.decks import SMALL_COSTS, all_decks, small_deck, small_table, space_in
from tests.balance.test_deck_space import SIZE, spaces
from tests.duels import CORE
from tests.refusals import complaint_of

ALL_SMALL = all_decks(len(SMALL_COSTS), SIZE)
TIGHT = {"0": (0, 2), "1": (8, 10), "2": (7, 9), "3": (6, 6), "4": (2, 4), "5": (2, 4)}


@pytest.mark.thorough
@given(space=spaces())
@settings(max_examples=60)
def test_legal_decks_are_found_if_and_only_if_there_are_any(space):
    if space.legal(ALL_SMALL).any():
        decks = random_decks(space, 3, np.random.default_rng(1))
        assert decks.shape == (3, SIZE)
        assert space.legal(decks).all()
    else:
        with pytest.raises(InputError, match=r"^build: no deck is legal: "):
            check_space(space)


def test_random_decks_reach_every_legal_deck():
    space = space_in(small_table(), size=SIZE, curve={"1": (2, 2), "2": (1, 1)})
    found = np.unique(np.sort(random_decks(space, 150, np.random.default_rng(1))), axis=0)
    assert found.tolist() == ALL_SMALL[space.legal(ALL_SMALL)].tolist()


def test_decks_are_a_function_of_the_generator_and_differ():
    space = space_in(curve=TIGHT)
    first, again = (random_decks(space, 8, np.random.default_rng(5)) for _ in range(2))
    assert first.tolist() == again.tolist()
    assert len(np.unique(first, axis=0)) == 8


def test_without_limits_on_several_cards_the_program_draws_copies():
    space = space_in()
    numbers = np.random.default_rng(3).random(2 * len(CORE.cards))
    chosen = deck_program._solve(space, numbers, frozenset())
    smallest = np.argsort(numbers)[: space.size]
    assert np.flatnonzero(chosen).tolist() == sorted(smallest.tolist())


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (
            {"curve": {"1": (20, 30), "2": (20, 30)}},
            "curve.1 = [20, 30] (of 22 copies of that cost), curve.2 = [20, 30] (of 32 copies of "
            "that cost) and size = 30 exclude each other; ease curve.1 or curve.2 or size",
        ),
        (
            {"curve": {"9": (1, 2)}},
            "curve.9 = [1, 2] (of 0 copies of that cost) cannot be met",
        ),
        (
            {"curve": dict.fromkeys("012345", (0, 4))},
            "curve.0 = [0, 4] (of 2 copies of that cost), curve.1 = [0, 4] (of 22 copies",
        ),
        (
            {"collection": {"puffball": 2, "ash_urchin": 1}},
            "the collection (3 copies of 2 cards) and size = 30 exclude each other",
        ),
        ({"collection": {}}, "the collection (0 copies of 0 cards) and size = 30 exclude"),
        (
            {"collection": {}, "budget": 29.5},
            "budget = 29.5 (beyond 0 owned copies) and size = 30 exclude each other; ease budget "
            "or size",
        ),
        (
            {"origin": load_deck("ember_rush"), "curve": {"1": (9, 9)}, "swaps": 1},
            "curve.1 = [9, 9] (of 22 copies of that cost), swaps = 1 and size = 30 exclude",
        ),
        (
            {"origin": load_deck("ember_rush"), "copies": 1, "swaps": 1},
            "at most 1 copy of a card and swaps = 1 exclude each other",
        ),
    ],
)
def test_what_excludes_every_deck_is_named(wanted, says):
    message = complaint_of(check_space, space_in(**wanted))
    assert message.startswith(f"build: no deck is legal: {says}")


def test_two_troubles_at_once_are_told_one_at_a_time():
    """No single limit is to blame, so limits are named that exclude each other."""
    space = space_in(curve={"9": (1, 1), "8": (1, 1)})
    with pytest.raises(InputError, match=r"^build: no deck is legal: curve.8 = .* cannot be met$"):
        check_space(space)


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
    origin = small_deck({"a": 2, "b": 2})
    space = space_in(small_table(), origin, copies=1, swaps=2)
    assert not space.holds_origin
    decks = random_decks(space, 20, np.random.default_rng(0))
    assert space.legal(decks).all()
    assert (space.n_swaps(decks) == 2).all()
