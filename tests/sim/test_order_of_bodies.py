"""What deathrattles bring stands where the dead stood, however many die at once."""

from __future__ import annotations

from typing import Any

import pytest

from sim import Pool, load_ruleset, validate
from sim.play.table import pack_table
from sim.real_cards.scenario.position import Ground
from sim.real_cards.scenario.runner import first_difference
from sim.real_cards.scenario.scenario import Scenario


def minion(name: str, health: int = 2, **keys: Any) -> dict[str, Any]:
    return {"id": name, "name": name.title(), "cost": 0, "attack": 1, "health": health, **keys}


def brings(*names: str, amount: int = 1) -> dict[str, Any]:
    rows = [
        {"on": "deathrattle", "do": "summon", "amount": amount, "cards": [name]} for name in names
    ]
    return {"effects": rows}


POOL = {
    "name": "bodies",
    "hero": [{"id": "mage", "name": "Mage", "power": "rest"}],
    "card": [
        minion("golem", **brings("scrap")),
        minion("chief", **brings("heir")),
        minion("wisp"),
        minion("pack", **brings("hyena", amount=2)),
        minion("nest", **brings("egg", "chick")),
        minion("rock", health=9),
        {
            "id": "storm",
            "name": "Storm",
            "kind": "spell",
            "cost": 0,
            "effects": [{"on": "play", "do": "damage", "to": "minions", "amount": 2}],
        },
    ],
    "token": [
        *(minion(name) for name in ("scrap", "heir", "hyena", "egg", "chick")),
        {"id": "rest", "name": "Rest", "kind": "power", "cost": 2},
    ],
}
GROUND = Ground(pack_table(validate(Pool, POOL, source="test"), load_ruleset("legacy")))


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
    sides: dict[str, Any] = {
        seat: {"class": "mage", "mana": {"available": 10, "max": 10}, "deck": [["wisp", 5]]}
        for seat in ("p1", "p2")
    }
    sides["p1"]["hand"] = [{"card": "storm", "as": "storm"}]
    sides[side]["board"] = before
    scenario = {
        "id": "s",
        "topic": "t",
        "cards": [],
        "setup": {"active": "p1", **sides},
        "actions": [{"play": "storm"}],
        "expect": [{"path": f"{side}.board.cards", "value": after}],
    }
    assert first_difference(GROUND, validate(Scenario, scenario, source="test"), 1) is None
