"""The entries of the general rules, which the engine calls by their addresses.

Each is a function of (state, table, action). They are compiled when a table first needs them
(`entry_words`), once for the whole engine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.engine.addresses import address_of, as_words, call_rule
from sim.engine.compiled import RULE, Words, compiled, i64
from sim.engine.general.auras import refresh_readiness
from sim.engine.general.events import resolve
from sim.engine.general.legality import legal, list_legal, source_of
from sim.engine.general.moves import free_removed, take_choice
from sim.engine.general.plays import attack, play_card, use_power
from sim.engine.general.resolution import resolve_all
from sim.engine.general.turns import begin, end_mulligan, end_turn, mark_for_replacement
from sim.engine.listing import was_listed
from sim.engine.streams import load64


def begin_game(state: Any, table: Any, action: int) -> int:
    """The mulligan, or the first turn; the opening hands are dealt."""
    begin(state, table)
    free_removed(state)
    refresh_readiness(state, table)
    return 0


def bring_up_to_date(state: Any, table: Any, action: int) -> int:
    """Auras, costs and readiness of a position that was written by hand."""
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW
    resolve(state, table)
    refresh_readiness(state, table)
    state[at.N_LISTED] = 0
    return 0


@compiled(i64(Words, Words, i64))
def _is_legal(state: Any, table: Any, action: int) -> bool:
    """Whether an action may be carried out: the usual ones prove it quickly."""
    if action == at.END_TURN and state[at.PHASE] == at.MAIN_PHASE:
        return True
    if was_listed(state, action):
        return True
    return call_rule(load64(table, at.LEGAL), state, table, action) != 0


def act(state: Any, table: Any, action: int) -> int:
    """Carry out one action of the active seat; an illegal one ends the turn and is reported."""
    seat = state[at.ACTIVE]
    if not _is_legal(state, table, action):
        state[at.FAULT] |= at.FAULT_ILLEGAL
        action = at.PLAY if state[at.PHASE] == at.CHOICE_PHASE else at.END_TURN
    if state[at.PHASE] == at.CHOICE_PHASE:
        state[at.PHASE] = at.MAIN_PHASE
        take_choice(state, table, seat, source_of(action))
        resolve(state, table)
    elif state[at.PHASE] != at.MAIN_PHASE:
        if action == at.END_TURN:
            end_mulligan(state, table, seat)
        else:
            mark_for_replacement(state, seat, source_of(action))
    elif action == at.END_TURN:
        end_turn(state, table, seat)
    elif action >= at.USE_POWER:
        use_power(state, table, seat, action)
    elif action >= at.ATTACK_WITH:
        attack(state, table, seat, action)
    else:
        play_card(state, table, seat, action)
    free_removed(state)
    if state[at.RESULT] != at.FAULTED:
        state[at.N_STEPS] = state[at.ROW_AT_WORK] = 0
    refresh_readiness(state, table)
    state[at.N_LISTED] = 0
    return 0


_ENTRIES = (
    begin_game,
    act,
    legal,
    bring_up_to_date,
    resolve_all,
    list_legal,
)  # as the table has them


def entry_words() -> npt.NDArray[np.int16]:
    """The addresses of all entries as words of a table, from `sim.engine.layout.BEGIN` on."""
    return as_words(address_of(entry, RULE) for entry in _ENTRIES)
