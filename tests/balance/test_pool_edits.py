"""Edits of cards and rules: those between two pools, and what patch they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.patch import apply_patch, apply_to_rules
from balance.pool_edits import edits_between, sized_patch
from balance.tune import Tune
from sim import Pool, load_ruleset
from sim.play.table import OF_RULES, Gene
from tests.balance.contests import THREE, body, own_contest

NUMBERS = [Gene(k, field) for k in range(8) for field in THREE.table.pool.cards[k].fields]
NUMBERS += [Gene(OF_RULES, "life"), Gene(OF_RULES, "opening_hand_second")]
CORE, DUEL = THREE.table.pool, THREE.table.ruleset


@given(st.dictionaries(st.sampled_from(NUMBERS), st.sampled_from([1, 2])))
def test_edits_between_are_those_that_were_made(edits: dict[Gene, int]) -> None:
    patch = sized_patch(THREE, edits, Tune())
    pool, rules = apply_patch(CORE, patch.edits), apply_to_rules(DUEL, patch.edits)
    assert edits_between(THREE, pool, rules) == edits
    assert patch.change == sum(edits.values())
    assert patch.cards_touched == len({gene.owner for gene in edits} - {OF_RULES})


def test_the_rules_come_last_in_a_patch_and_weights_count() -> None:
    edits = {Gene(OF_RULES, "life"): -2, Gene(3, "cost"): 1, Gene(0, "attack"): 1}
    patch = sized_patch(THREE, edits, Tune(weights={"cost": 3, "card": 0.5}))
    assert [edit.field for edit in patch.edits] == ["attack", "cost", "life"]
    assert patch.change == 1 + 3 + 2 + 2 * 0.5


def renamed(pool: Pool) -> Pool:
    first = pool.cards[0].model_copy(update={"name": "Renamed", "tags": ("rare",)})
    return pool.model_copy(update={"name": "other", "cards": (first, *pool.cards[1:])})


def test_names_and_tags_are_no_edits() -> None:
    assert edits_between(THREE, renamed(CORE), DUEL) == {}


@pytest.mark.parametrize("change", ["order", "fewer", "keyword", "kind of effect", "switch"])
def test_where_more_than_numbers_differ_there_are_no_edits(change: str) -> None:
    cards, rules = list(CORE.cards), DUEL
    whole = next(k for k, card in enumerate(cards) if card.effects)
    if change == "order":
        cards.reverse()
    elif change == "fewer":
        del cards[-1]
    elif change == "keyword":
        cards[0] = cards[0].model_copy(update={"keywords": ("taunt",)})
    elif change == "kind of effect":
        cards[whole] = cards[whole].model_copy(update={"effects": ()})
    else:
        rules = DUEL.model_copy(update={"board_limit": 4})
    assert edits_between(THREE, CORE.model_copy(update={"cards": tuple(cards)}), rules) is None


def test_a_coin_that_is_dealt_can_be_taken_and_none_given() -> None:
    legacy = load_ruleset("legacy")
    without = legacy.with_numbers({"coin": 0})
    contest = own_contest([body("ox", 2, 2, 3)], [{"ox": 10}] * 2, ruleset=legacy)
    assert edits_between(contest, contest.table.pool, without) == {Gene(OF_RULES, "coin"): -1}
    contest = own_contest([body("ox", 2, 2, 3)], [{"ox": 10}] * 2, ruleset=without)
    assert edits_between(contest, contest.table.pool, legacy) is None
