"""Values of the cells of a table of results: counts, rates, lengths, winners and first seats."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from balance.statistics.intervals import Counts, Floats
from experiments.observed.results_table import Column
from sim.errors import InputError
from sim.files.csv_file import whole_number
from sim.names import packed
from sim.value_error import shown_value

_NUMBER = re.compile(r"(?P<whole>[0-9]{1,9})(?:[.,](?P<part>[0-9]*))?")
_RATE = re.compile(r"(?P<number>[0-9]{1,3}(?:[.,][0-9]*)?|[.,][0-9]+) *(?P<sign>[%\uff05])?")


class Side(IntEnum):
    """Player that a cell names, or what it says instead of a player."""

    NAME = -1  # the text of the cell is the name of a player
    NONE = 0  # a blank cell
    A = 1
    B = 2
    DRAW = 3
    ZERO = 4  # `0`: the other player, or a draw, depending on the other cells of the column
    TWO = 5  # `2` or `-1`: the other player; then `0` is a draw


_WINNERS = {
    **dict.fromkeys(("a", "1", "win", "won", "w", "yes", "true", "victory", "wins"), Side.A),
    **dict.fromkeys(("player a", "player 1", "p1", "deck a", "deck 1", "left"), Side.A),
    **dict.fromkeys(("b", "loss", "lost", "lose", "l", "no", "false", "defeat", "loses"), Side.B),
    **dict.fromkeys(("player b", "player 2", "p2", "deck b", "deck 2", "right"), Side.B),
    **dict.fromkeys(("opponent", "opp"), Side.B),
    **dict.fromkeys(("draw", "tie", "tied", "drawn", "d", "none", "0.5", "0,5", "1/2"), Side.DRAW),
    "0": Side.ZERO,
    "2": Side.TWO,
    "-1": Side.TWO,
}
_FIRST = {
    **dict.fromkeys(("a", "1", "first", "yes", "true", "1st", "play", "on the play"), Side.A),
    **dict.fromkeys(("player a", "player 1", "p1", "deck a", "deck 1"), Side.A),
    **dict.fromkeys(("b", "2", "0", "second", "no", "false", "2nd", "on the draw", "draw"), Side.B),
    **dict.fromkeys(("player b", "player 2", "p2", "deck b", "deck 2", "opponent"), Side.B),
    **dict.fromkeys(("coin", "going second"), Side.B),
    **dict.fromkeys(("unknown", "?", "na", "n/a", "-"), Side.NONE),
}


class Rate(NamedTuple):
    """Win rate in a cell.

    Attributes:
        number: number as it is written.
        is_percent: whether a percent sign follows.
        unit: value of the last digit, which is the largest error of rounding, doubled.
    """

    number: float
    is_percent: bool
    unit: float


def numbers_of(column: Column, rows: Counts, parse: Callable[[str], float]) -> Floats:
    """Return the numbers in the cells of a column, shape [R]; NaN for blank cells.

    Args:
        column: column of a chunk.
        rows: row numbers of the chunk, shape [R].
        parse: function that returns the number in a text, or raises an `InputError`.

    Raises:
        InputError: a cell is no such number; the place names its row and column.
    """
    values = np.full(len(column.texts), np.nan)
    for k, text in enumerate(column.texts):
        if text:
            try:
                values[k] = parse(text)
            except InputError as error:
                row = rows[np.flatnonzero(column.codes == k)[0]]
                raise error.at(f"row {row}: column {column.title!r}") from None
    return values[column.codes]


def count_in(text: str) -> float:
    """Return the number of games in a cell.

    Raises:
        InputError: the text is not a whole number, or is negative.
    """
    count = whole_number(text)
    if count < 0:
        raise InputError(f"{count} must be at least 0", value=count, limit=0)
    return count


def length_in(text: str) -> float:
    """Return the length of a game in turns in a cell, such as `12`, `8.5` or `8,5`.

    Raises:
        InputError: the text is not a number of at least 0.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise InputError(f"{shown_value(text)} must be a number of at least 0", value=text, limit=0)
    return float(f"{match['whole']}.{match['part'] or 0}")


def rate_in(text: str) -> Rate:
    """Return the rate in a cell, such as `52.3 %`, `52,3` or `0.523`.

    Raises:
        InputError: the text is not a number from 0 to 100.
    """
    match = _RATE.fullmatch(text)
    number = float(match["number"].replace(",", ".")) if match else np.nan
    if match is None or number > 100:
        raise InputError(
            f"{shown_value(text)} must be a rate, such as 52.3 %, 52.3 or 0.523",
            value=text,
            limit=(0, 100),
        )
    n_decimals = len(re.split(r"[.,]", match["number"])[-1]) if re.search("[.,]", text) else 0
    return Rate(number, match["sign"] is not None, 10.0**-n_decimals)


def winner_in(text: str) -> Side:
    """Return the winner that a cell names by a word or a number; `Side.NAME` for other texts."""
    return _side(text, _WINNERS)


def first_in(text: str) -> Side:
    """Return the player that moves first by a word or a number; `Side.NAME` for other texts."""
    return _side(text, _FIRST)


def _side(text: str, words: dict[str, Side]) -> Side:
    """Return the meaning of a cell's text among some words.

    Args:
        text: text of the cell.
        words: meanings by word, in lower case.
    """
    if not text:
        return Side.NONE
    word = " ".join(text.lower().replace("_", " ").split())
    known = words.get(word)
    if known is None and packed(text) in _PACKED:
        known = words.get(_PACKED[packed(text)])
    return Side.NAME if known is None else known


# Words of several parts, which people also write without a space or with another sign.
_PACKED = {packed(word): word for word in (*_WINNERS, *_FIRST) if " " in word}
