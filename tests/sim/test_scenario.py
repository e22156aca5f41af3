"""Scenarios are read strictly, set up exactly, and their differences are reported."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from sim import Pool, load_ruleset, validate
from sim.engine import layout as at
from sim.play import pack_table
from sim.real_cards.scenario.moves import Move
from sim.real_cards.scenario.paths import action_of, read
from sim.real_cards.scenario.position import Ground, NothingThereError, Position, player_block
from sim.real_cards.scenario.runner import build, first_difference, missing
from sim.real_cards.scenario.scenario import Scenario, Setup, read_scenarios
from tests.messages import check_message
from tests.refusals import refusal_of

HIT = {"on": "play", "do": "damage", "to": "target", "amount": 2}
POOL = {
    "name": "sparring",
    "coin": "shilling",
    "hero": [{"id": "mage", "name": "Mage", "power": "ping"}],
    "card": [
        {"id": "ox", "name": "Ox", "cost": 4, "attack": 4, "health": 5, "tribe": "beast"},
        {
            "id": "wall",
            "name": "Wall",
            "cost": 1,
            "attack": 1,
            "health": 3,
            "tribe": "mech",
            "keywords": ["taunt", "divine_shield"],
        },
        {
            "id": "zap",
            "name": "Zap",
            "kind": "spell",
            "cost": 1,
            "target": "characters",
            "effects": [HIT],
        },
        {"id": "blade", "name": "Blade", "kind": "weapon", "cost": 1, "attack": 2, "durability": 2},
        {
            "id": "fork",
            "name": "Fork",
            "kind": "spell",
            "cost": 2,
            "options": ["fork_hit", "fork_draw"],
        },
        {
            "id": "search",
            "name": "Search",
            "kind": "spell",
            "cost": 0,
            "effects": [{"on": "play", "do": "choose", "amount": 3}],
        },
        {
            "id": "recall",
            "name": "Recall",
            "kind": "spell",
            "cost": 0,
            "target": "own_minions",
            "effects": [{"on": "play", "do": "return", "to": "target"}],
        },
        {
            "id": "croak",
            "name": "Croak",
            "kind": "spell",
            "cost": 0,
            "target": "minions",
            "effects": [{"on": "play", "do": "transform", "to": "target", "cards": ["frog"]}],
        },
    ],
    "token": [
        {
            "id": "ping",
            "name": "Ping",
            "kind": "power",
            "cost": 2,
            "target": "characters",
            "effects": [{"on": "play", "do": "damage", "to": "target", "amount": 1}],
        },
        {
            "id": "shilling",
            "name": "Shilling",
            "kind": "spell",
            "cost": 0,
            "effects": [{"on": "play", "do": "mana", "amount": 1}],
        },
        {"id": "frog", "name": "Frog", "cost": 0, "attack": 0, "health": 1},
        {
            "id": "fork_hit",
            "name": "Fork: hit",
            "kind": "option",
            "cost": 0,
            "target": "characters",
            "effects": [HIT],
        },
        {
            "id": "fork_draw",
            "name": "Fork: draw",
            "kind": "option",
            "cost": 0,
            "effects": [{"on": "play", "do": "draw", "amount": 1}],
        },
    ],
}
MANA = {"available": 10, "max": 10}
SIDE: dict[str, Any] = {"class": "MAGE", "mana": MANA, "deck": [["OX", 10]]}


@pytest.fixture(scope="module")
def ground() -> Ground:
    return Ground(pack_table(validate(Pool, POOL, source="test"), load_ruleset("legacy")))


def line(
    p1: dict[str, Any] | None = None,
    p2: dict[str, Any] | None = None,
    *,
    actions: list[Any] | None = None,
    expect: list[Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    setup = {"active": "p1", "p1": {**SIDE, **(p1 or {})}, "p2": {**SIDE, **(p2 or {})}}
    scenario = {"id": "s", "topic": "t", "cards": [], "setup": setup}
    return {**scenario, "actions": actions or [], "expect": expect or [], **more}


def scenario(*sides: dict[str, Any], **more: Any) -> Scenario:
    return validate(Scenario, line(*sides, **more), source="test")


def position(ground: Ground, *sides: dict[str, Any], seed: int = 1) -> Position:
    return build(ground, scenario(*sides).setup, seed)


def difference(ground: Ground, *sides: dict[str, Any], **more: Any) -> str | None:
    return first_difference(ground, scenario(*sides, **more), 1)


def refused_place(tmp_path: Path, *lines: object) -> str:
    """Return the place in a file of scenarios that is refused, without the file."""
    path = tmp_path / "a.jsonl"
    texts = [text if isinstance(text, str) else json.dumps(text) for text in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    place = refusal_of(read_scenarios, path).place
    assert place.startswith(str(path))
    return place.removeprefix(str(path)).removeprefix(": ")


# --- files ---


def test_a_file_is_read_in_its_order_and_empty_lines_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    texts = [json.dumps(line(id="b")), "", json.dumps(line(id="a")), ""]
    path.write_text("\n".join(texts), encoding="utf-8")
    assert [item.id for item in read_scenarios(path)] == ["b", "a"]


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ([], ""),
        (["{"], "line 1: column 2"),
        (["[1]"], "line 1"),
        (["", line(colour="red")], "line 2: scenario 's'"),
        ([line(), line()], "line 2"),
        ([line({"health": "30"})], "line 1: scenario 's': setup.p1.health"),
        ([line({"mana": None})], "line 1: scenario 's': setup: p1"),
        ([line({"hand": [{"card": "ox", "colour": 1}]})], "line 1: scenario 's': setup.p1.hand #1"),
        (
            [line({"hand": [{"card": "ox", "as": "p1"}]})],
            "line 1: scenario 's': setup.p1.hand #1: as",
        ),
        ([line({"hand": [{"card": "ox", "as": "a"}] * 2})], "line 1: scenario 's'"),
        ([line({"deck": [["ox", 61]]})], "line 1: scenario 's': setup.p1"),
        ([line(actions=[{"play": "x"}])], "line 1: scenario 's'"),
        ([line(actions=[{"play": "p1.deck[0]"}])], "line 1: scenario 's'"),
        ([line(actions=[{}])], "line 1: scenario 's': actions #1"),
        ([line(actions=[{"end_turn": True, "pick": "ox"}])], "line 1: scenario 's': actions #1"),
        (
            [line(actions=[{"end_turn": True, "target": "p1.hero"}])],
            "line 1: scenario 's': actions #1: target",
        ),
        ([line(actions=[{"mulligan": {}}])], "line 1: scenario 's'"),
        (
            [line(expect=[{"path": "game.ovr", "value": True}])],
            "line 1: scenario 's': path 'game.ovr'",
        ),
        (
            [line(expect=[{"path": "p1.fatige", "value": 1}])],
            "line 1: scenario 's': path 'p1.fatige'",
        ),
        (
            [line(expect=[{"path": "p1.hero.helth", "value": 1}])],
            "line 1: scenario 's': path 'p1.hero.helth'",
        ),
        (
            [line(expect=[{"path": "x.health", "value": 1}])],
            "line 1: scenario 's': path 'x.health'",
        ),
        ([line(expect=[{"path": "p1.fatigue"}])], "line 1: scenario 's': expect #1"),
        (
            [line(expect=[{"legal": {"end_turn": True}, "value": 1}])],
            "line 1: scenario 's': expect #1",
        ),
        (
            [line(actions=[{"expect": [{"path": "z.zone", "value": "hand"}]}])],
            "line 1: scenario 's': path 'z.zone'",
        ),
    ],
)
def test_bad_input_is_refused_with_its_place(
    tmp_path: Path, lines: list[object], place: str
) -> None:
    assert refused_place(tmp_path, *lines) == place


def test_a_game_start_has_only_heroes_and_decks(tmp_path: Path) -> None:
    bad = line()
    bad["setup"]["mode"] = "game_start"
    assert refused_place(tmp_path, bad) == "line 1: scenario 's': setup: p1.mana"


# --- what a pool lacks ---


def test_what_a_pool_lacks_is_named_once(ground: Ground) -> None:
    sides = ({"class": "druid", "hand": ["wolf", "ox"]}, {"board": ["wolf"], "secrets": ["trap"]})
    lacking = scenario(*sides, cards=["WOLF", "fork_hit", "ping"])
    assert missing(ground, lacking.card_ids, lacking.setup) == ["wolf", "trap", "hero druid"]
    assert missing(ground, ("ox",), scenario().setup) == []


# --- positions ---


def test_a_position_is_read_as_it_was_set_up(ground: Ground) -> None:
    p1 = {
        "health": 7,
        "armor": 3,
        "mana": {"available": 4, "max": 6},
        "hand": ["zap", "ox"],
        "board": [{"card": "OX", "damage": 2, "as": "o"}, {"card": "wall", "divine_shield": False}],
        "weapon": {"card": "blade", "durability": 1, "as": "b"},
        "fatigue": 2,
        "overload_owed": 1,
    }
    p2 = {
        "hero_frozen": True,
        "deck": ["zap", ["ox", 2]],
        "board": [{"card": "wall", "frozen": True}],
    }
    here = position(ground, p1, p2)
    expected: dict[str, object] = {
        "game.over": False,
        "game.winner": None,
        "game.active": "p1",
        "p1.hero.health": 7,
        "p1.hero.max_health": 30,
        "p1.hero.armor": 3,
        "p1.hero.attack": 2,
        "p1.hero.card": None,
        "p1.hero.zone": "board",
        "p1.mana.available": 4,
        "p1.mana.max": 6,
        "p1.fatigue": 2,
        "p1.overload.owed": 1,
        "p1.overload.locked": 0,
        "p1.hand.cards": ("zap", "ox"),
        "p1.hand[1].attack": 4,
        "p1.hand[1].zone": "hand",
        "p1.board.size": 2,
        "p1.weapon": "blade",
        "p1.weapon.durability": 1,
        "b.zone": "board",
        "p1.hero_power": "ping",
        "o.health": 3,
        "o.max_health": 5,
        "o.race": "BEAST",
        "o.controller": "p1",
        "o.can_attack": True,
        "p1.board[1].divine_shield": False,
        "p1.board[1].taunt": True,
        "p2.weapon": None,
        "p2.hero.frozen": True,
        "p1.hero.frozen": False,
        "p2.hero.health": 30,
        "p2.deck.cards": ("zap", "ox", "ox"),
        "p2.board[0].frozen": True,
        "p2.board[0].race": "MECHANICAL",
        "p2.board[0].divine_shield": True,
        "p2.secrets.size": 0,
    }
    assert {path: read(here, path) for path in expected} == expected


def test_a_minion_that_is_not_ready_waits_a_turn(ground: Ground) -> None:
    p1 = {"board": [{"card": "ox", "ready": False, "as": "a"}]}
    ready = [{"path": "a.can_attack", "value": True}]
    check_message(difference(ground, p1, expect=ready) or "")
    turns = [{"end_turn": True}, {"end_turn": True}]
    assert difference(ground, p1, actions=turns, expect=ready) is None


def test_cards_are_drawn_from_the_top(ground: Ground) -> None:
    assert (
        difference(
            ground,
            {},
            {"deck": ["zap", "wall", "blade"]},
            actions=[{"end_turn": True}],
            expect=[
                {"path": "p2.hand.cards", "value": ["ZAP"]},
                {"path": "p2.deck.cards", "value": ["wall", "blade"]},
            ],
        )
        is None
    )


# --- moves ---


def test_moves_become_actions(ground: Ground) -> None:
    p1 = {"hand": ["zap", "fork", "ox"], "board": ["ox", {"card": "wall", "as": "w"}]}
    here = position(ground, p1, {"board": ["ox", "ox"], "hand": ["ox"]})
    one = 1 << at.SOURCE_SHIFT
    expected = {
        json.dumps(move): action
        for move, action in [
            ({"end_turn": True}, at.END_TURN),
            ({"play": "p1.hand[0]"}, at.PLAY | at.AT_NOBODY),
            ({"play": "p1.hand[0]", "target": "p2.board[1]"}, at.PLAY | 1),
            ({"play": "p1.hand[0]", "target": "w"}, at.PLAY | at.AT_OWN_MINION + 1),
            ({"play": "p1.hand[0]", "target": "p1.hero"}, at.PLAY | at.AT_OWN_PLAYER),
            (
                {"play": "p1.hand[1]", "target": "p2.hero", "choose": "FORK_HIT"},
                at.PLAY | one | at.AT_PLAYER | 1 << at.OPTION_SHIFT,
            ),
            (
                {"play": "p1.hand[1]", "choose": "fork_draw"},
                at.PLAY | one | at.AT_NOBODY | 2 << at.OPTION_SHIFT,
            ),
            (
                {"play": "p1.hand[2]", "position": 0},
                at.PLAY | 2 << at.SOURCE_SHIFT | at.AT_NOBODY | 1 << at.PLACE_SHIFT,
            ),
            ({"attack": ["w", "p2.board[0]"]}, at.ATTACK_WITH | one),
            (
                {"attack": ["p1.hero", "p2.hero"]},
                at.ATTACK_WITH | at.BY_PLAYER << at.SOURCE_SHIFT | 63,
            ),
            ({"hero_power": True}, at.USE_POWER | at.AT_NOBODY),
            ({"hero_power": "p2.hero"}, at.USE_POWER | at.AT_PLAYER),
            ({"play": "p2.hand[0]"}, None),
            ({"play": "w"}, None),
            ({"play": "p1.hand[3]"}, None),
            ({"play": "p1.hand[1]", "choose": "ping"}, None),
            ({"attack": ["p2.board[0]", "p1.hero"]}, None),
            ({"attack": ["w", "p1.hand[0]"]}, None),
            ({"pick": "ox"}, None),
        ]
    }
    moves = {text: validate(Move, json.loads(text), source="test") for text in expected}
    assert {text: action_of(here, move) for text, move in moves.items()} == expected


def test_a_pick_names_one_of_the_cards_to_choose_from(ground: Ground) -> None:
    here = position(ground, {"deck": ["zap", "wall", "ox"]})
    here.words[at.PHASE] = at.CHOICE_PHASE
    here.words[at.CHOICES : at.CHOICES + 3] = [2, 0, 2]
    cards = player_block(0) + at.CARD_OF_SLOT
    assert here.cards(here.words[cards : cards + 3]) == ("zap", "wall", "ox")
    picks = {card: action_of(here, Move(pick=card)) for card in ("zap", "wall", "ox")}
    assert picks == {"zap": at.PLAY, "wall": None, "ox": at.PLAY | 1 << at.SOURCE_SHIFT}
    assert action_of(here, Move(end_turn=True)) is None


# --- labels ---


def test_a_label_follows_its_card_until_it_is_gone(ground: Ground) -> None:
    labelled = {"board": [{"card": "ox", "as": name} for name in ("home", "toad", "dead", "same")]}
    here = position(ground, labelled)
    home, toad, dead = (here.find(name) for name in ("home", "toad", "dead"))
    here.words[home + at.SERIAL] = here.words[toad + at.SERIAL] = 999
    here.words[home + at.ZONE] = 1  # in the hand
    here.words[dead + at.ZONE] = at.IN_REMOVED
    here.follow_labels()
    zones = {name: read(here, f"{name}.zone") for name in here.labels}
    assert zones == {"home": "hand", "toad": "removed", "dead": "graveyard", "same": "board"}
    with pytest.raises(NothingThereError):
        read(here, "toad.health")
    here.words[dead + at.ZONE] = 2  # another card has got the record
    here.follow_labels()
    assert read(here, "dead.zone") == "graveyard"


def test_labels_through_the_engine(ground: Ground) -> None:
    p1 = {
        "hand": [{"card": card, "as": card} for card in ("recall", "croak", "zap")],
        "board": [{"card": "ox", "as": "a"}, {"card": "ox", "as": "b"}],
    }
    assert (
        difference(
            ground,
            p1,
            {"board": [{"card": "frog", "as": "c"}]},
            actions=[
                {"play": "recall", "target": "a"},
                {"play": "croak", "target": "b"},
                {"play": "zap", "target": "c"},
                {"play": "a", "position": 0},
            ],
            expect=[
                {"path": "a.zone", "value": "board"},
                {"path": "b.zone", "value": "removed"},
                {"path": "c.zone", "value": "graveyard"},
                {"path": "zap.zone", "value": "graveyard"},
                {"path": "p1.board.cards", "value": ["ox", "FROG"]},
                {"path": "p1.board.cards", "multiset": ["frog", "ox"]},
            ],
        )
        is None
    )


# --- differences ---


def test_differences_are_reported(ground: Ground) -> None:
    p1 = {"hand": [{"card": "zap", "as": "z"}, {"card": "ox", "as": "o"}]}
    play = {"play": "z", "target": "p2.hero"}
    health = "p2.hero.health"
    cases: list[tuple[dict[str, Any], str | None]] = [
        ({"path": health, "value": 28}, None),
        ({"path": health, "in": [1, 28]}, None),
        ({"sum": [health, "p1.hero.health"], "value": 58}, None),
        ({"legal": {"play": "o"}, "value": True}, None),
        ({"path": health, "value": 30}, f"{health} = 28; expected 30"),
        ({"path": health, "in": [1, 2]}, f"{health} = 28; expected one of 1, 2"),
        ({"path": health, "value": True}, f"{health} = 28; expected true"),
        ({"sum": [health, health], "value": 1}, f"{health} + {health} = 56; expected 1"),
        (
            {"path": "p1.hand.cards", "multiset": ["ox", "ox"]},
            "p1.hand.cards = [ox]; expected [ox, ox] in any order",
        ),
        ({"path": "z.cost", "value": 1}, "z.cost: nothing is there; expected 1"),
        ({"legal": {"play": "o"}, "value": False}, "play o: legal"),
        ({"legal": play, "value": True}, "play z, target p2.hero: not legal"),
    ]
    for expectation, words in cases:
        expected = f"at the end: {words}" if words else None
        assert difference(ground, p1, actions=[play], expect=[expectation]) == expected


def test_an_action_that_cannot_be_done_is_a_difference(ground: Ground) -> None:
    p1 = {"hand": [{"card": "zap", "as": "z"}], "mana": {"available": 0, "max": 0}}
    check_message(difference(ground, p1, actions=[{"play": "z", "target": "p2.hero"}]) or "")
    check_message(difference(ground, p1, actions=[{"attack": ["p1.board[0]", "p2.hero"]}]) or "")


def test_a_checkpoint_is_checked_where_it_stands(ground: Ground) -> None:
    p1 = {"hand": [{"card": "zap", "as": "z"}]}
    check = {"expect": [{"path": "p2.hero.health", "value": 30}]}
    play = {"play": "z", "target": "p2.hero"}
    assert difference(ground, p1, actions=[check, play]) is None
    check_message(difference(ground, p1, actions=[play, check]) or "")


def test_a_player_may_concede_and_nothing_happens_after_that(ground: Ground) -> None:
    end = [
        {"path": "game.over", "value": True},
        {"path": "game.winner", "value": "p2"},
        {"path": "game.active", "value": "p1"},
    ]
    assert difference(ground, actions=[{"concede": "p1"}, {"end_turn": True}], expect=end) is None


def test_a_choice_is_answered(ground: Ground) -> None:
    p1 = {"hand": [{"card": "search", "as": "s"}], "deck": ["zap", "wall", "blade", "ox"]}
    expect = [
        {"path": "p1.hand.cards", "value": ["wall"]},
        {"path": "p1.deck.cards", "value": ["ox"]},
    ]
    assert difference(ground, p1, actions=[{"play": "s"}, {"pick": "WALL"}], expect=expect) is None


def test_a_game_may_start_with_a_mulligan(ground: Ground) -> None:
    start = line(
        actions=[{"mulligan": {"p1": [0, 2], "p2": [3]}}],
        expect=[
            {"path": "p1.hand.size", "value": 4},
            {"path": "p2.hand.size", "value": 5},
            {"path": "p2.hand[4].card", "value": "shilling"},
            {"path": "p1.deck.size", "value": 26},
            {"path": "game.active", "value": "p1"},
        ],
    )
    side = {"class": "mage", "deck": [["ox", 15], ["zap", 15]]}
    start["setup"] = {"mode": "game_start", "p1": side, "p2": side}
    assert first_difference(ground, validate(Scenario, start, source="test"), 5) is None
    wrong = deepcopy(start)
    wrong["expect"][0]["value"] = 3
    assert first_difference(ground, validate(Scenario, wrong, source="test"), 5)


def test_a_seed_decides_what_is_random(ground: Ground) -> None:
    side = {"class": "mage", "deck": [["ox", 15], ["zap", 15]]}
    setup = validate(Setup, {"mode": "game_start", "p1": side, "p2": side}, source="test")

    def dealt(seed: int) -> tuple[str, ...]:
        here = build(ground, setup, seed)
        return here.cards(here.word(record) for record in here.zone(0, at.HAND))

    assert dealt(3) == dealt(3)
    assert len({dealt(seed) for seed in range(20)}) > 1


def test_a_drawn_game_has_no_winner(ground: Ground) -> None:
    here = position(ground)
    here.words[at.RESULT] = 2
    assert read(here, "game.over") is True
    assert read(here, "game.winner") is None
