"""Measures and actions do what they describe, each in a spell of its own."""

from __future__ import annotations

from typing import Any

import pytest

from sim import Pool, load_ruleset, validate
from sim.play import pack_table
from sim.real_cards.scenario.position import Ground
from sim.real_cards.scenario.runner import first_difference
from sim.real_cards.scenario.scenario import Scenario

LIFE = 20
MANA = 8
# Number of cards in the own hand, in the enemy hand, cards played before, and the value.
MEASURED = {
    "cards_played": (3, 0, 2, 2),
    "minions_played": (3, 0, 2, 2),
    "hand_gap": (2, 5, 0, 3),
    "odd_deck": (0, 0, 0, 1),
    "even_deck": (0, 0, 0, 0),
}
# The rest of the row, and the expected values by path when the spell has been cast.
DONE = {
    "heal": ({"to": "own_player", "amount": 3}, {"p1.hero.health": LIFE + 3}),
    "mana": ({"to": "own_player", "amount": 2}, {"p1.mana.available": MANA + 2}),
}


def difference(
    ground: Ground,
    first: dict[str, Any],
    second: dict[str, Any],
    actions: list[Any],
    expected: dict[str, Any],
) -> str | None:
    """Set up two sides, do some actions, and return the first difference from what is expected."""
    scenario = {
        "id": "it",
        "topic": "words",
        "cards": [],
        "setup": {"active": "p1", "p1": first, "p2": second},
        "actions": actions,
        "expect": [{"path": path, "value": value} for path, value in expected.items()],
    }
    return first_difference(ground, validate(Scenario, scenario, source="test"), 1)


def ground_of(cards: list[dict[str, Any]], tokens: list[dict[str, Any]]) -> Ground:
    """Return a ground with some cards and one hero, a mage with a power without effect."""
    power = {"id": "rest", "name": "Rest", "kind": "power", "cost": 2}
    heroes = [{"id": "mage", "name": "Mage", "power": "rest"}]
    pool = {"name": "words", "hero": heroes, "card": cards, "token": [power, *tokens]}
    return Ground(pack_table(validate(Pool, pool, source="test"), load_ruleset("legacy")))


def spell(name: str, **row: Any) -> dict[str, Any]:
    effects = [{"on": "play", **row}]
    return {"id": name, "name": name.title(), "kind": "spell", "cost": 0, "effects": effects}


def minion(name: str, health: int = 2, **keys: Any) -> dict[str, Any]:
    return {"id": name, "name": name.title(), "cost": 0, "attack": 1, "health": health, **keys}


def play_spell(
    row: dict[str, Any], hands: tuple[int, int], n_played: int, expected: dict[str, Any]
) -> str | None:
    """Play bodies for 1 mana and then a free spell; return the difference from what is expected."""
    ground = ground_of([minion("body", cost=1), spell("it", **row)], [])
    mana = {"available": MANA, "max": MANA}
    side: dict[str, Any] = {"class": "mage", "mana": mana, "health": LIFE, "deck": [["body", 3]]}
    own, enemy = ({**side, "hand": ["body"] * n} for n in hands)
    actions = [*[{"play": "p1.hand[1]"}] * n_played, {"play": "p1.hand[0]"}]
    return difference(ground, {**own, "hand": ["it", *own["hand"]]}, enemy, actions, expected)


@pytest.mark.parametrize("word", MEASURED)
def test_a_measure_has_the_value_that_it_describes(word: str) -> None:
    n_own, n_enemy, n_played, total = MEASURED[word]
    row = {"do": "damage", "to": "enemy_player", "amount": 1, "times": word}
    assert play_spell(row, (n_own, n_enemy), n_played, {"p2.hero.health": LIFE - total}) is None


@pytest.mark.parametrize("word", DONE)
def test_an_action_does_what_it_describes(word: str) -> None:
    row, expected = DONE[word]
    assert play_spell({"do": word, **row}, (1, 1), 0, expected) is None


# --- summons of deathrattles take the places of the dead, however many die at once ---


def brings(*names: str, amount: int = 1) -> dict[str, Any]:
    rows = [
        {"on": "deathrattle", "do": "summon", "amount": amount, "cards": [name]} for name in names
    ]
    return {"effects": rows}


BODIES = ground_of(
    [
        minion("golem", **brings("scrap")),
        minion("chief", **brings("heir")),
        minion("wisp"),
        minion("pack", **brings("hyena", amount=2)),
        minion("nest", **brings("egg", "chick")),
        minion("rock", health=9),
        spell("storm", do="damage", to="minions", amount=2),
    ],
    [minion(name) for name in ("scrap", "heir", "hyena", "egg", "chick")],
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["golem", "chief", "wisp", "pack"], ["scrap", "heir", "hyena", "hyena"]),
        (["pack", "rock", "chief", "golem"], ["hyena", "hyena", "rock", "heir", "scrap"]),
        (["rock", "nest", "golem", "rock"], ["rock", "egg", "chick", "scrap", "rock"]),
    ],
)
@pytest.mark.parametrize("side", ["p1", "p2"])
def test_bodies_stand_where_their_minions_stood(
    before: list[str], after: list[str], side: str
) -> None:
    usual = {"class": "mage", "mana": {"available": 10, "max": 10}, "deck": [["wisp", 5]]}
    sides: dict[str, Any] = {"p1": {**usual, "hand": ["storm"]}, "p2": usual}
    sides[side] = {**sides[side], "board": before}
    expected = {f"{side}.board.cards": after}
    assert difference(BODIES, *sides.values(), [{"play": "p1.hand[0]"}], expected) is None
