"""Events and tasks: what has happened, and the effect rows that wait to be carried out.

Both are bounded. What finds no room stops the game as a fault of the card at work. Letting them
happen is long and needed in many places, so it is compiled once and called through the table.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event
from sim.engine import layout as at
from sim.engine.addresses import call_rule
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import fail, settle
from sim.engine.streams import load64

DEATHRATTLE = int(Event.DEATHRATTLE)


@compiled(none(Words, i64, i64, i64))
def emit(state: Any, event: int, subject: int, amount: int) -> None:
    """Note that `event` has happened to `subject`, unless no card of this game listens to it."""
    if (state[at.HEARD + (event >> 4)] >> (event & 15)) & 1 == 0:
        return
    length = state[at.N_EVENTS]
    if length == at.MAX_EVENTS:
        fail(state, at.FAULT_QUEUE)
        return
    place = at.EVENTS + at.EVENT_SIZE * length
    state[place] = event
    state[place + 1] = subject
    state[place + 2] = amount
    state[at.N_EVENTS] = length + 1


@compiled(none(Words, i64, i64, i64, i64, i64, i64, i64))
def push_task(
    state: Any,
    row: int,
    n_rows: int,
    event: int,
    source: int,
    target: int,
    subject: int,
    amount: int,
) -> None:
    """Let rows wait, on top of those that wait already.

    Args:
        state: the game.
        row: offset of the first row in the table.
        n_rows: how many follow each other.
        event: rows that listen to another one are passed over.
        source: whose rows they are.
        target: what the player chose, or 0.
        subject: what the event happened to, or 0.
        amount: how much it was about.
    """
    length = state[at.N_TASKS]
    if length == at.MAX_TASKS:
        fail(state, at.FAULT_QUEUE)
        return
    place = at.TASKS + at.TASK_SIZE * length
    state[place + at.TASK_ROW] = row
    state[place + at.TASK_N_ROWS] = n_rows
    state[place + at.TASK_EVENT] = event
    state[place + at.TASK_SOURCE] = source
    state[place + at.TASK_TARGET] = target
    state[place + at.TASK_SUBJECT] = subject
    state[place + at.TASK_AMOUNT] = amount
    state[at.N_TASKS] = length + 1


@compiled(none(Words, Words, i64, i64, i64, i64))
def push_own_rows(state: Any, table: Any, card: int, event: int, source: int, target: int) -> None:
    """Let the rows of the card at offset `card` wait: battlecry, spell text or deathrattle."""
    n_rows = table[card + at.CARD_N_ROWS]
    if n_rows > 0:
        push_task(state, table[card + at.CARD_ROWS], n_rows, event, source, target, 0, 0)


@compiled(none(Words, i64))
def forget_reactions(state: Any, record: int) -> None:
    """Let nothing happen of what a record's text was about to do in answer to an event.

    For a record that has another text now, or none. Battlecries and deathrattles go on.
    """
    for k in range(state[at.N_TASKS]):
        task = at.TASKS + at.TASK_SIZE * k
        if state[task + at.TASK_SOURCE] == record and state[task + at.TASK_EVENT] > DEATHRATTLE:
            state[task + at.TASK_EVENT] = at.NO_EVENT


# --- letting them happen ---


@compiled(none(Words, Words))
def resolve(state: Any, table: Any) -> None:
    """Let everything happen that waits to happen; see `resolution.resolve_all`."""
    call_rule(load64(table, at.RESOLVE), state, table, 0)


@compiled(none(Words, Words))
def finish(state: Any, table: Any) -> None:
    """As `resolve`, at the end of a step that may have set nothing off."""
    waits = state[at.N_TASKS] > 0 or state[at.N_EVENTS] > 0 or state[at.DEATHS_DUE]
    if waits or state[at.HEARD] & (1 << Event.AURA | 1 << Event.OWN_COST):
        resolve(state, table)
    else:
        settle(state)


@compiled(none(Words, Words))
def resolve_if_heard(state: Any, table: Any) -> None:
    """As `resolve`, in the middle of an action, where nothing happens unless somebody listens."""
    if state[at.N_EVENTS] > 0:
        resolve(state, table)
