"""The words that card files may use, and the number the engine knows each one by.

Declared once, here: card models validate against these tables, the packer turns words into
numbers with them, compiled code imports the numbers, and `docs/rules.md` lists them. Numbers
are positions, so new words go at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, IntFlag

from sim.errors import InputError


class Event(IntEnum):
    """What sets an effect row off (`on = "..."`)."""

    PLAY = 0  # the card is played from the hand


class Condition(IntEnum):
    """What must hold when the row is reached (`when = "..."`)."""

    ALWAYS = 0


class Selector(IntEnum):
    """Whom the row acts on (`to = "..."`), seen from the card's owner."""

    OWN_PLAYER = 0
    ENEMY_PLAYER = 1


class Kind(IntEnum):
    """What a card is (`kind = "..."`)."""

    MINION = 0  # leaves a body on the board


class Keyword(IntFlag):
    """Standing abilities of a body (`keywords = ["..."]`), one bit each."""

    HASTE = 1  # may attack in the turn in which it arrives


class ActionNames:
    """The action words in number order; the only vocabulary a user's code may extend.

    An action is carried out by a compiled handler, and handlers live in a jump table
    (`sim/engine/opcodes.py`), so a new action needs a name here and a handler there, and no
    change to the rules that are already there.
    """

    def __init__(self, *names: str) -> None:
        self._numbers = {name: number for number, name in enumerate(names)}

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, name: str) -> int:
        """The number of action `name`; raises `KeyError` for a word not in the vocabulary."""
        return self._numbers[name]

    def add(self, name: str) -> int:
        """Append `name` and return its number.

        Raises:
            InputError: the word is taken.
        """
        if name in self._numbers:
            raise InputError(f"action {name!r} is already in the vocabulary")
        self._numbers[name] = len(self._numbers)
        return self._numbers[name]


ACTIONS = ActionNames("damage", "heal", "draw", "summon")
