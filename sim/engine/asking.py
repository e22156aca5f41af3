"""Playing on until somebody outside has to be asked: what lock-step play and episodes share."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Bytes, Vector, Words, call_policy, compiled, i64, none
from sim.engine.duel_view import count_action, mark_legal
from sim.engine.layout import ACTIVE, END_TURN, RESULT, RUNNING
from sim.engine.rules import act

ASK = -1  # in place of an agent's address: its moves come from outside


@compiled(none(Words, Words, i64, i64, i64, Bytes, Vector, i64))
def play_until_asked(
    state: Any,
    table: Any,
    first_agent: int,
    second_agent: int,
    skip_forced: int,
    mask: Any,
    chosen: Any,
    row: int,
) -> None:
    """Let compiled agents move until the game is over or an outside agent is to move.

    Args:
        state: a game, running or over.
        table: the numbers of its variant.
        first_agent: address of seat 0's agent, or `ASK`.
        second_agent: of seat 1's.
        skip_forced: whether an outside agent that can only end its turn does so unasked.
        mask: ``[N_ACTIONS]`` what the outside agent may do; meaningless if the game is over.
        chosen: counts of what was chosen unasked (`count_action`), or empty.
        row: where to count it.
    """
    while state[RESULT] == RUNNING:
        agent = second_agent if state[ACTIVE] else first_agent
        if agent != ASK:
            action = call_policy(agent, state, table)
        elif mark_legal(state, mask) > 1 or not skip_forced:
            return
        else:
            action = END_TURN
        count_action(state, action, chosen, row)
        act(state, table, action)  # the one copy here: it is most of what there is to compile
