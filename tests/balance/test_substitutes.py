"""Substitutes for missing cards: which cards may fill their slots, and their ranking."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance import CardContest
from balance.decks.open_slots import Vacancies, Vacancy, find_vacancies
from balance.decks.substitutes import find_substitutes, n_stages
from balance.decks.substitution import Substitution
from balance.metagame.field import field_of, mirror_of, play_field
from sim.play.batch import deck_row
from tests.balance.contests import THREE, body, own_contest
from tests.duels import DUEL
from tests.refusals import refusal_of

POOL = THREE.table.pool
RUSH = THREE.players[0]
FIELD = field_of(THREE, but=RUSH.name)
BUDGET = {"race_games": 40, "n_games": 200, "shown": 4, "run_seed": 5}


def substitutes_in(contest: CardContest, missing, owned=None, **more: object) -> Substitution:
    """Return the substitutes for cards of the first player."""
    player = contest.players[0]
    vacancies = find_vacancies(player.deck, contest.table.pool, DUEL, missing, owned)
    return find_substitutes(
        player, field_of(contest, but=player.name), vacancies, **(BUDGET | more)
    )


def substitutes_of(*missing: str, **more: object) -> Substitution:
    return substitutes_in(THREE, missing, **more)


@pytest.fixture(scope="module")
def found() -> Substitution:
    return substitutes_of("ember_whelp")


def test_a_far_stronger_card_comes_first_and_a_twin_does_no_harm():
    plain = [body(f"plain_{k}", k, k, k) for k in (1, 2, 3, 4, 5)]
    cards = [body("weak", 1, 0, 1), body("twin", 1, 0, 1), body("giant", 1, 5, 5), *plain]
    contest = own_contest(cards, [dict.fromkeys(["weak", *(card.id for card in plain)], 2)] * 2)
    found = substitutes_in(contest, ["weak"])
    pool = contest.table.pool
    by_name = {pool.cards[one.cards[0]].id: one for one in found.candidates}
    assert list(by_name) == ["giant", "twin"]
    assert (by_name["twin"].gain, by_name["twin"].distance) == ((0, 0, 0), 0)
    assert found.by_role == (1, 0)
    assert by_name["giant"].gain.low > 0


def test_every_legal_card_is_ranked_once_in_both_orders(found):
    cards = [one.cards[0] for one in found.candidates]
    assert sorted(cards) == [k for k in range(len(POOL.cards)) if k not in RUSH.deck.slots(POOL)]
    assert sorted(found.by_role) == list(range(len(cards)))
    distances = [found.candidates[k].distance for k in found.by_role]
    assert distances == sorted(distances)


def test_the_best_of_both_orders_are_measured_and_the_first_raced_longest(found):
    measured = [k for k, one in enumerate(found.candidates) if one.gain is not None]
    assert measured == list(range(len(measured)))
    assert set(found.by_role[:4]) <= set(measured)
    gains = [found.candidates[k].race_gain for k in measured]
    assert gains == sorted(gains, reverse=True)
    spent = [one.n_games for one in found.candidates]
    assert (spent[0], min(spent)) == (max(spent), 40)


def test_the_interval_comes_from_games_that_chose_nothing(found):
    first = found.candidates[0]
    intact = deck_row(RUSH.deck.slots(POOL))
    decks = np.stack([intact, found.vacancies.fill(intact, first.cards)])
    games = {"n_games": 200, "run_seed": 5, "purpose": "substitute/measure"}
    again = play_field(FIELD, decks, RUSH.agent, keep_games=True, **games)
    assert first.gain == tuple(bound[1] for bound in again.gain_over(0))
    assert found.intact == tuple(bound[0] for bound in again.score())


def test_where_few_cards_may_stand_in_their_order_in_the_pool_does_not_matter():
    """Two of twelve candidates are far better, and race even if all are to be shown."""
    plain = [body(f"plain_{k}", k, k, k) for k in (1, 2, 3, 4)]
    weak = [body(f"weak_{k}", 1, 0, 1) for k in range(10)]
    giants = [body(f"giant_{k}", 1, 5, 5) for k in range(2)]
    deck = {card.id: 2 for card in plain}
    asked = {"race_games": 20, "n_games": 40, "shown": 12}
    for order in (weak + giants, giants + weak):
        contest = own_contest([*plain, *order], [deck, deck])
        found = substitutes_in(contest, [*deck], {card.id: 2 for card in order}, **asked)
        first = {contest.table.pool.cards[card].id for card in found.candidates[0].cards}
        assert {"giant_0", "giant_1"} <= first


def test_several_missing_cards_are_filled_together():
    found = substitutes_of("ember_whelp", "furnace_rat", "pyre_champion", race_games=4, n_games=40)
    decks = [frozenset(found.vacancies.copies_of(one.cards).items()) for one in found.candidates]
    assert len(set(decks)) == len(decks)
    for one in found.candidates:
        assert found.vacancies.is_legal(one.cards)
        assert len(set(one.cards)) == 3  # with two copies each, nobody can take two places


def test_the_mirror_measures_against_the_intact_deck():
    vacancies = find_vacancies(RUSH.deck, POOL, DUEL, ["ember_whelp"])
    found = find_substitutes(RUSH, mirror_of(THREE, RUSH), vacancies, **BUDGET)
    assert found.intact == (0.5, 0.5, 0.5)


def test_all_games_are_counted(found):
    finalists = sum(one.gain is not None for one in found.candidates)
    rounds = [41, 21, 11, 6]  # halved until four are left, the intact deck beside them
    races = sum((1 + n) * 40 * 2**k for k, n in enumerate(rounds))
    assert found.total_games == 2 * (races + 2 * (1 + finalists) * 200)


@pytest.mark.parametrize("missing", [("ember_whelp",), ("ember_whelp", "furnace_rat")])
def test_every_stage_is_reported(missing: tuple[str, ...]):
    stages: list[str] = []
    found = substitutes_of(*missing, race_games=4, n_games=4, on_stage=stages.append)
    assert len(stages) == n_stages(found.vacancies)
    assert stages[-1].startswith("measuring")


def test_a_pair_that_nothing_can_fill_together_is_refused():
    cards = [body("a", 1, 1, 1), body("b", 1, 1, 2), body("c", 1, 2, 1), body("d", 2, 2, 2)]
    contest = own_contest(cards, [{"a": 2, "b": 2, "d": 2}, {"d": 2, "c": 2, "a": 2}])
    owned = {"a": 0, "b": 0, "c": 2, "d": 2}
    error = refusal_of(substitutes_in, contest, (), owned)
    assert error.place == "cards 'a', 'b'"
    assert error.value == 4


# --- the slots of missing cards, and who may take them ---

SLOTS = RUSH.deck.slots(POOL)
PUFFBALL = POOL.index("puffball")
NURSE = POOL.index("gill_nurse")


def test_all_copies_are_missing_without_a_collection():
    vacancies = find_vacancies(RUSH.deck, POOL, DUEL, ["ember_whelp"])
    assert vacancies.open == (Vacancy(POOL.index("ember_whelp"), (8, 9)),)
    assert vacancies.kept[POOL.index("ember_whelp")] == 0
    allowed = vacancies.stand_ins(vacancies.open[0])
    assert sorted(allowed) == [k for k in range(len(POOL.cards)) if k not in SLOTS]


def test_missing_copies_follow_from_the_collection():
    owned = {card.id: 2 for card in POOL.cards} | {"ember_whelp": 1, "furnace_rat": 0}
    vacancies = find_vacancies(RUSH.deck, POOL, DUEL, (), owned)
    assert [len(vacancy.slots) for vacancy in vacancies.open] == [1, 2]
    assert vacancies.missing == (POOL.index("ember_whelp"), POOL.index("furnace_rat"))


def test_copies_part_where_no_card_can_fill_all_of_them():
    owned = dict.fromkeys(RUSH.deck.cards, 2) | {"ember_whelp": 0, "puffball": 1, "gill_nurse": 1}
    vacancies = find_vacancies(RUSH.deck, POOL, DUEL, ["ember_whelp"], owned)
    assert [vacancy.slots for vacancy in vacancies.open] == [(8,), (9,)]
    both = vacancies.best_fillings([{PUFFBALL: 1.0, NURSE: 0.5}] * 2, 9)
    assert both == sorted([(PUFFBALL, NURSE), (NURSE, PUFFBALL)])  # never one of them twice


def test_filling_keeps_every_other_slot():
    vacancies = find_vacancies(RUSH.deck, POOL, DUEL, ["ember_whelp", "cinder_imp"])
    row = deck_row(SLOTS)
    filled = vacancies.fill(row, (PUFFBALL, NURSE))
    changed = {slot: card for slot, card in enumerate(filled[1:31]) if card != row[1 + slot]}
    assert changed == {8: PUFFBALL, 9: PUFFBALL, 0: NURSE, 1: NURSE}


@given(st.data())
def test_the_beam_search_equals_exhaustive_search(data: st.DataObject):
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
    ("missing", "collection", "place"),
    [
        (["puffball"], None, "card 'puffball'"),
        ((), {card.id: 2 for card in POOL.cards}, "deck 'ember_rush'"),
        (["ember_whelp"], {"ember_whelp": 2}, "card 'ember_whelp'"),
        (["ember_whelp"], {}, "card 'ember_whelp'"),
    ],
)
def test_a_question_without_an_answer_is_refused(missing, collection, place):
    error = refusal_of(find_vacancies, RUSH.deck, POOL, DUEL, missing, collection)
    assert error.place == place


def test_an_unknown_missing_card_is_refused():
    refusal_of(find_vacancies, RUSH.deck, POOL, DUEL, ["ember_welp"], None)


@pytest.mark.parametrize("doubled", [0, 40])
def test_places_that_can_be_filled_together_are_filled(doubled):
    """Four vacancies of one copy and one of two, with only one card that is owned twice."""
    places = *(Vacancy(100 + k, (k,)) for k in range(4)), Vacancy(104, (4, 5))
    once = dict.fromkeys(range(41), 1)
    vacancies = Vacancies(places, {}, once | {doubled: 2})
    found = vacancies.some_filling() or ()
    assert vacancies.is_legal(found)
    assert found[4] == doubled
    assert Vacancies(places, {}, once).some_filling() is None


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
