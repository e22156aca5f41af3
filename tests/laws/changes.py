"""Laws of one action: turns, counts, and what was paid and used."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.zones import board, item, player
from sim.ruleset import N_SEATS
from tests.laws.law import KEPT, Law

COUNTS = Law.COUNTS.value


@compiled(i64(Words, Words))
def _law_of_growth(before: Any, state: Any) -> int:
    """Return `COUNTS` if a word shrinks that may only grow, or the reverse, else `KEPT`."""
    for word in (at.NEXT_SERIAL, at.NEXT_ORDER, at.TURN):
        if state[word] < before[word]:
            return COUNTS
    for seat in range(N_SEATS):
        leader = player(seat)
        decided = before[at.ACTIVE] == seat
        if state[leader + at.N_DECISIONS] != before[leader + at.N_DECISIONS] + decided:
            return COUNTS
        if state[leader + at.FATIGUE] < before[leader + at.FATIGUE]:
            return COUNTS
        more_cards = state[leader + at.N_CARDS_LEFT] > before[leader + at.N_CARDS_LEFT]
        if more_cards and before[at.PHASE] != at.MULLIGAN_PHASE:
            return COUNTS
    return KEPT if state[at.N_ACTIONS] == before[at.N_ACTIONS] + 1 else COUNTS


@compiled(i64(Words, Words))
def _law_of_next_turn(before: Any, state: Any) -> int:
    """Return `COUNTS` unless the other seat's turn has begun with nothing used, else `KEPT`."""
    if state[at.ACTIVE] != 1 - before[at.ACTIVE] or state[at.TURN] != before[at.TURN] + 1:
        return COUNTS
    leader = player(state[at.ACTIVE])
    if state[leader + at.POWER_USED] != 0 or state[leader + at.N_PLAYED] != 0:
        return COUNTS
    return KEPT if state[at.N_ATTACKS] == 0 else COUNTS


@compiled(i64(Words, Words, i64))
def _law_of_same_turn(before: Any, state: Any, action: int) -> int:
    """Return `COUNTS` unless the same seat is active and its action was counted, else `KEPT`."""
    seat = before[at.ACTIVE]
    if state[at.ACTIVE] != seat or state[at.TURN] != before[at.TURN]:
        return COUNTS
    is_answer = before[at.PHASE] == at.CHOICE_PHASE
    is_play = at.PLAY <= action < at.ATTACK_WITH and not is_answer
    is_attack = at.ATTACK_WITH <= action < at.USE_POWER
    for side in range(N_SEATS):
        played = is_play and side == seat
        if state[player(side) + at.N_PLAYED] != before[player(side) + at.N_PLAYED] + played:
            return COUNTS
        used = before[player(side) + at.POWER_USED] or (action >= at.USE_POWER and side == seat)
        is_used = state[player(side) + at.POWER_USED] != 0
        is_same_power = state[player(side) + at.CARD] == before[player(side) + at.CARD]
        if is_used and not used:
            return COUNTS
        if used and not is_used and is_same_power and not is_play:
            return COUNTS  # a card may bring another power and this one back, which is new then
    return KEPT if state[at.N_ATTACKS] == before[at.N_ATTACKS] + is_attack else COUNTS


@compiled(i64(Words, Words, i64))
def _law_of_attacker(before: Any, state: Any, action: int) -> int:
    """Return `COUNTS` unless the attacker's count of attacks grew by one, else `KEPT`."""
    source = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
    seat = before[at.ACTIVE]
    attacker = player(seat) if source == at.BY_PLAYER else item(before, board(seat), source)
    if source != at.BY_PLAYER:
        is_same = state[attacker + at.SERIAL] == before[attacker + at.SERIAL]
        if not is_same or state[attacker + at.ZONE] != at.IN_PLAY:
            return KEPT  # it is another minion by now, or gone
    return KEPT if state[attacker + at.N_MADE] == before[attacker + at.N_MADE] + 1 else COUNTS


@compiled(i64(Words, Words, i64), apart=True)
def law_of_change(before: Any, state: Any, action: int) -> int:
    """Return the law that the step from `before` to `state` by `action` breaks, or `KEPT`."""
    law = _law_of_growth(before, state)
    if law != KEPT or state[at.RESULT] != at.RUNNING or before[at.PHASE] == at.MULLIGAN_PHASE:
        return law
    if before[at.PHASE] == at.MAIN_PHASE and action == at.END_TURN:
        return _law_of_next_turn(before, state)  # type: ignore[no-any-return]
    law = _law_of_same_turn(before, state, action)
    if law == KEPT and at.ATTACK_WITH <= action < at.USE_POWER:
        law = _law_of_attacker(before, state, action)
    return law
