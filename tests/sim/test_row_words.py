"""Measures and actions do what they say, each in a spell of its own: a new one takes one line."""

from __future__ import annotations

from typing import Any

import pytest

from sim import Pool, load_ruleset, validate
from sim.play.table import pack_table
from sim.real_cards.scenario.position import Ground
from sim.real_cards.scenario.runner import first_difference
from sim.real_cards.scenario.scenario import Scenario

LIFE = 20
MANA = 8
MEASURED = {  # cards in the own and the enemy hand, how many of the own are played before, the sum
    "cards_played": (3, 0, 2, 2),
    "minions_played": (3, 0, 2, 2),
    "hand_gap": (2, 5, 0, 3),
    "odd_deck": (0, 0, 0, 1),
    "even_deck": (0, 0, 0, 0),
}
DONE = {  # the rest of the row, and what is so when the spell has been cast
    "heal": ({"to": "own_player", "amount": 3}, {"p1.hero.health": LIFE + 3}),
    "mana": ({"to": "own_player", "amount": 2}, {"p1.mana.available": MANA + 2}),
}


def played(
    row: dict[str, Any], hands: tuple[int, int], n_played: int, expected: dict[str, Any]
) -> str | None:
    """What is not as expected once bodies for 1 mana, and then a free spell, have been played."""
    said = {
        "id": "it",
        "name": "It",
        "kind": "spell",
        "cost": 0,
        "effects": [{"on": "play", **row}],
    }
    body = {"id": "body", "name": "Body", "cost": 1, "attack": 1, "health": 1}
    power = {"id": "rest", "name": "Rest", "kind": "power", "cost": 2}
    heroes = [{"id": "mage", "name": "Mage", "power": "rest"}]
    pool = {"name": "words", "hero": heroes, "card": [body, said], "token": [power]}
    table = pack_table(validate(Pool, pool, source="test"), load_ruleset("legacy"))
    side: dict[str, Any] = {"class": "mage", "mana": {"available": MANA, "max": MANA}}
    side |= {"health": LIFE, "deck": [["body", 3]]}
    own, enemy = ({**side, "hand": ["body"] * n} for n in hands)
    scenario = {
        "id": "word",
        "topic": "words",
        "cards": [],
        "setup": {"active": "p1", "p1": {**own, "hand": ["it", *own["hand"]]}, "p2": enemy},
        "actions": [*[{"play": "p1.hand[1]"}] * n_played, {"play": "p1.hand[0]"}],
        "expect": [{"path": path, "value": value} for path, value in expected.items()],
    }
    return first_difference(Ground(table), validate(Scenario, scenario, source="test"), 1)


@pytest.mark.parametrize("word", MEASURED)
def test_a_measure_comes_to_what_it_says(word: str) -> None:
    n_own, n_enemy, n_played, total = MEASURED[word]
    row = {"do": "damage", "to": "enemy_player", "amount": 1, "times": word}
    assert played(row, (n_own, n_enemy), n_played, {"p2.hero.health": LIFE - total}) is None


@pytest.mark.parametrize("word", DONE)
def test_an_action_does_what_it_says(word: str) -> None:
    row, expected = DONE[word]
    assert played({"do": word, **row}, (1, 1), 0, expected) is None
