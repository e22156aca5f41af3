"""Sides of the members of a group, and kinds of characters among them."""

from __future__ import annotations

from enum import IntEnum


class Side(IntEnum):
    """Sides that the members of a group can be on, from the view of the row's owner."""

    OWN = 0
    ENEMY = 1
    BOTH = 2


class Body(IntEnum):
    """Kinds of characters that the members of a group can be."""

    PLAYER = 0
    MINION = 1
    ANY = 2
