"""Copying a game: what search agents do most, and what is measured of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine.compiled import Block, Words, compiled, i64, none
from sim.engine.layout import (
    ATTACHED,
    MAX_ATTACHED,
    N_ACTIONS,
    N_ATTACHED,
    N_LISTED,
    STATE_SIZE,
    USED_SIZE,
)
from sim.engine.pointers import copy_words, words_at


@compiled(none(Words, Words))
def copy_game(source: Any, target: Any) -> None:
    """Copy all of a game but its statistics, which nothing in a game reads, and unused records."""
    n_attached = max(source[N_ATTACHED], min(target[N_ATTACHED], MAX_ATTACHED))
    copy_words(source, target, source[USED_SIZE])
    for at in range(ATTACHED, ATTACHED + 2 * n_attached):  # few games have any
        target[at] = source[at]
    target[N_LISTED] = 0


@compiled(none(Block, i64), from_python=True)
def copy_repeatedly(states: npt.NDArray[np.int16], n_copies: int) -> None:
    """Copy a game onto another, each copy different from the one before.

    Args:
        states: ``[2 * STATE_SIZE]`` the games; the second is overwritten.
        n_copies: how often.
    """
    source, target = words_at(states, 0), words_at(states, STATE_SIZE)
    for k in range(n_copies):
        source[N_ACTIONS] = k & 1023
        copy_game(source, target)
