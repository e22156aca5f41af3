"""The upper estimate of a turn's damage is never below what a full search of the turn finds."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from agents import agent_named
from agents.conformance.games import games_of, positions
from agents.search.pressure import guarding_health
from agents.search.turn.reach import slack_of
from agents.search.turn.work import WORK_SIZE
from sim.engine import layout as at
from sim.engine.addresses import words_at
from sim.engine.compiled import Block, compiled, i64
from tests.agents.test_turn import EACH_SOURCE, ENDLESS, whole_turn
from tests.steps import Words16, block

N_POSITIONS = 200


@compiled(i64(Block, Block, Block, i64), from_python=True)
def slack_in(state, table, work, seat):
    game = words_at(state, 0)
    guarded = guarding_health(game, 1 - seat)
    return slack_of(game, words_at(table, 0), words_at(work, 0), seat, guarded)


def slack(state: Words16, numbers: Words16) -> int:
    """Return the slack of the seat to move."""
    work = np.zeros(WORK_SIZE, np.int16)
    return int(slack_in(state, numbers, work, int(state[at.ACTIVE])))


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_a_turn_that_can_kill_is_never_without_hope(source: str) -> None:
    """Check turns without chance, of an enemy with exactly as much life as can be taken."""
    games = games_of(source)
    n_tight = 0
    n_harmful = 0
    for position in islice(positions(agent_named("greedy"), games, 100), N_POSITIONS):
        state = position.state.copy()
        enemy = block(1 - int(state[at.ACTIVE]))
        state[enemy + at.HEALTH] = ENDLESS
        state[enemy + at.ARMOR] = 0
        turn = whole_turn(games, state, 400) if state[at.PHASE] == at.MAIN_PHASE else None
        if turn is None:
            continue
        damage = max(ENDLESS - int(end[enemy + at.HEALTH]) for end, _ in turn.values())
        if damage == 0:
            continue
        state[enemy + at.HEALTH] = damage
        left = slack(state, games.numbers)
        assert left >= 0
        n_tight += left == 0
        n_harmful += 1
    assert n_harmful > N_POSITIONS // 8
    assert n_tight > n_harmful // 4  # else the bound would spare little
