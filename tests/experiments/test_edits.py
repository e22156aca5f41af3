"""Edits as people write them: which are read, and how the others are refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance import CardContest
from experiments.files.edits import read_edits
from experiments.loading import load_experiment
from sim import InputError
from sim.play.table import OF_RULES, Gene
from tests.balance.contests import THREE
from tests.refusals import refusal_of

CARDS = THREE.table.pool.cards
WHELP, THROWER = (
    next(k for k, card in enumerate(CARDS) if card.id == name)
    for name in ("ember_whelp", "kindling_thrower")
)
SAGA = load_experiment("saga_decks").contest()


@pytest.mark.parametrize(
    ("written", "edits"),
    [
        ("ember_whelp.attack=1", {Gene(WHELP, "attack"): -2}),
        ("ember_whelp.attack-1", {Gene(WHELP, "attack"): -1}),
        ("ember whelp.attack = 4", {Gene(WHELP, "attack"): 1}),
        (" Ember Whelp.cost += 1 ", {Gene(WHELP, "cost"): 1}),
        ("kindling_thrower.amount+1", {Gene(THROWER, "amount"): 1}),
        ("kindling_thrower.damage+1", {Gene(THROWER, "amount"): 1}),
        ("rules.life=25", {Gene(OF_RULES, "life"): 5}),
        ("life=25", {Gene(OF_RULES, "life"): 5}),
        ("rules.extra_life_second=5", {Gene(OF_RULES, "extra_life_second"): 5}),
        ("rules.extra_mana_second+1", {Gene(OF_RULES, "extra_mana_second"): 1}),
        ("tune.rules.opening_hand_second-1", {Gene(OF_RULES, "opening_hand_second"): -1}),
    ],
)
def test_an_edit_names_a_number_and_where_it_goes(written: str, edits: dict[Gene, int]) -> None:
    assert read_edits([written], THREE) == edits


def test_several_edits_are_all_made() -> None:
    edits = read_edits(["ember_whelp.attack=1", "life+2"], THREE)
    assert edits == {Gene(WHELP, "attack"): -2, Gene(OF_RULES, "life"): 2}
    assert read_edits(["rules.coin=0"], SAGA) == {Gene(OF_RULES, "coin"): -1}


@pytest.mark.parametrize(
    "written",
    [
        "ember_welp.attack=1", "ember_whelp.atack=1", "ember_whelp.durability=1",
        "ember_whelp.attack=9", "ember_whelp.attack=-1", "ember_whelp.health=0",
        "kindling_thrower.amount=0", "ember_whelp.attack=3", "gill_nurse.cost+1", "rules.lif=2",
        "rules.hand_limit=2", "rules.life=0", "rules.opening_hand_first=12",
        "rules.extra_life_second-1", "rules.coin=0", "attack=1", "", "ember_whelp",
        "ember_whelp.attack", "ember_whelp.attack=1.5", "ember_whelp.attack 3 -> 2",
        "ember_whelp.attack=99999999999", "=1",
    ],
)  # fmt: skip
def test_a_wrong_edit_is_refused_by_name(written: str) -> None:
    assert refusal_of(read_edits, [written], THREE).place.startswith(f"edit {written!r}")


def test_a_number_can_be_edited_only_once_by_whatever_name() -> None:
    refusal_of(read_edits, ["ember_whelp.attack=1", "Ember Whelp.attack-1"], THREE)


@pytest.mark.parametrize("contest", [THREE, SAGA], ids=["duel", "rich"])
def test_a_coin_is_there_or_not(contest: CardContest) -> None:
    refusal_of(read_edits, ["rules.coin=2"], contest)


@settings(max_examples=60)
@given(st.text(alphabet="ember_whlp.atck=+-1 2\x00é", max_size=24))
def test_any_text_is_an_edit_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        assert read_edits([text], THREE)


@pytest.mark.parametrize(
    "text",
    [
        "ember_whelp.cost=1.5",
        "ember_whelp.attack*2",
        "ember_whelp.attack=+50%",
        "ember_whelp.name=Sailor",
        "ember_whelp.keywords=taunt",
    ],
)
def test_an_edit_of_something_other_than_a_number_is_refused(text: str) -> None:
    refusal_of(read_edits, [text], THREE)
