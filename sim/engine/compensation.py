"""Compensation of the second player for moving second: extra life, and mana in its first turn."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64

_FIRST_TURN_OF_SECOND = 2  # turns are counted over both seats, and seat 0 begins


@compiled(i64(Words, i64))
def starting_life(table: Any, seat: int) -> int:
    """Return the starting life of a seat's player, which is also the maximum life after healing."""
    return table[at.LIFE] + seat * table[at.EXTRA_LIFE_SECOND]


@compiled(i64(Words, Words, i64))
def extra_mana(state: Any, table: Any, seat: int) -> int:
    """Return the mana that a seat's player receives in this turn in addition to its cap.

    It is 0 except for the second player's first turn.
    """
    if state[at.TURN] == _FIRST_TURN_OF_SECOND:
        return seat * table[at.EXTRA_MANA_SECOND]
    return 0
