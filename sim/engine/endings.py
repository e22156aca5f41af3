"""When a game is over."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, none
from sim.engine.zones import player


@compiled(none(Words))
def settle(state: Any) -> None:
    """End the game if a player's life has run out; if both have, it is a draw.

    Called after every change of a player's life that may be followed by another, so the first
    of two deaths decides.
    """
    if state[at.RESULT] != at.RUNNING:
        return
    first_is_dead = state[player(0) + at.HEALTH] <= 0
    second_is_dead = state[player(1) + at.HEALTH] <= 0
    if first_is_dead and second_is_dead:
        state[at.RESULT] = at.DRAWN
    elif first_is_dead:
        state[at.RESULT] = 1
    elif second_is_dead:
        state[at.RESULT] = 0
