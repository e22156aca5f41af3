"""The control agent: good trades first, the face when it wins or when trading is hopeless."""

from __future__ import annotations

from typing import Any

from agents.scripted.plain.board_view import ready_attack, total
from agents.scripted.scores import (
    action_of_rank,
    best_answer,
    best_play_of_turn,
    kills,
    oldest_attack_by,
    would_fall,
)
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import is_player
from sim.engine.listing import list_actions
from sim.engine.zones import board, player

FACE_WEIGHT = 1
DEAREST_KEPT = 4
FACE, CLEAN, KILL, OTHERS = 400_000, 300_000, 200_000, 100_000  # apart by more than any number
LAST = 1


@compiled(i64(Words, i64))
def _goes_for_the_player(state: Any, seat: int) -> bool:
    """The attack that can be made wins, or the enemy's outweighs all that stands here."""
    own, enemy = board(seat), board(1 - seat)
    leader = player(seat)
    attack = ready_attack(state, own) + state[leader + at.READY] * state[leader + at.ATTACK]
    if attack >= state[player(1 - seat) + at.HEALTH]:
        return True
    return 2 * total(state, enemy, at.ATTACK) > total(state, own, at.HEALTH)


@compiled(i64(Words, i64))
def _danger(state: Any, minion: int) -> int:
    """How much sooner than others an enemy minion is attacked that survives it.

    The one with the highest attack while all together could kill, else the weakest.
    """
    seat = state[at.ACTIVE]
    if total(state, board(1 - seat), at.ATTACK) > state[player(seat) + at.HEALTH]:
        return state[minion + at.ATTACK]
    return -state[minion + at.HEALTH]


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    """The player when that wins; kills, clean ones first; then whom it hurts most to leave."""
    if is_player(defender):
        return FACE if _goes_for_the_player(state, state[at.ACTIVE]) else LAST
    if would_fall(state, attacker, defender):
        return 0
    if not kills(state, attacker, defender):
        return OTHERS + _danger(state, defender)
    return CLEAN if is_player(attacker) or not kills(state, defender, attacker) else KILL


_attack = oldest_attack_by(_attack_score)


def control(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5): plays, then attacks, oldest first."""
    n_listed = list_actions(state, table)
    if state[at.PHASE] != at.MAIN_PHASE:
        return best_answer(state, table, n_listed, DEAREST_KEPT)
    best = best_play_of_turn(state, table, FACE_WEIGHT)
    if best == 0:
        best = _attack(state)
    return action_of_rank(state, best)
