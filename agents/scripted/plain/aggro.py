"""The aggro agent's shortcut: at the face, unless own life is low and a unit can be destroyed."""

from __future__ import annotations

from typing import Any

from agents.scripted.aggro import SAFE_LIFE
from agents.scripted.plain.board_view import (
    NONE,
    attack_with,
    oldest_killed,
    oldest_play,
    oldest_ready,
)
from sim.engine import layout as at
from sim.engine.zones import board, item, player


def aggro(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5)."""
    seat = state[at.ACTIVE]
    play = oldest_play(state, table, seat)
    if play != NONE:
        return play
    own = board(seat)
    enemy = board(1 - seat)
    unit = oldest_ready(state, own)
    if unit == NONE:
        return at.END_TURN
    if state[enemy] == 0 or state[player(seat) + at.HEALTH] >= SAFE_LIFE:
        return attack_with(unit, at.AT_PLAYER)
    victim = oldest_killed(state, enemy, state[item(state, own, unit) + at.ATTACK])
    return attack_with(unit, at.AT_PLAYER if victim == NONE else victim)
