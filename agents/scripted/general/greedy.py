"""The greedy agent: the legal action with the best immediate score."""

from __future__ import annotations

from typing import Any

from agents.scripted.general.scores import (
    attacker_of,
    best_answer,
    best_play,
    fight_score,
    place_of_rank,
    ranked,
)
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.calls import list_actions, listed
from sim.engine.general.groups import is_player
from sim.engine.general.targets import target_record
from sim.engine.layout import (
    ATTACK,
    END_TURN,
    MAIN_PHASE,
    N_LISTED_ATTACKS,
    N_LISTED_PLAYS,
    PHASE,
)

FACE_WEIGHT = 1
DEAREST_KEPT = 3


@compiled(i64(Words, i64))
def _attack_score(state: Any, action: int) -> int:
    attacker, defender = attacker_of(state, action), target_record(state, action)
    if is_player(defender):
        return state[attacker + ATTACK]
    return fight_score(state, attacker, defender)


@compiled(i64(Words))
def _best_attack(state: Any) -> int:
    """The rank of the best attack, 0 if none has a score."""
    best = 0
    first = state[N_LISTED_PLAYS]
    for k in range(first, first + state[N_LISTED_ATTACKS]):
        score = _attack_score(state, listed(state, k))
        if score > 0:
            best = max(best, ranked(score, k))
    return best


def greedy(state: Any, table: Any) -> int:
    """The action of the seat to move (DESIGN section 5); the first listed of equals."""
    n_listed = list_actions(state, table)
    if state[PHASE] != MAIN_PHASE:
        return best_answer(state, table, n_listed, DEAREST_KEPT)
    best = max(best_play(state, table, FACE_WEIGHT), _best_attack(state))
    return listed(state, place_of_rank(best)) if best > 0 else END_TURN
