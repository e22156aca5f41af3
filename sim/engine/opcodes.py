"""The jump table of effect handlers: what each action word of a card file does.

To add an action: write a function of (state, table, row, source, target), register it under
its word, and it can be used in card files. Nothing else changes, and nothing is recompiled.
What the row comes to, multiplied and rolled, stands in the state: `NOW_AMOUNT`, `NOW_ATTACK` and
`NOW_HEALTH` of `sim.engine.layout`. The built-in words are in `handlers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.cards.vocabulary import ACTIONS
from sim.engine.addresses import address_of
from sim.engine.compiled import HANDLER
from sim.engine.handlers import BUILT_IN
from sim.engine.layout import MAX_OPCODES
from sim.errors import InputError

Handler = Callable[[Any, Any, int, int, int], None]
_handlers: dict[int, Handler] = {}
_addresses: dict[int, int] = {}  # of those that a table has needed so far


def register_opcode(name: str, handler: Handler) -> int:
    """Make `handler` the meaning of the action word `name`; returns its opcode.

    It is compiled when a card first uses the word.

    Args:
        name: a new word, or a built-in word that has no handler yet.
        handler: plain function of (state, table, row, source, target): the vectors, the
            effect row's offset in the table, the record that acts and the one acted on.

    Raises:
        InputError: the word has a handler, or the jump table is full.
    """
    opcode = ACTIONS.number(name) if name in ACTIONS else len(ACTIONS)
    if opcode in _handlers:
        raise InputError(f"action {name!r} already has a handler")
    if opcode >= MAX_OPCODES:
        raise InputError(f"action {name!r} is number {opcode}; the limit is {MAX_OPCODES - 1}")
    _handlers[opcode] = handler
    if name not in ACTIONS:  # last: cards may not use a word whose handler was refused
        ACTIONS.add(name)
    return opcode


def opcode_of(name: str) -> int:
    """The opcode of an action word that has a handler.

    Raises:
        InputError: the word is in the vocabulary, but nothing says what it does.
    """
    opcode = ACTIONS.number(name)
    if opcode not in _handlers:
        raise InputError(f"action {name!r} has no handler; register one with register_opcode")
    return opcode


def handler_words(opcodes: Iterable[int]) -> npt.NDArray[np.int16]:
    """The jump table of a card table that uses `opcodes`: ``[4 * MAX_OPCODES]`` words."""
    addresses = np.zeros(MAX_OPCODES, dtype=np.uint64)
    for opcode in opcodes:
        if opcode not in _addresses:
            _addresses[opcode] = address_of(_handlers[opcode], HANDLER)
        addresses[opcode] = _addresses[opcode]
    return addresses.astype("<u8").view(np.int16)


for _name, _handler in BUILT_IN.items():
    register_opcode(_name, _handler)
