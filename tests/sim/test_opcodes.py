"""A new action needs one declaration, and no change of the engine's code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agents import compiled_agent_named
from sim import Pool, playthrough, validate
from sim.actions import check_declaration, register_action
from sim.cards.action import Action, all_actions
from sim.engine.handlers import BUILT_IN
from sim.engine.layout import HEALTH, MAX_OPCODES, OWNER, ROW_AMOUNT
from sim.engine.zones import player
from sim.play import deck_row, pack_table
from tests.duels import DUEL
from tests.refusals import refusal_of

DOLL = {"id": "doll", "name": "Doll", "cost": 5, "attack": 0, "health": 1}
ROW = {"on": "play", "do": "drain", "to": "enemy_player", "amount": 3}
LEECH = {**DOLL, "id": "leech", "name": "Leech", "cost": 1, "effects": [ROW]}


def _drain(state, table, row, source, target):
    state[target + HEALTH] -= table[row + ROW_AMOUNT]
    state[player(state[source + OWNER]) + HEALTH] += table[row + ROW_AMOUNT]


@pytest.fixture
def drain() -> Iterator[Action]:
    """Yield an action that is registered for the duration of a test."""
    known = {**all_actions()}
    yield register_action(Action("drain", _drain, "drain {amount} from {receivers}", is_plain=True))
    all_actions().clear()
    all_actions().update(known)


def test_cards_may_use_a_new_action_in_a_game(drain: Action) -> None:
    pool = validate(Pool, {"name": "drained", "card": [LEECH, DOLL]}, source="test")
    text = playthrough(
        pack_table(pool, DUEL),
        np.stack([deck_row([0] * 30), deck_row([1] * 30)]),
        [compiled_agent_named("aggro"), compiled_agent_named("control")],
        names=["leeches", "dolls"], run_seed=1, purpose="t", game_index=0,
    )  # fmt: skip
    # Nothing here has attack, so nothing dies: leeches are played until the board is full at 5.
    assert text.count("play Leech") == 5
    assert text.count("seat 0 life 20 -> 23; seat 1 life 20 -> 17") == 1
    assert f"life {20 + 15} / {20 - 15}" in text


def test_an_action_has_the_next_number_and_the_table_an_end(drain: Action) -> None:
    assert drain.number == len(BUILT_IN)
    assert refusal_of(register_action, drain).value in {None, "drain"}
    for number in range(drain.number + 1, MAX_OPCODES):
        register_action(replace(drain, word=f"word_{number}"))
    error = refusal_of(register_action, replace(drain, word="word"))
    assert str(MAX_OPCODES) in str(error)


def test_the_built_in_actions_are_numbered_without_a_gap() -> None:
    assert [action.number for action in BUILT_IN.values()] == list(range(len(BUILT_IN)))


@pytest.mark.parametrize(
    "changes",
    [{"word": "freeze"}, {"word": "Cold Snap"}, {"phrase": "chill {whon}"}],
    ids=["taken", "not a word", "unknown part"],
)
def test_a_declaration_that_no_card_could_use_is_refused(changes: dict[str, str]) -> None:
    declared: dict[str, Any] = {"word": "chill", "handler": print, "phrase": "chill {receivers}"}
    action = Action(**declared | changes)
    assert str(refusal_of(register_action, action)).startswith(f"action {action.word!r}: ")
    assert "chill" not in all_actions()


def test_phrases_of_the_built_in_actions_name_known_parts() -> None:
    for action in BUILT_IN.values():
        check_declaration(action)
