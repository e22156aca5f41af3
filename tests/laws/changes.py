"""What an action changes: turns, counts, and what was paid and used."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.layout import (
    ACTIVE,
    ATTACK_WITH,
    BY_PLAYER,
    CARD,
    CHOICE_PHASE,
    END_TURN,
    FATIGUE,
    IN_PLAY,
    MAIN_PHASE,
    MULLIGAN_PHASE,
    N_ACTIONS,
    N_ATTACKS,
    N_CARDS_LEFT,
    N_DECISIONS,
    N_MADE,
    N_PLAYED,
    NEXT_ORDER,
    NEXT_SERIAL,
    PHASE,
    PLAY,
    POSITION_MASK,
    POWER_USED,
    RESULT,
    RUNNING,
    SERIAL,
    SOURCE_SHIFT,
    TURN,
    USE_POWER,
    ZONE,
)
from sim.engine.zones import board, item, player
from sim.ruleset import N_SEATS
from tests.laws.law import KEPT, Law

COUNTS = Law.COUNTS.value


@compiled(i64(Words, Words))
def _law_of_growth(before: Any, state: Any) -> int:
    """What only grows, and what only shrinks."""
    for at in (NEXT_SERIAL, NEXT_ORDER, TURN):
        if state[at] < before[at]:
            return COUNTS
    for seat in range(N_SEATS):
        leader = player(seat)
        decided = before[ACTIVE] == seat
        if state[leader + N_DECISIONS] != before[leader + N_DECISIONS] + decided:
            return COUNTS
        if state[leader + FATIGUE] < before[leader + FATIGUE]:
            return COUNTS
        more_cards = state[leader + N_CARDS_LEFT] > before[leader + N_CARDS_LEFT]
        if more_cards and before[PHASE] != MULLIGAN_PHASE:
            return COUNTS
    return KEPT if state[N_ACTIONS] == before[N_ACTIONS] + 1 else COUNTS


@compiled(i64(Words, Words))
def _law_of_next_turn(before: Any, state: Any) -> int:
    """The other seat's turn has begun, and nothing is used up in it."""
    if state[ACTIVE] != 1 - before[ACTIVE] or state[TURN] != before[TURN] + 1:
        return COUNTS
    leader = player(state[ACTIVE])
    if state[leader + POWER_USED] != 0 or state[leader + N_PLAYED] != 0:
        return COUNTS
    return KEPT if state[N_ATTACKS] == 0 else COUNTS


@compiled(i64(Words, Words, i64))
def _law_of_same_turn(before: Any, state: Any, action: int) -> int:
    """The same seat moves on, and what it did has been counted."""
    seat = before[ACTIVE]
    if state[ACTIVE] != seat or state[TURN] != before[TURN]:
        return COUNTS
    is_answer = before[PHASE] == CHOICE_PHASE
    is_play = PLAY <= action < ATTACK_WITH and not is_answer
    is_attack = ATTACK_WITH <= action < USE_POWER
    for side in range(N_SEATS):
        played = is_play and side == seat
        if state[player(side) + N_PLAYED] != before[player(side) + N_PLAYED] + played:
            return COUNTS
        used = before[player(side) + POWER_USED] or (action >= USE_POWER and side == seat)
        is_used = state[player(side) + POWER_USED] != 0
        is_same_power = state[player(side) + CARD] == before[player(side) + CARD]
        if is_used and not used:
            return COUNTS
        if used and not is_used and is_same_power and not is_play:
            return COUNTS  # a card may bring another power and this one back, which is new then
    return KEPT if state[N_ATTACKS] == before[N_ATTACKS] + is_attack else COUNTS


@compiled(i64(Words, Words, i64))
def _law_of_attacker(before: Any, state: Any, action: int) -> int:
    """Who attacked has made one attack more."""
    source = (action >> SOURCE_SHIFT) & POSITION_MASK
    seat = before[ACTIVE]
    attacker = player(seat) if source == BY_PLAYER else item(before, board(seat), source)
    if source != BY_PLAYER:
        is_same = state[attacker + SERIAL] == before[attacker + SERIAL]
        if not is_same or state[attacker + ZONE] != IN_PLAY:
            return KEPT  # it is another minion by now, or gone
    return KEPT if state[attacker + N_MADE] == before[attacker + N_MADE] + 1 else COUNTS


@compiled(i64(Words, Words, i64), apart=True)
def law_of_change(before: Any, state: Any, action: int) -> int:
    """The law that the step from `before` to `state` by `action` breaks."""
    law = _law_of_growth(before, state)
    if law != KEPT or state[RESULT] != RUNNING or before[PHASE] == MULLIGAN_PHASE:
        return law
    if before[PHASE] == MAIN_PHASE and action == END_TURN:
        return _law_of_next_turn(before, state)  # type: ignore[no-any-return]
    law = _law_of_same_turn(before, state, action)
    if law == KEPT and ATTACK_WITH <= action < USE_POWER:
        law = _law_of_attacker(before, state, action)
    return law
