"""Blocks of games that a simulator plays, and the results that it returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Value = int | float | str
"""Value of a parameter: a whole or real number, or a word."""

DRAWN = -1
"""Winner of a drawn game, in place of the position of a seat."""

Seeds = npt.NDArray[np.uint64]
"""Seeds of games, shape ``[S]``."""


class Block(NamedTuple):
    """Games with equal parameters and seating, which differ only in their seeds.

    Attributes:
        numbers: value of every parameter by name, such as `{"marine.hp": 45}`.
        players: names of the players in the order of their seats.
        seeds: seed of each game, ``[S]``.
        without: group of parameters that each seat plays without, `None` for none; empty if every
            seat plays with everything.
    """

    numbers: Mapping[str, Value]
    players: tuple[str, ...]
    seeds: Seeds
    without: tuple[str | None, ...] = ()

    @property
    def n_games(self) -> int:
        """Number of games, ``S``."""
        return len(self.seeds)


class Played(NamedTuple):
    """Results of the games of a block.

    Attributes:
        winners: seat that won each game, or `DRAWN`, ``[S]``.
        turns: length of each game in turns, ``[S]``; `None` if lengths are not reported.
        points: points of each seat in each game, at least 0, ``[S, seats]``; `None` if games are
            only won, lost or drawn.
        infeasible: reason why these parameters cannot be played; empty if they were played. The
            arrays of an infeasible block are empty.
    """

    winners: npt.NDArray[np.int8]
    turns: npt.NDArray[np.int32] | None = None
    points: npt.NDArray[np.float64] | None = None
    infeasible: str = ""
