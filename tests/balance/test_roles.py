"""Distances of cards by their roles."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from balance.decks.roles import role_difference
from sim import Card, Effect
from sim.cards.effect import Token
from tests.balance.contests import body, spell
from tests.duels import DUEL
from tests.strategies import cards

DRAW = Effect(on="play", do="draw", amount=1)
STRIKE = Effect(on="play", do="damage", amount=2)
STRONGER = STRIKE.model_copy(update={"amount": 5})
SUMMON = Effect(on="play", do="summon", token=Token(attack=1, health=1))
LARGE = SUMMON.model_copy(update={"token": Token(attack=2, health=2)})
BOLT = Effect(on="play", do="damage", to="target", amount=3)
AXE = Card(id="a", name="A", kind="weapon", cost=2, attack=3, durability=2)


def changed(**changes: object) -> Effect:
    return BOLT.model_copy(update=changes)


def minion(*effects: Effect, **more: object) -> Card:
    return body("a", 2, 2, 2, effects=effects, **more)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        (minion(), body("b", 1, 2, 4), 1 + 2),  # each step of a number
        (minion(DRAW, keywords=("haste",)), minion(STRIKE, SUMMON), 2 + 2 + 2 + 2),
        (minion(STRIKE), minion(STRONGER), 3),  # steps of an amount
        (minion(DRAW, DRAW), minion(DRAW.model_copy(update={"amount": 2})), 0),
        (minion(SUMMON), minion(LARGE), 4),  # another effect gained, one lost
        (minion(), minion(tribe="beast"), 1),
        (minion(), spell("c", 2), 4 + 4),  # of another kind, and without a body
        (spell("c", 2), spell("d", 2, options=("x", "y")), 4),
        (spell("a", 2, BOLT), spell("b", 2, changed(amount=5)), 2),
        (spell("a", 2, BOLT), spell("c", 2, changed(when="combo")), 4),
        (spell("a", 2, BOLT), spell("d", 2, BOLT, target="enemy_minions"), 4),
        (spell("a", 2, BOLT), spell("e", 2, changed(amount_to=6)), 3),
        (AXE, AXE.model_copy(update={"durability": 4, "overload": 1}), 2 + 1),
    ],
)
def test_distances_by_hand(one: Card, other: Card, distance: int) -> None:
    assert role_difference(one, other).distance == distance


def test_a_difference_has_steps_keywords_and_effects() -> None:
    more = minion(DRAW, STRIKE, keywords=("haste",))
    difference = role_difference(more, body("b", 1, 2, 4, effects=(STRONGER, SUMMON)))
    assert difference.steps == {"cost": -1, "attack": 0, "health": 2}
    assert difference.lost == ("haste",)
    rows = (difference.effects_lost, difference.effects_gained, difference.effects_changed)
    assert rows == ((DRAW,), (SUMMON,), (STRONGER,))
    to_spell = role_difference(minion(), spell("c", 2))
    assert (to_spell.kind, to_spell.steps) == ("spell", {"cost": 0, "attack": -2, "health": -2})
    worn = role_difference(AXE, AXE.model_copy(update={"durability": 4, "overload": 1}))
    assert worn.steps == {"cost": 0, "attack": 0, "durability": 2, "overload": 1}


@pytest.mark.thorough
@settings(max_examples=20)
@given(cards(DUEL), cards(DUEL), cards(DUEL))
def test_distance_is_a_distance(a, b, c):
    assert role_difference(a, a).distance == 0
    assert role_difference(a, b).distance == role_difference(b, a).distance
    assert role_difference(a, c).distance <= (
        role_difference(a, b).distance + role_difference(b, c).distance
    )
