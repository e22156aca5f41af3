"""Seeing games and naming actions by whichever view a batch has, and playing on until it is asked.

The duel's view is inlined here, behind one branch that always goes the same way. The general
view is called by its address, so that it is compiled only where a learned agent plays a game
that is not plain.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.addresses import call_mark, call_policy, call_rule, call_see
from sim.engine.compiled import Bytes, Floats, Vector, Words, compiled, i64, none
from sim.engine.duel_view import engine_action, mark_legal, observe, view_action
from sim.engine.listing import listed
from sim.engine.rules import act
from sim.engine.streams import load64
from sim.ruleset import N_SEATS


@compiled(none(Words, Words, Words, Floats))
def see(state: Any, table: Any, view: Any, values: Any) -> None:
    """Write what the seat to move sees.

    Args:
        state: a game; the general view uses its work area.
        table: the numbers of its variant.
        view: words of the view (`sim.observation.view`).
        values: ``[n_values]`` overwritten.
    """
    if view[at.VIEW_GENERAL]:
        call_see(load64(view, at.VIEW_SEE), state, table, view, values)
    else:
        observe(state, view, values)


@compiled(i64(Words, Words, Words, Bytes))
def mark(state: Any, table: Any, view: Any, mask: Any) -> int:
    """Mark each of the ``[n_actions]`` actions 1 if legal, else 0; returns how many are."""
    if view[at.VIEW_GENERAL]:
        return call_mark(load64(view, at.VIEW_MARK), state, table, view, mask)
    return mark_legal(state, mask)


@compiled(i64(Words, Words))
def forced_action(state: Any, view: Any) -> int:
    """The engine's action where `mark` has just found one only."""
    return listed(state, 0) if view[at.VIEW_GENERAL] else at.END_TURN


@compiled(i64(Words, Words, i64))
def to_engine(table: Any, view: Any, action: int) -> int:
    """The engine's number of an action of the view; any other number stays an illegal action."""
    if view[at.VIEW_GENERAL]:
        return call_rule(load64(view, at.VIEW_TO_ENGINE), table, view, action)
    return engine_action(action)


@compiled(i64(Words, Words, i64))
def from_engine(table: Any, view: Any, action: int) -> int:
    """The view's number of an engine's action; an illegal one may get a number beyond."""
    if view[at.VIEW_GENERAL]:
        return call_rule(load64(view, at.VIEW_FROM_ENGINE), table, view, action)
    return view_action(action)


@compiled(none(Words, Words, Words, i64, Vector, i64))
def count_action(state: Any, table: Any, view: Any, action: int, chosen: Any, row: int) -> None:
    """Count what the seat to move chose, by row and seat, unless `chosen` is empty.

    An illegal action may have a number beyond the view's; it is reported elsewhere.
    """
    if chosen.size:
        number = from_engine(table, view, action)
        if number < view[at.VIEW_N_ACTIONS]:
            chosen[view[at.VIEW_N_ACTIONS] * (N_SEATS * row + state[at.ACTIVE]) + number] += 1


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
