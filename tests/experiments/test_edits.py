"""Edits as people write them: which are read, and what is said of the others."""

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
from tests.refusals import complaint_of

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
    ("written", "message"),
    [
        ("ember_welp.attack=1", "pool 'core': no card 'ember_welp'; did you mean 'ember_whelp'?"),
        ("ember_whelp.atack=1", "'ember_whelp' has no 'atack'; did you mean 'attack'?"),
        ("ember_whelp.durability=1", "has no 'durability'; known: cost, attack, health"),
        ("ember_whelp.attack=9", "ember_whelp.attack = 9 must be from 0 to 5"),
        ("ember_whelp.attack=-1", "ember_whelp.attack = -1 must be from 0 to 5"),
        ("ember_whelp.health=0", "ember_whelp.health = 0 must be from 1 to 5"),
        ("kindling_thrower.amount=0", "kindling_thrower.amount = 0 must be from 1 to 1000"),
        ("ember_whelp.attack=3", "ember_whelp.attack is 3 today, so this changes nothing"),
        ("gill_nurse.cost+1", "of ember_rush, tide_keep and grove_march plays 'gill_nurse'"),
        ("rules.lif=2", "unknown number of the rules 'lif'; did you mean 'life'?"),
        ("rules.hand_limit=2", "unknown number of the rules 'hand_limit'; known: life, mana_max, "),
        ("rules.life=0", "life = 0 must be at least 1"),
        ("rules.opening_hand_first=12", "opening_hand = [12, 5] must be at most hand_limit = 9"),
        ("rules.extra_life_second-1", "extra_life_second = -1 must be at least 0"),
        ("rules.coin=0", "ruleset 'duel' has no coin that could be taken away"),
        ("attack=1", "which card's? write it as CARD.FIELD=3"),
        *(
            (text, "write it as CARD.FIELD=3, CARD.FIELD+1 or rules.life=25")
            for text in ("", "ember_whelp", "ember_whelp.attack", "ember_whelp.attack=1.5",
                         "ember_whelp.attack 3 -> 2", "ember_whelp.attack=99999999999", "=1")
        ),
    ],
)  # fmt: skip
def test_what_is_no_edit_is_refused_by_name(written: str, message: str) -> None:
    said = complaint_of(read_edits, [written], THREE)
    assert said.startswith(f"edit {written!r}: ")
    assert message in said


def test_a_number_is_edited_once_whatever_it_is_called() -> None:
    assert "is edited twice; name it once" in complaint_of(
        read_edits, ["ember_whelp.attack=1", "Ember Whelp.attack-1"], THREE
    )


@pytest.mark.parametrize("contest", [THREE, SAGA], ids=["duel", "rich"])
def test_a_coin_is_there_or_not(contest: CardContest) -> None:
    assert "coin" in complaint_of(read_edits, ["rules.coin=2"], contest)


@settings(max_examples=60)
@given(st.text(alphabet="ember_whlp.atck=+-1 2\x00é", max_size=24))
def test_whatever_is_written_is_an_edit_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        assert read_edits([text], THREE)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ember_whelp.cost=1.5", "whole"),
        ("ember_whelp.attack*2", "whole"),
        ("ember_whelp.attack=+50%", "whole"),
        ("ember_whelp.name=Sailor", "only numbers"),
        ("ember_whelp.keywords=taunt", "only numbers"),
    ],
)
def test_what_is_no_edit_of_a_number_is_refused_with_the_reason(text: str, reason: str) -> None:
    assert reason in complaint_of(read_edits, [text], THREE)
