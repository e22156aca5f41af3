"""Result of one game, as a Python function returns it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Result(NamedTuple):
    """Result of a game; in the batch form, of many games, with one entry per game.

    Attributes:
        winner: seat that won, from 0; `None` for a draw. In the batch form an array ``[G]`` with -1
            for a draw.
        turns: length of the game in turns; in the batch form ``[G]``; `None` if it is not counted.
        points: points of each seat, at least 0; in the batch form ``[G, seats]``; `None` if the
            game has no points.
    """

    winner: Any
    turns: Any = None
    points: Sequence[float] | Any = None


class Infeasible(Exception):  # noqa: N818 (a refusal of numbers, which is no error of the code)
    """Refusal of a game's numbers, which a function raises if they cannot be played.

    A patch with these numbers is not considered. Any other exception stops the run.
    """
