"""The aggro agent: at the face, unless own life is low and a minion can be destroyed."""

from __future__ import annotations

from typing import Any

from agents.scripted.aggro import SAFE_LIFE
from agents.scripted.general.scores import (
    attacker_of,
    best_answer,
    best_play,
    fight_score,
    kills,
    place_of_rank,
    ranked,
)
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.calls import list_actions, listed
from sim.engine.general.groups import is_player
from sim.engine.general.targets import target_record
from sim.engine.layout import (
    ACTIVE,
    ATTACK,
    END_TURN,
    HEALTH,
    MAIN_PHASE,
    N_LISTED_ATTACKS,
    N_LISTED_PLAYS,
    PHASE,
)
from sim.engine.zones import player

FACE_WEIGHT = 3
DEAREST_KEPT = 2
FIRST, SECOND = 2000, 1000  # attacks that the rules ask for, and the others


@compiled(i64(Words, i64))
def _attack_score(state: Any, action: int) -> int:
    """The player first, or while life is low whom the attack destroys; else past the guards."""
    attacker, defender = attacker_of(state, action), target_record(state, action)
    if is_player(defender):
        return FIRST + state[attacker + ATTACK]
    is_safe = state[player(state[ACTIVE]) + HEALTH] >= SAFE_LIFE
    if not is_safe and not is_player(attacker) and kills(state, attacker, defender):
        return FIRST + 100 + fight_score(state, attacker, defender)
    return SECOND + fight_score(state, attacker, defender)


@compiled(i64(Words))
def _best_attack(state: Any) -> int:
    """The rank of the best attack, 0 if there is none."""
    best = 0
    first = state[N_LISTED_PLAYS]
    for k in range(first, first + state[N_LISTED_ATTACKS]):
        best = max(best, ranked(_attack_score(state, listed(state, k)), k))
    return best


def aggro(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5); the first listed of equals."""
    n_listed = list_actions(state, table)
    if state[PHASE] != MAIN_PHASE:
        return best_answer(state, table, n_listed, DEAREST_KEPT)
    best = best_play(state, table, FACE_WEIGHT)
    if best == 0:
        best = _best_attack(state)
    return listed(state, place_of_rank(best)) if best > 0 else END_TURN
