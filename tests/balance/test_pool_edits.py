"""Edits of cards and rules: those between two pools, and the patches that they make."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.cards.pool_edits import edits_between, sized_patch
from balance.contest.patch import apply_patch, apply_to_rules
from balance.space.tune import Tune
from sim import Card, Pool, load_ruleset
from sim.play.table import OF_RULES, Gene
from tests.balance.contests import THREE, body, own_contest

NUMBERS = [Gene(k, field) for k in range(8) for field in THREE.table.pool.cards[k].fields]
NUMBERS += [Gene(OF_RULES, "life"), Gene(OF_RULES, "opening_hand_second")]
CORE = THREE.table.pool
DUEL = THREE.table.ruleset


@given(st.dictionaries(st.sampled_from(NUMBERS), st.sampled_from([1, 2])))
def test_edits_between_are_those_that_were_made(edits: dict[Gene, int]) -> None:
    patch = sized_patch(THREE, edits, Tune())
    pool = apply_patch(CORE, patch.edits)
    rules = apply_to_rules(DUEL, patch.edits)
    assert edits_between(THREE, pool, rules) == edits
    assert patch.change == sum(edits.values())
    assert patch.cards_touched == len({gene.owner for gene in edits} - {OF_RULES})


def test_the_rules_come_last_in_a_patch_and_weights_count() -> None:
    edits = {Gene(OF_RULES, "life"): -2, Gene(3, "cost"): 1, Gene(0, "attack"): 1}
    patch = sized_patch(THREE, edits, Tune(weights={"cost": 3}))
    assert [edit.field for edit in patch.edits] == ["attack", "cost", "life"]
    assert patch.change == 1 + 3 + 2


def test_names_and_tags_are_no_edits() -> None:
    first = CORE.cards[0].model_copy(update={"name": "Renamed", "tags": ("rare",)})
    renamed = CORE.model_copy(update={"name": "other", "cards": (first, *CORE.cards[1:])})
    assert edits_between(THREE, renamed, DUEL) == {}


def with_cards(*cards: Card) -> Pool:
    return CORE.model_copy(update={"cards": cards})


FIRST, *OTHERS = CORE.cards
LOUD = next(card for card in CORE.cards if card.effects)
OTHERWISE = {
    "order": (with_cards(*CORE.cards[::-1]), DUEL),
    "fewer": (with_cards(*CORE.cards[:-1]), DUEL),
    "keyword": (with_cards(FIRST.model_copy(update={"keywords": ("taunt",)}), *OTHERS), DUEL),
    "effects": (
        with_cards(*(
            card.model_copy(update={"effects": ()}) if card is LOUD else card for card in CORE.cards
        )),
        DUEL,
    ),
    "switch": (CORE, DUEL.model_copy(update={"board_limit": 4})),
}  # fmt: skip


@pytest.mark.parametrize("what", OTHERWISE)
def test_where_more_than_numbers_differ_there_are_no_edits(what: str) -> None:
    assert edits_between(THREE, *OTHERWISE[what]) is None


def test_a_coin_that_is_dealt_can_be_taken_and_none_given() -> None:
    legacy = load_ruleset("legacy").model_copy(update={"hero_powers": False, "copy_limit": 30})
    without = legacy.with_numbers({"coin": 0})
    for now, then, edits in (
        (legacy, without, {Gene(OF_RULES, "coin"): -1}),
        (without, legacy, None),
    ):
        contest = own_contest([body("ox", 2, 2, 3)], [{"ox": 10}] * 2, ruleset=now)
        assert edits_between(contest, contest.table.pool, then) == edits
