"""The jump table of effect handlers: what each action word of a card file does.

To add an action: write a function of (state, table, row, source, target), register it under
its word, and it can be used in card files. Nothing else changes, and nothing is recompiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine.compiled import HANDLER, Words, address_of, compiled, i64, none
from sim.engine.draws import draw_card
from sim.engine.layout import (
    BOARD_LIMIT,
    HEALTH,
    MAX_HEALTH,
    MAX_OPCODES,
    OWNER,
    RESULT,
    ROW_AMOUNT,
    ROW_ARGUMENT,
    RUNNING,
    SLOT,
)
from sim.engine.zones import board, enter_board, make_record
from sim.errors import InputError
from sim.vocabulary import ACTIONS

Handler = Callable[[Any, Any, int, int, int], None]
_addresses: dict[int, int] = {}


def register_opcode(name: str, handler: Handler) -> int:
    """Make `handler` the meaning of the action word `name`; returns its opcode.

    Args:
        name: a new word, or a built-in word that has no handler yet.
        handler: plain function of (state, table, row, source, target): the vectors, the
            effect row's offset in the table, the record that acts and the one acted on.

    Raises:
        InputError: the word has a handler, or the jump table is full.
    """
    opcode = ACTIONS.number(name) if name in ACTIONS else len(ACTIONS)
    if opcode in _addresses:
        raise InputError(f"action {name!r} already has a handler")
    if opcode >= MAX_OPCODES:
        raise InputError(f"action {name!r} is number {opcode}; the limit is {MAX_OPCODES - 1}")
    _addresses[opcode] = address_of(handler, HANDLER)
    if name not in ACTIONS:  # last: cards may not use a word whose handler was refused
        ACTIONS.add(name)
    return opcode


def opcode_of(name: str) -> int:
    """The opcode of an action word that has a handler.

    Raises:
        InputError: the word is in the vocabulary, but nothing says what it does.
    """
    opcode = ACTIONS.number(name)
    if opcode not in _addresses:
        raise InputError(f"action {name!r} has no handler; register one with register_opcode")
    return opcode


def handler_words() -> npt.NDArray[np.int16]:
    """The jump table as it stands in a card table: ``[4 * MAX_OPCODES]`` words."""
    addresses = np.zeros(MAX_OPCODES, dtype=np.uint64)
    for opcode, address in _addresses.items():
        addresses[opcode] = address
    return addresses.astype("<u8").view(np.int16)


def _damage(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[target + HEALTH] -= table[row + ROW_AMOUNT]


def _heal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Healing stops at full health, and takes nothing from what stands above it."""
    healed = state[target + HEALTH] + table[row + ROW_AMOUNT]
    state[target + HEALTH] = max(min(healed, state[target + MAX_HEALTH]), state[target + HEALTH])


def _draw(state: Any, table: Any, row: int, source: int, target: int) -> None:
    for _ in range(table[row + ROW_AMOUNT]):
        if state[RESULT] == RUNNING:
            draw_card(state, table, state[target + OWNER])


@compiled(none(Words, Words, i64, i64, i64))
def _summon_one(state: Any, table: Any, card: int, slot: int, seat: int) -> None:
    if state[board(seat)] < table[BOARD_LIMIT]:
        enter_board(state, board(seat), make_record(state, table, card, slot, seat))


def _summon(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Tokens that find the board full are lost."""
    for _ in range(table[row + ROW_AMOUNT]):
        seat = state[target + OWNER]
        _summon_one(state, table, table[row + ROW_ARGUMENT], state[source + SLOT], seat)


for _name, _handler in (("damage", _damage), ("heal", _heal), ("draw", _draw), ("summon", _summon)):
    register_opcode(_name, _handler)
