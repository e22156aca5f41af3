"""Check of the results that a Python function returns, one game or many games at a time."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.errors import InputError
from sim.simulator.block import DRAWN, Block, Played
from sim.simulator.game_words import game_words
from sim.simulator.result import Result

# Longest game, in turns, that can be counted: a bound against nonsense, far above any real game.
_TURNS_MAX = 10**6


def read_results(returned: Sequence[Any], block: Block, n_seats: int) -> Played:
    """Return the results of games that a function returned one by one.

    Args:
        returned: seat that won, `None` or a `Result`, for each game.
        block: games that were played.
        n_seats: number of seats.

    Raises:
        InputError: a result is none of these, or only some games have turns or points; the message
            names the game.
    """
    winners = np.empty(len(returned), dtype=np.int8)
    turns = list[int]()
    points = list[Sequence[float]]()
    for game, value in enumerate(returned):
        result = value if isinstance(value, Result) else Result(value)
        problem = ""
        try:
            winners[game] = _seat(result.winner, n_seats)
            if result.turns is not None:
                turns.append(_whole(result.turns))
            if result.points is not None:
                points.append(_points(result.points, n_seats))
        except ValueError as error:
            problem = str(error)
        for name, known in (("turns", turns), ("points", points)):
            if len(known) not in (0, game + 1):
                problem = f"has {name}, although not all games have them"
        if problem:
            raise InputError(
                f"returned {value!r}, which {problem}, in the {game_words(block, game)}",
                place="play",
                value=value,
                separator=" ",
            )
    return Played(
        winners,
        np.array(turns, dtype=np.int32) if turns else None,
        np.array(points, dtype=np.float64) if points else None,
    )


def read_batch(returned: Any, n_games: int, n_seats: int) -> Played:
    """Return the results of games that a function returned as arrays.

    Args:
        returned: array of the seats that won, ``[G]``, -1 for a draw; or a `Result` of arrays.
        n_games: number of games, ``G``.
        n_seats: number of seats.

    Raises:
        InputError: an array has another shape, or a value that is not permitted.
    """
    result = returned if isinstance(returned, Result) else Result(returned)
    winners = _array(result.winner, "winner", (n_games,))
    _require("winner", winners, (winners >= DRAWN) & (winners < n_seats), f"-1 to {n_seats - 1}")
    _require("winner", winners, winners == np.round(winners), "whole numbers")
    turns = None
    if result.turns is not None:
        lengths = _array(result.turns, "turns", (n_games,))
        _require("turns", lengths, (lengths >= 0) & (lengths <= _TURNS_MAX), f"0 to {_TURNS_MAX:,}")
        turns = lengths.astype(np.int32)
    points = None
    if result.points is not None:
        points = _array(result.points, "points", (n_games, n_seats))
        _require("points", points, np.isfinite(points) & (points >= 0), "numbers of at least 0")
    return Played(winners.astype(np.int8), turns, points)


def _seat(value: Any, n_seats: int) -> int:
    """Return the seat that won, `DRAWN` for `None`.

    Raises:
        ValueError: the value is no seat.
    """
    if value is None:
        return DRAWN
    try:
        seat = -1 if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        seat = -1
    if not 0 <= seat < n_seats:
        raise ValueError(f"must be the seat that won, 0 to {n_seats - 1}, or None for a draw")
    return seat


def _whole(value: Any) -> int:
    """Return a number of turns.

    Raises:
        ValueError: the value is not a whole number within the limits.
    """
    try:
        turns = operator.index(value)
    except TypeError:
        turns = -1
    if not 0 <= turns <= _TURNS_MAX:
        raise ValueError(f"has turns that are no whole number from 0 to {_TURNS_MAX:,}")
    return turns


def _points(value: Any, n_seats: int) -> Sequence[float]:
    """Return the points of each seat.

    Raises:
        ValueError: the value is not one number of at least 0 for each seat.
    """
    try:
        points = [float(number) for number in value]
    except (TypeError, ValueError):
        points = []
    # A comparison with NaN is false.
    if len(points) != n_seats or not all(0 <= number < float("inf") for number in points):
        raise ValueError(f"has points that are not {n_seats} numbers of at least 0")
    return points


def _array(values: Any, name: str, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Return values as an array of floats of a shape.

    Raises:
        InputError: the values are no numbers, or have another shape.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.zeros(())
    if array.shape != shape:
        raise InputError(
            f"must return numbers of shape {list(shape)}, not {list(np.shape(values))}",
            place=f"play: {name}",
            value=np.shape(values),
            limit=shape,
            separator=" ",
        )
    return array


def _require(name: str, values: npt.NDArray[Any], are_valid: npt.NDArray[Any], words: str) -> None:
    """Refuse an array with values that are not valid.

    Raises:
        InputError: a value is not valid; the message shows the first one.
    """
    if not are_valid.all():
        first = values[~are_valid].flat[0]
        raise InputError(
            f"must return {words}, not {first}",
            place=f"play: {name}",
            value=first,
            limit=words,
            separator=" ",
        )
