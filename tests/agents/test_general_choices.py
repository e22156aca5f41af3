"""Scripted agents make the obvious choices with cards of the general rules."""

from __future__ import annotations

from typing import Any

import pytest

from agents.registry import compiled_agent_named
from sim import load_pool, load_ruleset
from sim.engine.layout import POWER_USED
from sim.engine.stepping import ask_agent
from sim.play import pack_table
from sim.real_cards.scenario.moves import Action
from sim.real_cards.scenario.paths import action_of
from sim.real_cards.scenario.position import Ground, player_block
from sim.real_cards.scenario.runner import build
from sim.real_cards.scenario.scenario import Setup

NEW_MULE = {"card": "peat_mule", "ready": False}
END: dict[str, Any] = {"end_turn": True}


def play(card: int = 0, target: str | None = None) -> dict[str, Any]:
    return {"play": f"p1.hand[{card}]", **({"target": target} if target else {})}


def mana(available: int) -> dict[str, Any]:
    return {"mana": {"available": available, "max": 10}}


SCENES: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (
        "lethal_first",
        {"hand": ["flick_of_cinder"]},
        {"health": 2, "board": ["peat_mule"]},
        play(target="p2.hero"),
    ),
    (
        "damage_where_it_kills",
        {"hand": ["quick_rot"]},
        {"board": ["deepwater_elder", "peat_mule"]},
        play(target="p2.board[1]"),
    ),
    (
        "no_damage_to_its_own",
        {"hand": ["quick_rot"], "board": [NEW_MULE]},
        {},
        END,
    ),
    (
        "the_largest_is_turned_into_driftwood",
        {"hand": ["cut_adrift"]},
        {"board": ["peat_mule", "deepwater_elder"]},
        play(target="p2.board[1]"),
    ),
    ("healing_for_the_hurt", {"hand": ["wayside_hearth"], "health": 20}, {}, play()),
    ("no_healing_for_the_healthy", {"hand": ["wayside_hearth"], **mana(2)}, {}, END),
    (
        "what_lets_a_spell_be_played_comes_first",
        {"hand": ["turn_of_the_moon", "ledger_of_rain"], **mana(2)},
        {},
        play(0),
    ),
    (
        "a_discount_that_lets_nothing_be_played_waits",
        {"hand": ["turn_of_the_moon", "peat_mule"], **mana(1)},
        {},
        END,
    ),
    (
        "health_is_doubled_where_there_is_most",
        {
            "hand": ["buried_seed"],
            "board": [NEW_MULE, {"card": "milestone", "ready": False}],
            **mana(3),
        },
        {},
        play(target="p1.board[1]"),
    ),
    (
        "a_weapon_is_made_better",
        {"hand": ["retemper"], "weapon": "poker_blade", **mana(2)},
        {"health": 30, "board": ["milestone"]},
        play(),
    ),
]


@pytest.fixture(scope="module")
def ground() -> Ground:
    return Ground(pack_table(load_pool("saga"), load_ruleset("legacy")))


@pytest.mark.parametrize("scene", SCENES, ids=[scene[0] for scene in SCENES])
@pytest.mark.parametrize("agent", ["greedy", "aggro", "control"])
def test_a_script_finds_the_obvious(scene: Any, agent: str, ground: Ground) -> None:
    _, first, second, expected = scene
    usual: dict[str, Any] = {**mana(10), "deck": [["peat_mule", 9]]}
    setup = Setup(
        active="p1",
        p1={"class": "grove", **usual, **first},
        p2={"class": "tide", **usual, **second},
    )
    position = build(ground, setup, 1)
    position.words[player_block(0) + POWER_USED] = 1
    chosen = ask_agent(
        position.words, ground.numbers, compiled_agent_named(agent).address(general=True)
    )
    assert chosen == action_of(position, Action(**expected))
