"""The greedy agent: the legal action with the best immediate score."""

from __future__ import annotations

from typing import Any

from agents.scripted.scores import (
    BY_COST,
    action_of_rank,
    best_answer,
    best_attack_by,
    best_play,
    fight_score,
)
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import is_player
from sim.engine.layout import ATTACK, MAIN_PHASE, PHASE
from sim.engine.listing import list_actions

FACE_WEIGHT = 1
DEAREST_KEPT = 3


@compiled(i64(Words, i64, i64))
def _attack_score(state: Any, attacker: int, defender: int) -> int:
    if is_player(defender):
        return state[attacker + ATTACK]
    return fight_score(state, attacker, defender)


_best_attack = best_attack_by(_attack_score)


def greedy(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5); ties go to the lowest action."""
    n_listed = list_actions(state, table)
    if state[PHASE] != MAIN_PHASE:
        return best_answer(state, table, n_listed, DEAREST_KEPT)
    best = max(best_play(state, table, FACE_WEIGHT, BY_COST), _best_attack(state))
    return action_of_rank(state, best)
