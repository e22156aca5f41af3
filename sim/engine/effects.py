"""Effect rows at work: an event finds the rows of its card, a row finds its target and opcode.

Events wait in a bounded queue and are resolved one after the other, so an effect that causes
the next one never nests. What an opcode does is a handler in the jump table (`opcodes.py`).
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, call_handler, compiled, i64, none
from sim.engine.endings import settle
from sim.engine.layout import (
    CARD,
    CARD_N_ROWS,
    CARD_ROWS,
    CARD_SIZE,
    CARDS,
    FAULT,
    FAULT_QUEUE,
    HANDLERS,
    MAX_QUEUE,
    OWNER,
    QUEUE,
    QUEUE_ITEM,
    QUEUE_LENGTH,
    RESULT,
    ROW_CONDITION,
    ROW_EVENT,
    ROW_OPCODE,
    ROW_SELECTOR,
    ROW_SIZE,
    RUNNING,
)
from sim.engine.streams import load64
from sim.engine.zones import player
from sim.vocabulary import Condition, Selector

ALWAYS = int(Condition.ALWAYS)
ENEMY_PLAYER = int(Selector.ENEMY_PLAYER)


@compiled(none(Words, i64, i64))
def emit(state: Any, event: int, source: int) -> None:
    """Queue `event`, which happened to the record `source`."""
    length = state[QUEUE_LENGTH]
    if length == MAX_QUEUE:
        state[FAULT] |= FAULT_QUEUE
        return
    state[QUEUE + QUEUE_ITEM * length] = event
    state[QUEUE + QUEUE_ITEM * length + 1] = source
    state[QUEUE_LENGTH] = length + 1


@compiled(i64(i64, i64))
def _target(selector: int, owner: int) -> int:
    """The record that a row acts on."""
    return player(1 - owner) if selector == ENEMY_PLAYER else player(owner)


@compiled(none(Words, Words, i64, i64))
def _run_rows(state: Any, table: Any, event: int, source: int) -> None:
    card = CARDS + CARD_SIZE * state[source + CARD]
    row = table[card + CARD_ROWS]
    for _ in range(table[card + CARD_N_ROWS]):
        applies = table[row + ROW_EVENT] == event and table[row + ROW_CONDITION] == ALWAYS
        if applies and state[RESULT] == RUNNING:
            handler = load64(table, HANDLERS + 4 * table[row + ROW_OPCODE])
            target = _target(table[row + ROW_SELECTOR], state[source + OWNER])
            call_handler(handler, state, table, row, source, target)
            settle(state)
        row += ROW_SIZE


@compiled(none(Words, Words))
def resolve(state: Any, table: Any) -> None:
    """Run the rows of all queued events, first come first served, until the game is over."""
    position = 0
    while position < state[QUEUE_LENGTH]:
        at = QUEUE + QUEUE_ITEM * position
        _run_rows(state, table, state[at], state[at + 1])
        position += 1
    state[QUEUE_LENGTH] = 0
