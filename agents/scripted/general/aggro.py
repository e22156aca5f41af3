"""The aggro agent: at the face, unless own life is low and a minion can be destroyed."""

from __future__ import annotations

from typing import Any

from agents.scripted.aggro import SAFE_LIFE
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
from sim.engine.layout import (
    ACTIVE,
    ATTACK,
    HEALTH,
    MAIN_PHASE,
    PHASE,
)
from sim.engine.zones import player

FACE_WEIGHT = 3
DEAREST_KEPT = 2
FIRST, SECOND = 2000, 1000  # attacks that the rules ask for, and the others


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    """The player first, or while life is low whom the attack destroys; else past the guards."""
    if is_player(defender):
        return FIRST + state[attacker + ATTACK]
    is_safe = state[player(state[ACTIVE]) + HEALTH] >= SAFE_LIFE
    if not is_safe and not is_player(attacker) and kills(state, attacker, defender):
        return FIRST + 100 + fight_score(state, attacker, defender)
    return SECOND + fight_score(state, attacker, defender)


_best_attack = attack_ranker(_attack_score)


def aggro(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5); the first listed of equals."""
    n_listed = list_actions(state, table)
    if state[PHASE] != MAIN_PHASE:
        return best_answer(state, table, n_listed, DEAREST_KEPT)
    best = best_play(state, table, FACE_WEIGHT)
    if best == 0:
        best = _best_attack(state)
    return action_of_rank(state, best)
