"""The control agent's shortcut: good trades first, the face when it wins or trading is hopeless."""

from __future__ import annotations

from typing import Any

from agents.scripted.plain.board_view import (
    NONE,
    attack_with,
    highest_attack,
    lowest_health,
    oldest_killed,
    oldest_killed_safely,
    oldest_play,
    oldest_ready,
    ready_attack,
    total,
)
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.zones import board, item, player


@compiled(i64(Words, i64, i64))
def _choose_target(state: Any, seat: int, unit: int) -> int:
    """Whom the own unit at position `unit` attacks; the first rule that applies decides."""
    own = board(seat)
    enemy = board(1 - seat)
    if state[enemy] == 0:
        return at.AT_PLAYER
    if ready_attack(state, own) >= state[player(1 - seat) + at.HEALTH]:
        return at.AT_PLAYER
    enemy_attack = total(state, enemy, at.ATTACK)
    if 2 * enemy_attack > total(state, own, at.HEALTH):
        return at.AT_PLAYER
    attacker = item(state, own, unit)
    attack, health = state[attacker + at.ATTACK], state[attacker + at.HEALTH]
    victim = oldest_killed_safely(state, enemy, attack, health)
    if victim == NONE:
        victim = oldest_killed(state, enemy, attack)
    if victim != NONE:
        return victim
    if enemy_attack > state[player(seat) + at.HEALTH]:
        return highest_attack(state, enemy)
    return lowest_health(state, enemy)


def control(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5)."""
    seat = state[at.ACTIVE]
    play = oldest_play(state, table, seat)
    if play != NONE:
        return play
    unit = oldest_ready(state, board(seat))
    if unit == NONE:
        return at.END_TURN
    return attack_with(unit, _choose_target(state, seat, unit))
