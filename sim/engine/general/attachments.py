"""Attachments: text that rows have given to a minion or a player, beside what is printed.

All of them lie in one list, since few games have many: record and card of each, the oldest first.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import fail
from sim.engine.zones import hear


@compiled(i64(Words, i64))
def attached_to(state: Any, k: int) -> int:
    """The record that the k-th attachment belongs to."""
    return state[at.ATTACHED + 2 * k]


@compiled(i64(Words, i64))
def attached_card(state: Any, k: int) -> int:
    """Where in the table the card of the k-th attachment stands."""
    return at.CARDS + at.CARD_SIZE * state[at.ATTACHED + 1 + 2 * k]


@compiled(none(Words, Words, i64, i64))
def attach(state: Any, table: Any, record: int, number: int) -> None:
    """Give a record the text of the card `number`, if that ever reacts."""
    if table[at.CARDS + at.CARD_SIZE * number + at.CARD_EVENTS] == 0:
        return
    length = state[at.N_ATTACHED]
    if length == at.MAX_ATTACHED:
        fail(state, at.FAULT_ATTACHED)
        return
    state[at.ATTACHED + 2 * length] = record
    state[at.ATTACHED + 1 + 2 * length] = number
    state[at.N_ATTACHED] = length + 1
    card = at.CARDS + at.CARD_SIZE * number
    state[record + at.HEARS] |= table[card + at.CARD_EVENTS]
    hear(state, table, card)


@compiled(none(Words, i64))
def detach_all(state: Any, record: int) -> None:
    """Take all that was attached from a record; what it still hears is the caller's to say."""
    n_kept = 0
    for k in range(state[at.N_ATTACHED]):
        if attached_to(state, k) != record:
            state[at.ATTACHED + 2 * n_kept] = state[at.ATTACHED + 2 * k]
            state[at.ATTACHED + 1 + 2 * n_kept] = state[at.ATTACHED + 1 + 2 * k]
            n_kept += 1
    for word in range(at.ATTACHED + 2 * n_kept, at.ATTACHED + 2 * state[at.N_ATTACHED]):
        state[word] = 0  # equal games are equal word for word
    state[at.N_ATTACHED] = n_kept


@compiled(none(Words, Words, i64, i64))
def attach_the_same(state: Any, table: Any, original: int, copy: int) -> None:
    """Give a record all that is attached to another."""
    for k in range(state[at.N_ATTACHED]):
        if attached_to(state, k) == original:
            attach(state, table, copy, state[at.ATTACHED + 1 + 2 * k])
