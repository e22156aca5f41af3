"""The aggro agent: at the face, unless own life is low and a minion can be destroyed."""

from __future__ import annotations

from typing import Any

from agents.scripted.scores import (
    action_of_rank,
    best_answer,
    best_play_of_turn,
    fight_score,
    kills,
    oldest_attack_by,
    would_fall,
)
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import is_player
from sim.engine.listing import list_actions
from sim.engine.zones import player

SAFE_LIFE = 12  # with this much life left it ignores enemy units
FACE_WEIGHT = 3
DEAREST_KEPT = 2
KILL, FACE, OTHERS = 300_000, 200_000, 100_000  # what a fight can score is far less


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    """The player, or while life is low the oldest that dies of it; else past the guards."""
    if is_player(defender):
        return FACE
    if would_fall(state, attacker, defender):
        return 0
    is_safe = state[player(state[at.ACTIVE]) + at.HEALTH] >= SAFE_LIFE
    if not is_safe and not is_player(attacker) and kills(state, attacker, defender):
        return KILL
    return OTHERS + fight_score(state, attacker, defender)


_attack = oldest_attack_by(_attack_score)


def aggro(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5): plays, then attacks, oldest first."""
    n_listed = list_actions(state, table)
    if state[at.PHASE] != at.MAIN_PHASE:
        return best_answer(state, table, n_listed, DEAREST_KEPT)
    best = best_play_of_turn(state, table, FACE_WEIGHT)
    if best == 0:
        best = _attack(state)
    return action_of_rank(state, best)
