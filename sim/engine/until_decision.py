"""Playing on until somebody outside has to be asked: what lock-step play and episodes share."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.addresses import call_policy
from sim.engine.compiled import (
    Bytes,
    Vector,
    Words,
    compiled,
    i64,
    none,
)
from sim.engine.rules import act
from sim.engine.viewing import count_action, forced_action, mark


@compiled(none(Words, Words, Words, Words, Words, i64, i64, i64, Bytes, Vector, i64))
def play_until_asked(
    state: Any,
    table: Any,
    first_view: Any,
    second_view: Any,
    counting_view: Any,
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
        first_view: words of the view by which seat 0's agent, if it is an outside one, sees it.
        second_view: of seat 1's.
        counting_view: of the view by whose numbers to count.
        first_agent: address of seat 0's agent, or `ASK`.
        second_agent: of seat 1's.
        skip_forced: whether an outside agent with one legal action takes it unasked.
        mask: ``[n_actions]`` what the agent that is asked may do; meaningless if the game is over.
        chosen: counts of what was chosen unasked (`count_action`), or empty.
        row: where to count it.
    """
    while state[at.RESULT] == at.RUNNING:
        agent = second_agent if state[at.ACTIVE] else first_agent
        view = second_view if state[at.ACTIVE] else first_view
        if agent != at.ASK:
            action = call_policy(agent, state, table)
        elif mark(state, table, view, mask) > 1 or not skip_forced:
            return
        else:
            action = forced_action(state, view)
        count_action(state, table, counting_view, action, chosen, row)
        act(state, table, action)  # the one copy here: it is most of what there is to compile
