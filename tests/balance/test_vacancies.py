"""The slots of missing cards, and who may take them."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.decks.open_slots import Vacancies, Vacancy, find_vacancies
from sim import InputError, load_deck, load_pool
from sim.play.batch import deck_row
from tests.duels import DUEL

POOL = load_pool("core")
RUSH = load_deck("ember_rush")
SLOTS = RUSH.slots(POOL)


def test_all_copies_are_missing_without_a_collection():
    vacancies = find_vacancies(RUSH, POOL, DUEL, ["ember_whelp"])
    assert vacancies.open == (Vacancy(POOL.index("ember_whelp"), (8, 9)),)
    assert vacancies.kept[POOL.index("ember_whelp")] == 0
    allowed = vacancies.stand_ins(vacancies.open[0])
    assert sorted(allowed) == [k for k in range(len(POOL.cards)) if k not in SLOTS]


def test_a_collection_says_which_copies_are_missing():
    owned = {card.id: 2 for card in POOL.cards} | {"ember_whelp": 1, "furnace_rat": 0}
    vacancies = find_vacancies(RUSH, POOL, DUEL, (), owned)
    assert [len(vacancy.slots) for vacancy in vacancies.open] == [1, 2]
    assert vacancies.missing == (POOL.index("ember_whelp"), POOL.index("furnace_rat"))


def test_copies_part_where_no_card_can_fill_all_of_them():
    owned = dict.fromkeys(RUSH.cards, 2) | {"ember_whelp": 0, "puffball": 1, "gill_nurse": 1}
    vacancies = find_vacancies(RUSH, POOL, DUEL, ["ember_whelp"], owned)
    assert [vacancy.slots for vacancy in vacancies.open] == [(8,), (9,)]
    both = vacancies.best_fillings(
        [{POOL.index("puffball"): 1.0, POOL.index("gill_nurse"): 0.5}] * 2, 9
    )
    pair = (POOL.index("puffball"), POOL.index("gill_nurse"))
    assert both == sorted([pair, pair[::-1]])  # never one of them twice


def test_filling_keeps_every_other_slot():
    vacancies = find_vacancies(RUSH, POOL, DUEL, ["ember_whelp", "cinder_imp"])
    row = deck_row(SLOTS)
    filled = vacancies.fill(row, (POOL.index("puffball"), POOL.index("gill_nurse")))
    changed = {slot: card for slot, card in enumerate(filled[1:31]) if card != row[1 + slot]}
    assert changed == {
        8: POOL.index("puffball"),
        9: POOL.index("puffball"),
        0: POOL.index("gill_nurse"),
        1: POOL.index("gill_nurse"),
    }


@given(st.data())
def test_the_beam_finds_what_trying_everything_finds(data: st.DataObject):
    scores = [
        data.draw(st.dictionaries(st.integers(0, 5), st.integers(-9, 9).map(float), min_size=1))
        for _ in range(data.draw(st.integers(1, 3)))
    ]
    limits = data.draw(st.dictionaries(st.integers(0, 5), st.integers(1, 3)))
    most = dict.fromkeys(range(6), 2) | limits
    opened = tuple(Vacancy(9, (slot,)) for slot in range(len(scores)))
    vacancies = Vacancies(opened, {0: 1}, most)
    legal = [
        (-sum(one[card] for one, card in zip(scores, filling, strict=True)), filling)
        for filling in product(*scores)
        if all(n + (card == 0) <= most[card] for card, n in Counter(filling).items())
    ]
    found = vacancies.best_fillings(scores, 10_000)
    assert found == [filling for _, filling in sorted(legal)]
    assert vacancies.best_fillings(scores, 3) == found[:3] or len(scores) > 1


@pytest.mark.parametrize(
    ("missing", "collection", "says"),
    [
        (["ember_welp"], None, "did you mean 'ember_whelp'"),
        (["puffball"], None, "card 'puffball' is not in deck 'ember_rush'"),
        ((), {card.id: 2 for card in POOL.cards}, "the collection has all its cards"),
        (
            ["ember_whelp"],
            {"ember_whelp": 2},
            "'ember_whelp' is not missing: the collection has 2",
        ),
        (["ember_whelp"], {}, "no card of pool 'core' may take its place"),
    ],
)
def test_a_question_without_an_answer_is_refused(missing, collection, says):
    with pytest.raises(InputError, match=says):
        find_vacancies(RUSH, POOL, DUEL, missing, collection)


@pytest.mark.parametrize("doubled", [0, 40])
def test_places_that_can_be_filled_together_are_filled(doubled):
    """Four places for one copy and one for two, and but one card that is owned twice."""
    open_places = [Vacancy(100 + k, (k,)) for k in range(4)] + [Vacancy(104, (4, 5))]
    most = dict.fromkeys(range(41), 1) | {doubled: 2}
    vacancies = Vacancies(tuple(open_places), {}, most)
    found = vacancies.some_filling()
    assert found is not None
    assert vacancies.is_legal(found)
    assert found[4] == doubled
    assert Vacancies(tuple(open_places), {}, dict.fromkeys(range(41), 1)).some_filling() is None


@given(
    st.lists(st.sampled_from([1, 2]), min_size=1, max_size=4),
    st.lists(st.integers(0, 2), min_size=1, max_size=4),
)
def test_a_filling_is_found_if_there_is_one(sizes, rooms):
    ends = np.cumsum(sizes).tolist()
    places = tuple(
        Vacancy(100 + k, tuple(range(end - size, end)))
        for k, (size, end) in enumerate(zip(sizes, ends, strict=True))
    )
    vacancies = Vacancies(places, {}, dict(enumerate(rooms)))
    legal = [
        one for one in product(range(len(rooms)), repeat=len(sizes)) if vacancies.is_legal(one)
    ]
    found = vacancies.some_filling()
    assert (found is not None) == bool(legal)
    assert found is None or vacancies.is_legal(found)
