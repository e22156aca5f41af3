"""The general rules, one scene each: legal actions, and the effects of cards on each other.

The laws use the engine's own code for some of their checks; these scenes are independent of it.
"""

from __future__ import annotations

from typing import Any

import pytest

from sim import Pool, load_ruleset, validate
from sim.play import pack_table
from sim.real_cards.scenario.position import Ground
from tests.messages import check_message
from tests.sim.test_scenario import POOL, difference


def legal(is_legal: bool, **move: Any) -> dict[str, Any]:
    return {"legal": move, "value": is_legal}


def ground_with(*rows: dict[str, Any], **card: Any) -> Ground:
    """Return the rules with one more card, `extra`, that costs nothing."""
    extra = {"id": "extra", "name": "Extra", "cost": 0, "effects": rows, **card}
    pool = validate(Pool, {**POOL, "card": [*POOL["card"], extra]}, source="test")
    return Ground(pack_table(pool, load_ruleset("legacy")))


PLAIN = ground_with(attack=1, health=1)


def test_a_player_attacks_twice_with_windfury_of_its_own() -> None:
    grant = {"on": "play", "do": "grant", "to": "own_player", "keywords": ["windfury"]}
    furious = ground_with(grant, kind="spell")
    p1 = {"weapon": "blade", "hand": [{"card": "extra", "as": "fury"}]}
    attack = {"attack": ["p1.hero", "p2.hero"]}
    left = [{"path": "p2.hero.health", "value": 26}]
    assert difference(furious, p1, actions=[{"play": "fury"}, attack, attack], expect=left) is None
    message = difference(furious, p1, actions=[attack, attack])
    assert message is not None
    check_message(message)


@pytest.mark.parametrize(
    ("keywords", "is_attacked", "player_is_attacked", "is_zapped", "is_zapped_by_its_own"),
    [
        ([], True, True, True, True),
        (["stealth"], False, True, False, True),
        (["elusive"], True, True, False, False),
        (["taunt"], True, False, True, True),
        (["taunt", "stealth"], False, True, False, True),
        (["immune"], False, True, False, True),
        (["taunt", "immune"], False, True, False, True),
    ],
)
def test_keywords_keep_attacks_and_spells_away(
    keywords: list[str],
    is_attacked: bool,
    player_is_attacked: bool,
    is_zapped: bool,
    is_zapped_by_its_own: bool,
) -> None:
    shy = ground_with(attack=1, health=1, keywords=keywords)
    zap = {"hand": [{"card": "zap", "as": "z"}]}

    faced = [
        legal(is_attacked, attack=["p1.board[0]", "p2.board[0]"]),
        legal(player_is_attacked, attack=["p1.board[0]", "p2.hero"]),
        legal(is_zapped, play="z", target="p2.board[0]"),
    ]
    enemy = {"board": ["extra"]}
    assert difference(shy, {"board": ["ox"], **zap}, enemy, expect=faced) is None
    own = [legal(is_zapped_by_its_own, play="z", target="p1.board[0]")]
    assert difference(shy, {"board": ["extra"], **zap}, expect=own) is None


@pytest.mark.parametrize(("n_minions", "has_room"), [(6, True), (7, False)])
def test_a_minion_needs_room_and_a_spell_does_not(n_minions: int, has_room: bool) -> None:
    hand = [{"card": "wall", "as": "w"}, {"card": "zap", "as": "z"}]
    expect = [legal(has_room, play="w"), legal(True, play="z", target="p2.hero")]
    p1 = {"board": ["frog"] * n_minions, "hand": hand}
    assert difference(PLAIN, p1, expect=expect) is None


def test_a_hero_power_is_paid_for_and_used_once_a_turn() -> None:
    for mana in (1, 2):
        p1 = {"mana": {"available": mana, "max": 10}}
        assert difference(PLAIN, p1, expect=[legal(mana == 2, hero_power="p2.hero")]) is None
    used = [{"hero_power": "p2.hero"}, {"expect": [legal(False, hero_power="p2.hero")]}]
    expect = [legal(True, hero_power="p2.hero")]
    turns = [*used, {"end_turn": True}, {"end_turn": True}]
    assert difference(PLAIN, actions=turns, expect=expect) is None


def test_only_enemy_minions_are_stolen() -> None:
    steal = {"on": "play", "do": "steal", "to": "target"}
    p1 = {"board": ["ox"], "hand": [{"card": "extra", "as": "a"}, {"card": "extra", "as": "b"}]}
    actions = [{"play": "a", "target": "p1.board[0]"}, {"play": "b", "target": "p2.board[0]"}]
    expect = [{"path": "p1.board.cards", "value": ["ox", "wall"]}]
    greedy = ground_with(steal, kind="spell", target="minions")
    assert difference(greedy, p1, {"board": ["wall"]}, actions=actions, expect=expect) is None


def test_an_attack_ends_when_its_target_has_left_play() -> None:
    attacked = {"on": "attack", "of": "enemy_characters"}
    home = {**attacked, "do": "return", "to": "own_minions(other)"}
    evasive = ground_with(home, {**attacked, "do": "aim", "to": "previous"}, attack=1, health=1)
    attack = {"attack": ["p1.board[0]", "p2.hero"]}
    expect = [
        {"path": "p2.hand.cards", "value": ["frog"]},
        {"path": "p2.hero.health", "value": 26},
    ]
    sides: list[dict[str, Any]] = [{"board": ["ox"]}, {"board": ["extra", "frog"]}]
    assert difference(evasive, *sides, actions=[attack], expect=expect) is None


def test_before_any_card_is_played_in_a_turn_their_number_is_not_below_zero() -> None:
    row = {"on": "turn_start", "do": "armor", "times": "cards_played"}
    counting = ground_with(row, attack=1, health=1)
    expect = [{"path": "p2.hero.armor", "value": 0}]
    sides: list[dict[str, Any]] = [{}, {"board": ["extra"]}]
    assert difference(counting, *sides, actions=[{"end_turn": True}], expect=expect) is None
