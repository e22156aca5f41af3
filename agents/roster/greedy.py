"""The greedy agent: takes the legal action with the best immediate score, the first if several."""

from __future__ import annotations

from typing import Any

from agents.scripted.board_view import attack_with, play
from agents.scripted.scores import (
    BY_COST,
    action_of_rank,
    best_answer,
    best_attack_by,
    best_play,
    fight_score,
)
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import is_player
from sim.engine.listing import list_actions
from sim.engine.zones import board, hand, item, player
from sim.play.agent import CompiledAgent

FACE_WEIGHT = 1  # life of the enemy player counts as much as attack and health of units (DESIGN)
DEAREST_KEPT = 3  # maximum cost kept in a mulligan, between aggro's 2 and control's 4; not tuned


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    """Return the score of an attack: the damage to a player, or the gain of a fight.

    Args:
        state: state of the game.
        attacker: offset of the attacker's record.
        defender: offset of the defender's record.
    """
    if is_player(defender):
        return state[attacker + at.ATTACK]
    return fight_score(state, attacker, defender)


_best_attack = best_attack_by(_attack_score)


def choose(state: Any, table: Any) -> int:
    """Return the action that greedy chooses for the seat to move (DESIGN section 5)."""
    n_listed = list_actions(state, table)
    if state[at.PHASE] != at.MAIN_PHASE:
        return best_answer(state, table, n_listed, DEAREST_KEPT)
    best = max(best_play(state, table, FACE_WEIGHT, BY_COST), _best_attack(state))
    return action_of_rank(state, best)


@compiled(i64(Words, i64, i64))
def _plain_fight_score(state: Any, attacker: int, enemy: int) -> int:
    """Return the score of a fight between two units in a plain game.

    The score is the attack plus health of the enemy unit if it is destroyed, minus the attack plus
    health of the own unit if that is destroyed.

    Args:
        state: state of the game.
        attacker: offset of the own unit's record.
        enemy: offset of the enemy unit's record.
    """
    score = 0
    if state[enemy + at.HEALTH] <= state[attacker + at.ATTACK]:
        score += state[enemy + at.ATTACK] + state[enemy + at.HEALTH]
    if state[attacker + at.HEALTH] <= state[enemy + at.ATTACK]:
        score -= state[attacker + at.ATTACK] + state[attacker + at.HEALTH]
    return score


def choose_in_plain_games(state: Any, table: Any) -> int:
    """Return the same action as `choose`, computed faster; for plain games only."""
    seat = state[at.ACTIVE]
    own = board(seat)
    enemies = board(1 - seat)
    best_score = 0
    best_action = at.END_TURN
    for position in range(state[hand(seat)]):
        cost = state[item(state, hand(seat), position) + at.COST]
        if best_score < cost <= state[player(seat) + at.MANA]:
            best_score = cost
            best_action = play(position)
    for unit in range(state[own]):
        attacker = item(state, own, unit)
        if state[attacker + at.READY] == 0:
            continue
        for target in range(state[enemies]):
            score = _plain_fight_score(state, attacker, item(state, enemies, target))
            if score > best_score:
                best_score = score
                best_action = attack_with(unit, target)
        if state[attacker + at.ATTACK] > best_score:
            best_score = state[attacker + at.ATTACK]
            best_action = attack_with(unit, at.AT_PLAYER)
    return best_action


AGENT = CompiledAgent("greedy", choose, shortcut=choose_in_plain_games)
