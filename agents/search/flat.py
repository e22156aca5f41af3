"""Flat Monte-Carlo search: every legal action in the same imagined games; most points win."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.scripted.board_view import count_legal, legal_action
from agents.search.worlds import copy_game, deal_hidden, forget_hidden
from sim.engine.compiled import Block, Words, call_policy, compiled, i64, none, u64, words_at
from sim.engine.layout import (
    ACTIVE,
    AGENT_STREAM,
    DRAWN,
    END_TURN,
    N_DECISIONS,
    RESULT,
    RUNNING,
    STATE_SIZE,
)
from sim.engine.rules import act
from sim.engine.streams import load64, number
from sim.engine.zones import player
from sim.ruleset import BOARD_CAPACITY, HAND_CAPACITY

WIN, DRAW = 2, 1  # points of a game
WORLDS_MAX = 10_000  # an action's points must fit a word, and twice this does
ACTIONS_MAX = HAND_CAPACITY + BOARD_CAPACITY * (BOARD_CAPACITY + 1) + 1

# --- scratch: three games, the legal actions, their points ---
FORGETFUL = 0  # the game without what the seat may not see
WORLD = STATE_SIZE  # one way it may be
GAME = 2 * STATE_SIZE  # that world played out
ACTIONS = 3 * STATE_SIZE
POINTS = ACTIONS + ACTIONS_MAX
SCRATCH_SIZE = POINTS + ACTIONS_MAX


@compiled(none(Words, Words, i64, i64, i64))
def _play_out(state: Any, table: Any, action: int, first_agent: int, second_agent: int) -> None:
    """Take `action`, then let the agents play to the end of the game."""
    while True:
        act(state, table, action)
        if state[RESULT] != RUNNING:
            return
        action = call_policy(second_agent if state[ACTIVE] else first_agent, state, table)


@compiled(i64(Words, i64))
def _points(state: Any, seat: int) -> int:
    """What a finished game is worth to `seat`."""
    if state[RESULT] == seat:
        return WIN
    return DRAW if state[RESULT] == DRAWN else 0


@compiled(u64(Words, i64))
def _decision_stream(state: Any, seat: int) -> int:
    """The seed of this decision's randomness, keyed by (game seed, seat, decision)."""
    decision = state[player(seat) + N_DECISIONS] + 1
    return number(load64(state, player(seat) + AGENT_STREAM), decision)


@compiled(i64(Words, Words, i64))
def _list_actions(state: Any, actions: Any, seat: int) -> int:
    """Write down what `seat` may do; returns how many actions that is."""
    n_actions = count_legal(state, seat)
    for k in range(n_actions):
        actions[k] = legal_action(state, seat, k)
    return n_actions


@compiled(i64(Words, i64))
def _first_of_most(points: Any, n_actions: int) -> int:
    best = 0
    for k in range(1, n_actions):
        if points[k] > points[best]:
            best = k
    return best


@compiled(i64(Words, Words, Block, i64, i64, i64))
def _search(
    state: Any, table: Any, scratch: Any, n_worlds: int, own_agent: int, enemy_agent: int
) -> int:
    """As `best_action`, with ``[SCRATCH_SIZE]`` words of scratch."""
    forgetful, world = words_at(scratch, FORGETFUL), words_at(scratch, WORLD)
    game = words_at(scratch, GAME)
    actions, points = words_at(scratch, ACTIONS), words_at(scratch, POINTS)
    seat = state[ACTIVE]
    first_agent = enemy_agent if seat else own_agent
    second_agent = own_agent if seat else enemy_agent
    stream = _decision_stream(state, seat)
    n_actions = _list_actions(state, actions, seat)
    for k in range(n_actions):
        points[k] = 0
    copy_game(state, forgetful)
    n_hidden = forget_hidden(forgetful)
    for index in range(n_worlds):
        copy_game(forgetful, world)
        deal_hidden(world, table, n_hidden, number(stream, index + 1))
        for k in range(n_actions):  # in the same world, so that luck does not choose among them
            copy_game(world, game)
            _play_out(game, table, actions[k], first_agent, second_agent)
            points[k] += _points(game, seat)
    return actions[_first_of_most(points, n_actions)]  # type: ignore[no-any-return]


def best_action(state: Any, table: Any, n_worlds: int, own_agent: int, enemy_agent: int) -> int:
    """The legal action with the most points over the imagined worlds, the lowest of equals.

    The scratch is the one allocation in compiled code: games are played by several threads at
    once through the same agent, so it can be nobody's but this decision's. It takes under
    0.1 us, where a world takes several.

    Args:
        state: the game; only what the seat to move may see has an influence.
        table: the numbers of its variant.
        n_worlds: how many worlds to deal, up to `WORLDS_MAX`.
        own_agent: address of the agent that plays on for the seat to move.
        enemy_agent: likewise for the other seat.
    """
    if count_legal(state, state[ACTIVE]) == 1:
        return END_TURN
    scratch = np.empty(SCRATCH_SIZE, np.int16)
    return _search(state, table, scratch, n_worlds, own_agent, enemy_agent)
