"""The greedy agent's shortcut: the legal action with the best immediate score."""

from __future__ import annotations

from typing import Any

from agents.scripted.plain.board_view import attack_with, play
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.zones import board, hand, item, player


@compiled(i64(Words, i64, i64))
def _fight_score(state: Any, attacker: int, enemy: int) -> int:
    """Attack and health of what the fight destroys, theirs less ours."""
    score = 0
    if state[enemy + at.HEALTH] <= state[attacker + at.ATTACK]:
        score += state[enemy + at.ATTACK] + state[enemy + at.HEALTH]
    if state[attacker + at.HEALTH] <= state[enemy + at.ATTACK]:
        score -= state[attacker + at.ATTACK] + state[attacker + at.HEALTH]
    return score


def greedy(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5); ties go to the lowest action."""
    seat = state[at.ACTIVE]
    own, enemies = board(seat), board(1 - seat)
    best_score, best_action = 0, at.END_TURN
    for position in range(state[hand(seat)]):
        cost = state[item(state, hand(seat), position) + at.COST]
        if best_score < cost <= state[player(seat) + at.MANA]:
            best_score, best_action = cost, play(position)
    for unit in range(state[own]):
        attacker = item(state, own, unit)
        if state[attacker + at.READY] == 0:
            continue
        for target in range(state[enemies]):
            score = _fight_score(state, attacker, item(state, enemies, target))
            if score > best_score:
                best_score, best_action = score, attack_with(unit, target)
        if state[attacker + at.ATTACK] > best_score:
            best_score, best_action = state[attacker + at.ATTACK], attack_with(unit, at.AT_PLAYER)
    return best_action
