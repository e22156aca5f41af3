"""The jump table of effect handlers: where compiled code finds what each action does."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from numba.core.errors import NumbaError

from sim.cards.action import Action
from sim.engine.addresses import address_of
from sim.engine.compiled import HANDLER
from sim.engine.layout import MAX_OPCODES
from sim.errors import InputError

_addresses: dict[str, int] = {}  # of those that a table has needed so far


def handler_words(actions: Iterable[Action]) -> npt.NDArray[np.int16]:
    """The jump table of a card table that uses these: ``[4 * MAX_OPCODES]`` words.

    Raises:
        InputError: a handler cannot be compiled.
    """
    addresses = np.zeros(MAX_OPCODES, dtype=np.uint64)
    for action in actions:
        if action.word not in _addresses:
            _addresses[action.word] = _address(action)
        addresses[action.number] = _addresses[action.word]
    return addresses.astype("<u8").view(np.int16)


def _address(action: Action) -> int:
    try:
        return address_of(action.handler, HANDLER)
    except NumbaError as error:
        raise InputError(f"action {action.word!r}: cannot be compiled: {error}") from error
