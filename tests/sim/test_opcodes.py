"""An action of one's own needs one declaration, and nothing of the engine's code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sim.cards.action import Action
from sim.cards.actions import all_actions, check_declaration, register_action
from sim.cards.text.row_phrases import PARTS
from sim.engine.handlers import BUILT_IN
from sim.engine.layout import MAX_OPCODES
from sim.errors import InputError
from tests.duels import ROOT

# A new word stays for the life of a process, so it is added in one that does nothing else.
PROGRAM = """
import json, sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from agents.registry import agent_named
from sim.play.batch import Batch, deck_row, play
from sim.cards.action import Action
from sim.cards.actions import all_actions, register_action
from sim.engine.layout import DRAWS, HEALTH, MAX_OPCODES, OWNER, ROW_AMOUNT
from sim.engine.zones import player
from sim.errors import InputError
from sim.cards.pool import load_pool
from sim.game_log.deal import playthrough
from sim.play.table import pack_table
from tests.duels import DUEL


def drain(state, table, row, source, target):
    state[target + HEALTH] -= table[row + ROW_AMOUNT]
    state[player(state[source + OWNER]) + HEALTH] += table[row + ROW_AMOUNT]


DRAIN = Action("drain", drain, "drain {amount} from {whom}", is_plain=True)
opcode = register_action(DRAIN).number
pool = load_pool(sys.argv[1])
table = pack_table(pool, DUEL)
decks = np.stack([deck_row([0] * 30), deck_row([1] * 30)])
one = np.array([1])
agents = [agent_named("aggro"), agent_named("control")]
outcomes = play(Batch(decks, 0 * one, np.array([[0, 1]]), one, 0 * one, stream=1), table, agents)
text = playthrough(
    table, decks, agents, names=["leeches", "dolls"], run_seed=1, purpose="t", game_index=0
)
refusals = []
for number in range(MAX_OPCODES):
    try:
        register_action(replace(DRAIN, word=f"word_{number}") if number else DRAIN)
    except InputError as error:
        refusals.append(str(error))
print(json.dumps({
    "opcode": opcode,
    "result": outcomes.totals[0].tolist(),
    "text": text,
    "refusals": refusals,
    "n_actions": len(all_actions()),
}))
"""

POOL = """
name = "drained"

[[card]]
id = "leech"
name = "Leech"
kind = "minion"
cost = 1
attack = 0
health = 1
effects = [{ on = "play", do = "drain", to = "enemy_player", amount = 3 }]

[[card]]
id = "doll"
name = "Doll"
kind = "minion"
cost = 5
attack = 0
health = 1
"""


@pytest.fixture(scope="module", params=["compiled", "plain"])
def drained(request: pytest.FixtureRequest, tmp_path_factory: Any) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("drain")
    (folder / "drained.toml").write_text(POOL, encoding="utf-8")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    build = {"NUMBA_DISABLE_JIT": "1"} if request.param == "plain" else {}
    finished = subprocess.run(
        [sys.executable, "-W", "error", str(folder / "program.py"), str(folder / "drained.toml")],
        env=os.environ | build | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    result: dict[str, Any] = json.loads(finished.stdout)
    return result


@pytest.mark.thorough
def test_a_new_action_takes_the_next_number(drained: dict[str, Any]) -> None:
    assert drained["opcode"] == len(all_actions())


@pytest.mark.thorough
def test_a_card_file_may_use_a_new_action_in_a_game(drained: dict[str, Any]) -> None:
    # Nothing here has attack, so nothing dies: leeches are played until the board is full at 5.
    assert drained["text"].count("play Leech") == 5
    assert drained["text"].count("seat 0 life 20 -> 23; seat 1 life 20 -> 17") == 1
    assert drained["result"][5:7] == [20 + 15, 20 - 15]


def test_an_action_has_one_handler_and_the_table_has_an_end(drained: dict[str, Any]) -> None:
    taken, *full = drained["refusals"]
    assert taken == "action 'drain': the word is taken"
    assert full == [
        f"action 'word_{number}': is one too many; the limit is {MAX_OPCODES}"
        for number in range(MAX_OPCODES - len(all_actions()), MAX_OPCODES)
    ]
    assert drained["n_actions"] == MAX_OPCODES


def test_the_built_in_actions_are_numbered_without_a_gap() -> None:
    assert [action.number for action in BUILT_IN.values()] == list(range(len(BUILT_IN)))
    assert list(all_actions())[: len(BUILT_IN)] == list(BUILT_IN)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"word": "freeze"}, "action 'freeze': the word is taken"),
        (
            {"word": "Cold Snap"},
            "action 'Cold Snap': the word must be lower-case letters, digits and _",
        ),
        ({"phrase": "chill {whon}"}, "action 'chill': phrase: unknown part 'whon'; did you mean"),
    ],
)
def test_a_declaration_that_no_card_could_use_is_refused(
    changes: dict[str, str], says: str
) -> None:
    declared: dict[str, Any] = {"word": "chill", "handler": print, "phrase": "chill {whom}"}
    with pytest.raises(InputError, match=re.escape(says)):
        register_action(Action(**declared | changes))
    assert "chill" not in all_actions()


def test_every_part_of_a_phrase_is_said_of_some_row() -> None:
    for action in BUILT_IN.values():
        check_declaration(action)
    assert {"amount", "whom", "cards"} < set(PARTS)
