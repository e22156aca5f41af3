"""Directions: whose word about a number decides, and what it lets the number do."""

from __future__ import annotations

import pytest

from balance.card_space import ways_of
from balance.tune import Way
from sim import Card, Effect

CARD = Card(
    id="bolt",
    name="Bolt",
    cost=2,
    attack=2,
    health=2,
    effects=(Effect(on="play", do="damage", amount=3),),
    tags=("rare", "fire"),
)
DECKS = {"rush": ["bolt"], "keep": ["bolt", "wall"], "march": ["wall"]}
DOWN, UP, BOTH, STAYS = (-1,), (1,), (-1, 1), ()


@pytest.mark.parametrize(
    ("told", "cost", "attack", "amount"),
    [
        ({}, BOTH, BOTH, BOTH),
        ({"all": "buffs"}, DOWN, UP, STAYS),
        ({"all": "nerfs"}, UP, DOWN, STAYS),
        ({"all": "down"}, DOWN, DOWN, DOWN),
        ({"all": "buffs", "amount": "up"}, DOWN, UP, UP),
        ({"all": "buffs", "cost": "both"}, BOTH, UP, STAYS),
        ({"all": "up", "cost": "nerfs", "amount": "nerfs"}, UP, UP, UP),
        ({"march": "nerfs"}, BOTH, BOTH, BOTH),
        ({"rush": "nerfs", "cost": "down"}, UP, DOWN, STAYS),
        ({"rush": "nerfs", "amount": "down"}, UP, DOWN, DOWN),
        ({"rush": "nerfs", "keep": "buffs"}, STAYS, STAYS, STAYS),
        ({"rush": "nerfs", "keep": "up"}, UP, STAYS, UP),
        ({"rush": "nerfs", "tag:fire": "buffs"}, DOWN, UP, STAYS),
        ({"tag:rare": "up", "tag:fire": "down", "all": "both"}, STAYS, STAYS, STAYS),
        ({"bolt": "both", "tag:fire": "up", "rush": "up", "cost": "up", "all": "up"}, *(BOTH,) * 3),
    ],
)
def test_the_most_specific_word_decides(
    told: dict[str, Way], cost: tuple[int, ...], attack: tuple[int, ...], amount: tuple[int, ...]
) -> None:
    fields = ("cost", "attack", "amount", "health")
    found = [ways_of(CARD, field, told, DECKS) for field in fields]
    assert found == [cost, attack, amount, attack]
