"""Lists of events that have happened, and of tasks: effect rows to be carried out.

Both lists are bounded; an entry for which a list has no space stops the game as a fault of the card
at work. Resolution is long code that is needed in many places, so it is compiled once and called
through the table.
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
    """Record that an event has happened, unless no card of this game reacts to it.

    If the list of events is full, the game is stopped as a fault.

    Args:
        state: words of the game.
        event: the event, a value of `Event`.
        subject: record that the event happened to.
        amount: amount of the event, such as the damage.
    """
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
    """Push consecutive effect rows on the stack of tasks; if the stack is full, stop the game.

    Args:
        state: words of the game.
        row: offset of the first row in the table.
        n_rows: number of consecutive rows.
        event: event of the task; rows for another event are skipped.
        source: record that the rows belong to.
        target: record that the player chose, or 0.
        subject: record that the event happened to, or 0.
        amount: amount of the event.
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
    """Push a card's rows for its own event, such as a battlecry, spell text or deathrattle.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        card: offset of the card in the table.
        event: event of the rows to carry out.
        source: record of the card.
        target: record that the player chose, or 0.
    """
    n_rows = table[card + at.CARD_N_ROWS]
    if n_rows > 0:
        push_task(state, table[card + at.CARD_ROWS], n_rows, event, source, target, 0, 0)


@compiled(none(Words, i64))
def forget_reactions(state: Any, record: int) -> None:
    """Cancel a record's pending reactions to events; its battlecries and deathrattles remain.

    It is used for a record that has another text now, or none.
    """
    for k in range(state[at.N_TASKS]):
        task = at.TASKS + at.TASK_SIZE * k
        if state[task + at.TASK_SOURCE] == record and state[task + at.TASK_EVENT] > DEATHRATTLE:
            state[task + at.TASK_EVENT] = at.NO_EVENT


# --- resolution of events and tasks ---


@compiled(none(Words, Words))
def resolve(state: Any, table: Any) -> None:
    """Resolve all recorded events and pending tasks; see `resolution.resolve_all`."""
    call_rule(load64(table, at.RESOLVE), state, table, 0)


@compiled(none(Words, Words))
def finish(state: Any, table: Any) -> None:
    """Resolve events and tasks at the end of a step; if none is pending, only settle the game.

    A game with auras or cost formulas is always resolved, which updates them.
    """
    is_pending = state[at.N_TASKS] > 0 or state[at.N_EVENTS] > 0 or state[at.DEATHS_DUE]
    if is_pending or state[at.HEARD] & (1 << Event.AURA | 1 << Event.OWN_COST):
        resolve(state, table)
    else:
        settle(state)


@compiled(none(Words, Words))
def resolve_if_heard(state: Any, table: Any) -> None:
    """Resolve the recorded events in the middle of an action, if any event was recorded."""
    if state[at.N_EVENTS] > 0:
        resolve(state, table)
