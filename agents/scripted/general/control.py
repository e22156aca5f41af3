"""The control agent: good trades first, the face when it wins or when trading is hopeless."""

from __future__ import annotations

from typing import Any

from agents.scripted.board_view import ready_attack, total
from agents.scripted.general.scores import (
    action_of_rank,
    attack_ranker,
    best_answer,
    best_play,
    fight_score,
    kills,
)
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.calls import list_actions
from sim.engine.general.groups import is_player
from sim.engine.general.targets import is_guarded
from sim.engine.layout import (
    ACTIVE,
    ATTACK,
    HEALTH,
    MAIN_PHASE,
    PHASE,
    READY,
)
from sim.engine.zones import board, player

FACE_WEIGHT = 1
DEAREST_KEPT = 4
FIRST, SECOND = 2000, 1000  # attacks that the rules ask for, and the others


@compiled(i64(Words, i64))
def _goes_for_the_player(state: Any, seat: int) -> bool:
    """The attack that can be made wins, or the enemy's outweighs all that stands here."""
    own, enemy = board(seat), board(1 - seat)
    leader = player(seat)
    attack = ready_attack(state, own) + state[leader + READY] * state[leader + ATTACK]
    if not is_guarded(state, 1 - seat) and attack >= state[player(1 - seat) + HEALTH]:
        return True
    return 2 * total(state, enemy, ATTACK) > total(state, own, HEALTH)


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    """Clean kills, then kills, then whom it hurts most to leave; the player when that wins."""
    seat = state[ACTIVE]
    if is_player(defender):
        return (FIRST if _goes_for_the_player(state, seat) else SECOND) + 500
    if not kills(state, attacker, defender):
        return 0 if kills(state, defender, attacker) else SECOND + state[attacker + ATTACK]
    is_clean = is_player(attacker) or not kills(state, defender, attacker)
    return FIRST - 500 * (not is_clean) + fight_score(state, attacker, defender)


_best_attack = attack_ranker(_attack_score)


def control(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5); the first listed of equals."""
    n_listed = list_actions(state, table)
    if state[PHASE] != MAIN_PHASE:
        return best_answer(state, table, n_listed, DEAREST_KEPT)
    best = best_play(state, table, FACE_WEIGHT)
    if best == 0:
        best = _best_attack(state)
    return action_of_rank(state, best)
