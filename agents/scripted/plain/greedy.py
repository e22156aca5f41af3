"""The greedy agent's shortcut: the legal action with the best immediate score."""

from __future__ import annotations

from typing import Any

from agents.scripted.plain.board_view import attack_with, play
from sim.engine.compiled import Words, compiled, i64
from sim.engine.layout import (
    ACTIVE,
    AT_PLAYER,
    ATTACK,
    COST,
    END_TURN,
    HEALTH,
    MANA,
    READY,
)
from sim.engine.zones import board, hand, item, player


@compiled(i64(Words, i64, i64))
def _fight_score(state: Any, attacker: int, enemy: int) -> int:
    """Attack and health of what the fight destroys, theirs less ours."""
    score = 0
    if state[enemy + HEALTH] <= state[attacker + ATTACK]:
        score += state[enemy + ATTACK] + state[enemy + HEALTH]
    if state[attacker + HEALTH] <= state[enemy + ATTACK]:
        score -= state[attacker + ATTACK] + state[attacker + HEALTH]
    return score


def greedy(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5); ties go to the lowest action."""
    seat = state[ACTIVE]
    own, enemies = board(seat), board(1 - seat)
    best_score, best_action = 0, END_TURN
    for position in range(state[hand(seat)]):
        cost = state[item(state, hand(seat), position) + COST]
        if best_score < cost <= state[player(seat) + MANA]:
            best_score, best_action = cost, play(position)
    for unit in range(state[own]):
        attacker = item(state, own, unit)
        if state[attacker + READY] == 0:
            continue
        for target in range(state[enemies]):
            score = _fight_score(state, attacker, item(state, enemies, target))
            if score > best_score:
                best_score, best_action = score, attack_with(unit, target)
        if state[attacker + ATTACK] > best_score:
            best_score, best_action = state[attacker + ATTACK], attack_with(unit, AT_PLAYER)
    return best_action
