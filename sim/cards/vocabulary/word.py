"""The number of a word, and what goes for it: the base of the tables of this room."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Self


class Word(IntEnum):
    """A member is declared as its number, for compiled code, and what goes for it.

    Numbers are positions, so new words go at the end.
    """

    about: Any

    def __new__(cls, number: int, about: object) -> Self:
        """The word of a number and of what goes for it."""
        member = int.__new__(cls, number)
        member._value_, member.about = number, about
        return member
