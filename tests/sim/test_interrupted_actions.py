"""Interrupted actions: countered spells have no effect; records that died or left do not act."""

from __future__ import annotations

from typing import Any

import pytest

from sim import Pool, load_ruleset, validate
from sim.play import pack_table
from sim.real_cards.scenario.position import Ground
from tests.sim.test_scenario import POOL, difference

ATTACK = {"attack": ["a", "p2.hero"]}
ATTACKER = {"board": [{"card": "ox", "as": "a"}]}
ATTACKED = {"on": "attack", "of": "enemy_minions"}
KILL = {**ATTACKED, "do": "destroy", "to": "subject"}


def card(name: str, *rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    if more.get("kind", "minion") == "minion":
        more = {"attack": 1, "health": 2, **more}
    return {"id": name, "name": name.title(), "cost": 0, "effects": rows, **more}


def secret(name: str, *rows: dict[str, Any]) -> dict[str, Any]:
    return card(name, *rows, kind="secret")


def ground(*cards: dict[str, Any]) -> Ground:
    pool = validate(Pool, {**POOL, "card": [*POOL["card"], *cards]}, source="test")
    return Ground(pack_table(pool, load_ruleset("legacy")))


def value(path: str, expected: object) -> dict[str, Any]:
    return {"path": path, "value": expected}


# --- countered spells ---

BOLT = card("bolt", {"on": "play", "do": "damage", "amount": 3}, kind="spell", overload=2)
GROWS = {"do": "buff", "to": "self", "attack": 1}
WATCHERS = card(
    "watcher",
    {"on": "card_played", "of": "own_cards(other)", **GROWS},
    {"on": "cast", "of": "own_cards", **GROWS},
    {"on": "after_cast", "of": "own_cards", **GROWS},
)
COUNTER = {"on": "cast", "of": "enemy_cards", "do": "counter", "to": "subject"}


@pytest.mark.parametrize("kind", ["secret", "minion"])
def test_a_countered_spell_locks_no_mana_and_notifies_no_listener(kind: str) -> None:
    counter = card("counter", COUNTER, kind=kind)
    p1 = {"board": [{"card": "watcher", "as": "w"}], "hand": [{"card": "bolt", "as": "b"}]}
    p2 = {"secrets" if kind == "secret" else "board": ["counter"]}
    expect = [
        value("p1.overload.owed", 0),
        value("p2.hero.health", 30),
        value("w.attack", 1),
        value("p1.hand.size", 0),
    ]
    scene = ground(BOLT, WATCHERS, counter)
    assert difference(scene, p1, p2, actions=[{"play": "b"}], expect=expect) is None
    heard = [value("p1.overload.owed", 2), value("p2.hero.health", 27), value("w.attack", 4)]
    assert difference(scene, p1, actions=[{"play": "b"}], expect=heard) is None


def test_only_one_of_two_counters_is_used_and_no_other_secret_sees_the_spell() -> None:
    sees = secret("sees", {"on": "cast", "of": "enemy_cards", "do": "armor", "amount": 5})
    scene = ground(BOLT, secret("first", COUNTER), secret("second", COUNTER), sees)
    p1 = {"hand": [{"card": "bolt", "as": "a"}]}
    p2 = {"secrets": ["sees", "first", "second"]}
    expect = [value("p2.secrets.cards", ["sees", "second"]), value("p2.hero.armor", 0)]
    assert difference(scene, p1, p2, actions=[{"play": "a"}], expect=expect) is None


# --- attacks ---


@pytest.mark.parametrize(
    "second",
    [
        {**ATTACKED, "do": "return", "to": "subject"},
        {**ATTACKED, "do": "steal", "to": "subject"},
        {**ATTACKED, "do": "heal", "to": "subject", "amount": 9},
        {**ATTACKED, "do": "transform", "to": "subject", "cards": ["frog"]},
        {**ATTACKED, "do": "copy", "to": "subject"},
        {**ATTACKED, "do": "aim", "to": "enemy_player"},
        {**ATTACKED, "do": "damage", "to": "enemy_minions(other)", "amount": 1},
    ],
    ids=lambda row: str(row["do"]),
)
@pytest.mark.parametrize("damage", [0, 4])
def test_no_secret_looks_for_an_attacker_that_another_has_killed(
    second: dict[str, Any], damage: int
) -> None:
    harm = {**ATTACKED, "do": "damage", "to": "subject", "amount": 1}
    scene = ground(secret("trap", harm if damage else KILL), secret("late", second))
    p1 = {"board": [{"card": "ox", "as": "a", "damage": damage}]}
    expect = [
        value("a.zone", "graveyard"),
        value("p1.hand.size", 0),
        value("p2.hand.size", 0),
        value("p2.secrets.cards", ["late"]),
        value("p1.hero.health", 30),
    ]
    p2 = {"secrets": ["trap", "late"]}
    assert difference(scene, p1, p2, actions=[ATTACK], expect=expect) is None
    lone = [value("p2.secrets.size", 0)]
    assert difference(scene, ATTACKER, {"secrets": ["late"]}, actions=[ATTACK], expect=lone) is None


@pytest.mark.parametrize(
    "row",
    [
        {"do": "transform", "to": "subject", "cards": ["ox"]},
        {"do": "steal", "to": "subject"},
        {"do": "return", "to": "subject"},
    ],
    ids=lambda row: str(row["do"]),
)
def test_an_attack_ends_when_the_attacker_has_changed(row: dict[str, Any]) -> None:
    scene = ground(secret("trap", {**ATTACKED, **row}))
    expect = [value("p2.hero.health", 30), value("p1.hero.health", 30), value("p2.secrets.size", 0)]
    p2 = {"secrets": ["trap"]}
    assert difference(scene, ATTACKER, p2, actions=[ATTACK], expect=expect) is None


def test_an_attack_ends_when_the_defender_has_changed_sides() -> None:
    charm = {"on": "attack", "of": "self", "do": "steal", "to": "enemy_minions"}
    scene = ground(card("charmer", charm))
    p1 = {"board": [{"card": "charmer", "as": "a"}]}
    p2 = {"board": [{"card": "ox", "as": "o"}]}
    expect = [value("o.controller", "p1"), value("o.health", 5), value("a.zone", "board")]
    assert difference(scene, p1, p2, actions=[{"attack": ["a", "o"]}], expect=expect) is None


@pytest.mark.parametrize("who", ["secret", "minion"])
def test_secrets_are_checked_again_for_a_redirected_attack(who: str) -> None:
    seen = {**ATTACKED, "when": "count aim(own, minion) >= 1", "do": "armor", "amount": 5}
    aims = {**ATTACKED, "do": "aim", "to": "own_minions(beast)"}
    scene = ground(secret("early", seen), card("decoy", aims, kind=who))
    decoys = {"secret": [], "minion": []} | {who: ["decoy"]}
    p2 = {
        "board": [{"card": "ox", "as": "o"}, *decoys["minion"]],
        "secrets": ["early", *decoys["secret"]],
    }
    expect = [value("o.health", 1), value("p2.hero.armor", 5), value("p2.secrets.size", 0)]
    assert difference(scene, ATTACKER, p2, actions=[ATTACK], expect=expect) is None


def test_a_hero_attacks_with_the_weapon_that_it_has_by_then() -> None:
    arm = {"on": "attack", "of": "own_player", "do": "equip", "cards": ["axe"]}
    scene = ground(card("smith", arm), card("axe", kind="weapon", attack=5, durability=2))
    p1 = {"weapon": "blade", "board": ["smith"]}
    actions = [{"attack": ["p1.hero", "p2.hero"]}]
    expect = [
        value("p2.hero.health", 25),
        value("p1.weapon", "axe"),
        value("p1.weapon.durability", 1),
    ]
    assert difference(scene, p1, actions=actions, expect=expect) is None


# --- waiting reactions ---

STRIKES = {"on": "turn_start", "do": "damage", "to": "enemy_player", "amount": 3}


@pytest.mark.parametrize(
    "row",
    [
        {"do": "transform", "to": "own_minions(other)", "cards": ["frog"]},
        {"do": "silence", "to": "own_minions(other)"},
        {"do": "return", "to": "own_minions(other)"},
    ],
    ids=lambda row: str(row["do"]),
)
def test_a_minion_that_has_lost_its_text_does_not_react_with_it(row: dict[str, Any]) -> None:
    scene = ground(card("older", {"on": "turn_start", **row}), card("striker", STRIKES))
    p2 = {"board": ["older", "striker"]}
    expect = [value("p1.hero.health", 30)]
    assert difference(scene, {}, p2, actions=[{"end_turn": True}], expect=expect) is None


def test_a_minion_that_transforms_itself_completes_its_effects() -> None:
    turns = {"on": "turn_start", "do": "transform", "to": "self", "cards": ["frog"]}
    scene = ground(card("changer", turns, STRIKES))
    expect = [value("p1.hero.health", 27), value("p2.board.cards", ["frog"])]
    actions = [{"end_turn": True}]
    assert difference(scene, {}, {"board": ["changer"]}, actions=actions, expect=expect) is None


def test_a_stolen_minion_does_not_react_for_its_former_side() -> None:
    takes = {"on": "turn_start", "of": "enemy_player", "do": "steal", "to": "enemy_minions"}
    scene = ground(card("taker", takes), card("striker", STRIKES))
    p1 = {"board": ["taker"]}
    p2 = {"board": [{"card": "striker", "as": "s"}]}
    expect = [
        value("s.controller", "p1"),
        value("p1.hero.health", 30),
        value("p2.hero.health", 30),
    ]
    assert difference(scene, p1, p2, actions=[{"end_turn": True}], expect=expect) is None


def test_a_doomed_minion_does_not_swap_with_a_card_of_the_hand() -> None:
    doom = {"on": "turn_start", "do": "destroy", "to": "minions"}
    swap = {"on": "turn_start", "do": "exchange", "to": "own_hand(minion)", "pick": 1}
    scene = ground(card("doom", doom), card("bot", swap))
    p2 = {"board": ["doom", {"card": "bot", "as": "b"}], "hand": [{"card": "wall", "as": "w"}]}
    expect = [value("b.zone", "graveyard"), value("w.zone", "hand"), value("p2.board.size", 0)]
    assert difference(scene, {}, p2, actions=[{"end_turn": True}], expect=expect) is None


# --- targets ---


@pytest.mark.parametrize(
    "row",
    [
        {"do": "destroy", "to": "enemy_minions"},
        {"do": "transform", "to": "enemy_minions", "cards": ["frog"]},
        {"do": "return", "to": "enemy_minions"},
    ],
    ids=lambda row: str(row["do"]),
)
@pytest.mark.parametrize("kind", ["spell", "minion", "weapon"])
def test_a_target_that_has_left_is_neither_measured_nor_changed(
    kind: str, row: dict[str, Any]
) -> None:
    rows = [
        {"on": "play", "do": "buff", "to": "target", "attack": 5},
        {"on": "play", "do": "draw", "when": "count target >= 1"},
    ]
    more = {"attack": 1, "durability": 2} if kind == "weapon" else {}
    aimed = card("aimed", *rows, kind=kind, target="minions", **more)
    event = "cast" if kind == "spell" else "card_played"
    scene = ground(aimed, card("hasty", {"on": event, "of": "own_cards(other)", **row}))
    p1 = {"board": ["hasty"], "hand": [{"card": "aimed", "as": "x"}]}
    p2 = {"board": [{"card": "ox", "as": "o"}]}
    left = {"destroy": [], "transform": [value("p2.board[0].attack", 0)]}
    back = [value("p2.hand[0].attack", 4)]
    expect = [value("p1.hand.size", 0), *left.get(row["do"], back)]
    actions = [{"play": "x", "target": "o"}]
    assert difference(scene, p1, p2, actions=actions, expect=expect) is None


# --- deathrattles ---


def test_secrets_react_to_a_death_after_the_deathrattle() -> None:
    last = {"on": "deathrattle", "do": "damage", "to": "minions", "amount": 9}
    again = {"on": "death", "of": "own_minions", "do": "clone", "to": "subject"}
    scene = ground(card("bomb", last), secret("again", again))
    p1 = {"hand": [{"card": "zap", "as": "z"}]}
    p2 = {"board": [{"card": "bomb", "as": "b"}], "secrets": ["again"]}
    expect = [value("p2.board.cards", ["bomb"]), value("p2.secrets.size", 0)]
    assert difference(scene, p1, p2, actions=[{"play": "z", "target": "b"}], expect=expect) is None
