"""Copying a game: what search agents do most, and what is measured of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.engine.compiled import Block, Words, compiled, i64, none
from sim.engine.pointers import copy_words, words_at


@compiled(none(Words, Words))
def copy_game(source: Any, target: Any) -> None:
    """Copy all of a game but its statistics, which nothing in a game reads, and unused records."""
    n_attached = max(source[at.N_ATTACHED], min(target[at.N_ATTACHED], at.MAX_ATTACHED))
    copy_words(source, target, source[at.USED_SIZE])
    for word in range(at.ATTACHED, at.ATTACHED + 2 * n_attached):  # few games have any
        target[word] = source[word]
    target[at.N_LISTED] = 0


@compiled(none(Block, i64), from_python=True)
def copy_repeatedly(states: npt.NDArray[np.int16], n_copies: int) -> None:
    """Copy a game onto another, each copy different from the one before.

    Args:
        states: ``[2 * STATE_SIZE]`` the games; the second is overwritten.
        n_copies: how often.
    """
    source, target = words_at(states, 0), words_at(states, at.STATE_SIZE)
    for k in range(n_copies):
        source[at.N_ACTIONS] = k & 1023
        copy_game(source, target)
