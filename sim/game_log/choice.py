"""Choices: what a player may do now, in words, as games of any kind offer it to a person."""

from __future__ import annotations

from typing import NamedTuple


class Option(NamedTuple):
    """One legal action: how it differs from others of its choice, and its number in the game."""

    words: str
    action: int


class Choice(NamedTuple):
    """Something to do, and the ways to do it.

    Attributes:
        words: what it is; of a single way, with all that there is to say.
        options: at least one; of several, one is asked for next.
    """

    words: str
    options: tuple[Option, ...]
