"""Restrictions of a deck's cards, against rules written out: factions, tags and quotas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.decks.building import prepare_search
from balance.decks.open_slots import find_vacancies
from balance.decks.operators import breed
from balance.decks.program import check_space, random_decks
from balance.decks.space import DeckSpace, deck_space
from sim import Deck, InputError, Pool, Ruleset
from sim.play import Table, pack_table
from tests.balance.contests import RUSH_KEEP, THREE, body
from tests.balance.decks import all_decks, settings_of
from tests.duels import DUEL
from tests.refusals import refusal_of

SIZE = 4
TAGS = {
    "a": ("wok",),
    "b": ("wok", "rare"),
    "c": ("tea",),
    "d": ("tea", "wok"),
    "e": (),
    "f": ("rare",),
}
CARDS = tuple(body(name, 1, 1, 1, tags=tags) for name, tags in TAGS.items())
RULES = Ruleset.model_validate(DUEL.model_dump() | {"opening_hand": (1, 1), "copy_limit": 3})
TABLE: Table = pack_table(Pool(name="own", cards=CARDS), RULES)
FACTIONS = ("tag:wok", "tag:tea")
BOUNDS = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)).map(lambda pair: tuple(sorted(pair)))


def deck_of(cards: str) -> Deck:
    """Return a deck from a string with one letter per card."""
    copies = {card: cards.count(card) for card in dict.fromkeys(cards)}
    return Deck(name="mine", pool="own", ruleset="duel", cards=copies)


def space_of(origin: Deck | None = None, **build: Any) -> DeckSpace:
    """Return the space of decks that `[build]` permits."""
    size = SIZE if origin is None else None
    return deck_space(TABLE, settings_of(size=size, **build), origin)


def is_of_one_faction(deck: list[str]) -> bool:
    """Return whether one faction has all cards of a deck that are of any faction."""
    of_any = [set(TAGS[card]) - {"rare"} for card in deck if {"wok", "tea"} & set(TAGS[card])]
    return not of_any or bool(set.intersection(*of_any))


@settings(max_examples=30)
@given(
    within=st.sampled_from([None, FACTIONS]),
    only=st.sampled_from([None, ("tag:wok",), ("tag:tea", "tag:rare")]),
    quotas=st.none() | st.dictionaries(st.sampled_from(["tag:rare", "tag:wok"]), BOUNDS),
)
def test_a_deck_is_legal_if_its_cards_are(within, only, quotas):
    space = space_of(within=within, only=only, quotas=quotas)
    decks = all_decks(len(CARDS), SIZE)
    expected = []
    for positions in decks.tolist():
        deck = [CARDS[place].id for place in positions]
        has = {label: sum(label[4:] in TAGS[card] for card in deck) for label in quotas or {}}
        expected.append(
            max(map(deck.count, deck)) <= 3
            and (within is None or is_of_one_faction(deck))
            and all(only is None or {one[4:] for one in only} & set(TAGS[card]) for card in deck)
            and all(low <= has[label] <= high for label, (low, high) in (quotas or {}).items())
        )
    assert space.legal(decks).tolist() == expected
    if not any(expected):
        with pytest.raises(InputError) as caught:
            check_space(space)
        assert caught.value.place == "build"
        assert caught.value.limit
        return
    rng = np.random.default_rng(1)
    drawn = random_decks(space, 20, rng)
    assert space.legal(drawn).all()
    children = breed(np.concatenate([drawn, drawn[::-1]]), space, rng)
    assert children.shape == drawn.shape


def test_decks_that_are_drawn_are_of_every_faction_and_children_keep_to_theirs():
    space = space_of(within=FACTIONS)
    rng = np.random.default_rng(2)
    drawn = random_decks(space, 60, rng)
    named = [{CARDS[place].id for place in deck} for deck in drawn.tolist()]
    assert any(deck & {"a", "b"} for deck in named)
    assert any("c" in deck for deck in named)
    children = breed(np.concatenate([drawn, drawn]), space, rng)
    assert space.fits_together(space.counts(children) > 0).all()


def test_limits_that_exclude_each_other_are_named():
    space = space_of(within=FACTIONS, quotas={"tag:rare": (4, 4)}, only=("tag:tea",))
    error = refusal_of(check_space, space)
    assert error.place == "build"
    assert [limit.split()[0] for limit in error.limit] == ["quotas.tag:rare", "only"]


def test_an_improved_deck_keeps_its_cards_and_gets_those_of_its_factions():
    space = space_of(deck_of("aabb"), within=FACTIONS, swaps=4)
    assert space.holds_origin
    offered = {card.id for card, most in zip(CARDS, space.most, strict=True) if most}
    assert offered == {"a", "b", "d", "e", "f"}
    only = space_of(deck_of("aabb"), only=("tag:tea",), swaps=4)
    assert only.holds_origin
    offered = {card.id for card, most in zip(CARDS, only.most, strict=True) if most}
    assert offered == {"a", "b", "c", "d"}


@pytest.mark.parametrize(
    ("restrictions", "expected"),
    [
        ({}, {"a", "c", "d", "e", "f"}),
        ({"within": FACTIONS}, {"a", "d", "e", "f"}),
        ({"only": ("tag:tea",)}, {"c", "d"}),
        ({"only": ("tag:tea",), "within": FACTIONS}, {"d"}),
    ],
)
def test_stand_ins_keep_to_the_restrictions(restrictions, expected):
    vacancies = find_vacancies(deck_of("aab"), TABLE.pool, RULES, ["b"], **restrictions)
    stand_ins = {CARDS[card].id for card in vacancies.stand_ins(vacancies.open[0])}
    assert stand_ins == expected


def test_restrictions_that_exclude_every_stand_in_are_named():
    deck = deck_of("bbbf")
    error = refusal_of(find_vacancies, deck, TABLE.pool, RULES, ["f"], only=("tag:rare",))
    assert error.place == "card 'f'"


def test_a_built_deck_has_as_many_cards_as_its_opponents():
    search, _ = prepare_search(RUSH_KEEP, settings_of())
    assert search.space.size == RUSH_KEEP.players[0].deck.n_cards
    sizes = [20, 24, 24]
    opponents = [deck_of("abc").model_copy(update={"cards": {"a": n}}) for n in sizes]
    assert deck_space(THREE.table, settings_of(), opponents=opponents).size == 24
    assert deck_space(THREE.table, settings_of(), opponents=opponents[:2]).size == 24
    assert deck_space(THREE.table, settings_of(size=20), opponents=opponents).size == 20
    assert deck_space(THREE.table, settings_of()).size == THREE.table.ruleset.deck_limit
