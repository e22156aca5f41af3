"""Printed cards before and after a patch, and minions that become the largest of their cost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.cards.largest_minions import largest_minions
from balance.cards.printed_cards import ChangedCard, changed_cards
from balance.contest.patch import Edit, apply_patch
from sim import Card, Effect, Pool
from sim.ruleset import RULES
from tests.messages import check_message


def minion(name: str, cost: int, attack: int, health: int, **more: Any) -> Card:
    return Card(id=name, name=name.title(), cost=cost, attack=attack, health=health, **more)


def edit(card: str, field: str, before: int, after: int) -> Edit:
    return Edit(card, card.title(), field, before, after)


DRAW = Effect.model_validate({"on": "play", "do": "draw"})
BURN = Effect.model_validate({"on": "play", "do": "damage", "to": "enemy_player", "amount": 2})
POOL = Pool(
    name="market",
    cards=(
        minion("cat", 2, 3, 2, effects=(DRAW,)),
        minion("moth", 1, 1, 2, keywords=("haste", "divine_shield")),
        minion("boy", 1, 2, 1),
        minion("ox", 2, 4, 4),
        Card(id="bolt", name="Bolt", kind="spell", cost=1, effects=(BURN,)),
        Card(id="axe", name="Axe", kind="weapon", cost=2, attack=3, durability=2),
    ),
)


def test_changed_cards_show_all_numbers_before_and_after() -> None:
    patch = [edit("cat", "attack", 3, 4), edit("boy", "health", 1, 2), edit("cat", "cost", 2, 1)]
    cat, boy = changed_cards(POOL, [*patch, edit(RULES, "life", 20, 22)])
    assert (cat.card, cat.name, cat.kind, boy.card) == ("cat", "Cat", "minion", "boy")
    assert cat.before[:4] == (2, 3, 2, None)
    assert cat.after[:4] == (1, 4, 2, None)
    assert cat.before.text == cat.after.text
    check_message(cat.before.text)
    assert boy.after.text == ""
    check_message(str(cat))


def test_changed_cards_show_keywords_spells_and_weapons() -> None:
    patch = [
        edit("moth", "health", 2, 3),
        edit("bolt", "amount", 2, 3),
        edit("axe", "durability", 2, 3),
    ]
    moth, bolt, axe = changed_cards(POOL, patch)
    check_message(moth.after.text)
    assert bolt.after[:4] == (1, None, None, None)
    assert ("2 damage" in bolt.before.text, "3 damage" in bolt.after.text) == (True, True)
    assert str(bolt).count("damage") == 2  # both texts are shown, since they differ
    assert (axe.after.attack, axe.after.health, axe.after.durability) == (3, None, 3)
    assert str(axe.after) == "2 mana 3/3"


def test_a_row_comes_back_from_a_summary() -> None:
    (cat,) = changed_cards(POOL, [edit("cat", "attack", 3, 4)])
    assert ChangedCard.from_entry(json.loads(json.dumps(cat.as_entry()))) == cat


def test_an_improved_minion_that_becomes_the_largest_of_its_cost_is_reported() -> None:
    patch = [edit("cat", "cost", 2, 1), edit("cat", "attack", 3, 5)]
    (cat,) = largest_minions(POOL, patch)
    assert cat[:5] == ("cat", "Cat", 1, 5, 2)
    assert cat[5:] == ("Moth", 1, 2)


@pytest.mark.parametrize(
    "patch",
    [
        [edit("cat", "attack", 3, 5)],  # the ox is larger
        [edit("cat", "attack", 3, 6)],  # as large as the ox
        [edit("ox", "attack", 4, 5)],  # was the largest
        [edit("ox", "cost", 2, 3)],  # dearer, so no better
        [edit("moth", "health", 2, 1)],  # the boy is larger then, and has not changed
        [edit("axe", "attack", 3, 9)],  # no minion
    ],
)
def test_other_minions_are_not_reported(patch: list[Edit]) -> None:
    assert largest_minions(POOL, patch) == ()


def test_the_only_minion_of_a_cost_has_no_next() -> None:
    (ox,) = largest_minions(POOL, [edit("ox", "attack", 4, 5), edit("ox", "cost", 2, 5)])
    assert (ox.cost, ox.next_name, ox.next_attack) == (5, None, None)


MINIONS = [card for card in POOL.cards if card.kind == "minion"]


@given(st.data())
def test_the_largest_have_more_than_any_other_of_their_cost(data: st.DataObject) -> None:
    steps = st.integers(-1, 3)
    patch = [
        edit(card.id, field, card.number(field), max(1, card.number(field) + step))
        for card in MINIONS
        for field in ("cost", "attack", "health")
        if (step := data.draw(steps))
    ]
    patch = [one for one in patch if one.after != one.before]  # a cost of 1 falls no further
    after = [card for card in apply_patch(POOL, patch).cards if card.kind == "minion"]

    def largest_of(cards: list[Card]) -> set[tuple[str, int]]:
        tops = set()
        for card in cards:
            same = [one.attack + one.health for one in cards if one.cost == card.cost]
            if sorted(same)[-1] == card.attack + card.health and same.count(max(same)) == 1:
                tops.add((card.id, card.cost))
        return tops

    better = {one.card for one in patch if (one.after > one.before) == (one.field != "cost")}
    new = {card for card, _ in largest_of(after) - largest_of(MINIONS)}
    assert {one.card for one in largest_minions(POOL, patch)} == new & better
