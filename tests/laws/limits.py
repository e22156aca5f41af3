"""Limits: what no number of a player, a card or a minion goes beyond."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.layout import (
    ARMOR,
    ATTACK,
    BOARD_LIMIT,
    CARD,
    CARD_EVENTS,
    CARD_SIZE,
    CARDS,
    COST,
    HAND_LIMIT,
    HEALTH,
    HEARD,
    IS_DOOMED,
    IS_MARKED,
    KEYWORDS,
    LIFE,
    MANA,
    MANA_CAP,
    MANA_MAX,
    MAX_HEALTH,
    MULLIGAN_PHASE,
    N_KNOWN_TOP,
    N_MADE,
    N_MINIONS_PLAYED,
    N_PLAYED,
    NEXT_KEYWORDS,
    OVERLOAD_LOCKED,
    OVERLOAD_OWED,
    OWN_KEYWORDS,
    PHASE,
    READY,
    RESULT,
    RUNNING,
    SPELL_DAMAGE,
    STATUS,
    TURN_KEYWORDS,
    WEAPON,
)
from sim.engine.zones import board, hand, player
from tests.laws.law import KEPT, Law


@compiled(i64(Words, Words, i64))
def law_of_player(state: Any, table: Any, seat: int) -> int:
    """Limits of a seat's zones, mana and life."""
    leader = player(seat)
    is_running = state[RESULT] == RUNNING
    if not 0 <= state[hand(seat)] <= table[HAND_LIMIT]:
        return Law.HAND_LIMIT.value
    if not 0 <= state[board(seat)] <= table[BOARD_LIMIT]:
        return Law.BOARD_LIMIT.value
    for at in (MANA, MANA_CAP):
        if not 0 <= state[leader + at] <= table[MANA_MAX]:
            return Law.MANA.value
    if state[leader + OVERLOAD_OWED] < 0 or state[leader + OVERLOAD_LOCKED] < 0:
        return Law.MANA.value
    for at in (ARMOR, SPELL_DAMAGE, N_PLAYED, N_KNOWN_TOP, ATTACK, READY):
        if state[leader + at] < 0:
            return Law.PLAYER.value
    if not 0 <= state[leader + N_MINIONS_PLAYED] <= state[leader + N_PLAYED]:
        return Law.PLAYER.value
    if state[leader + HEALTH] > state[leader + MAX_HEALTH]:
        return Law.PLAYER.value
    if state[leader + MAX_HEALTH] != table[LIFE]:
        return Law.PLAYER.value
    if is_running and state[leader + HEALTH] <= 0:
        return Law.LIVING_PLAYERS.value
    if not 0 <= state[leader + N_MADE] <= 2:
        return Law.ATTACKS_MADE.value
    weapon = state[leader + WEAPON]
    if is_running and weapon != 0 and state[weapon + HEALTH] < 1:
        return Law.WEAPON.value
    return KEPT


@compiled(i64(Words, Words, i64, i64))
def law_of_record(state: Any, table: Any, record: int, n_cards: int) -> int:
    """Limits of a record in a hand or in play."""
    if not 0 <= state[record + CARD] < n_cards:
        return Law.CARD_NUMBER.value
    events = table[CARDS + CARD_SIZE * state[record + CARD] + CARD_EVENTS]
    if state[HEARD] & events != events:
        return Law.HEARD.value
    if state[record + ATTACK] < 0 or state[record + COST] < 0 or state[record + READY] < 0:
        return Law.NUMBERS.value
    if state[record + HEALTH] > state[record + MAX_HEALTH]:
        return Law.NUMBERS.value
    lent = state[record + TURN_KEYWORDS] | state[record + NEXT_KEYWORDS]
    granted = state[record + OWN_KEYWORDS] | lent
    if state[record + KEYWORDS] & granted != granted:
        return Law.KEYWORDS.value
    if not 0 <= state[record + N_MADE] <= 2:
        return Law.ATTACKS_MADE.value
    if state[record + STATUS] & IS_MARKED and state[PHASE] != MULLIGAN_PHASE:
        return Law.MARKS.value
    return KEPT


@compiled(i64(Words, i64))
def law_of_minion(state: Any, minion: int) -> int:
    """The dead do not stay."""
    if state[minion + HEALTH] <= 0 or state[minion + STATUS] & IS_DOOMED:
        return Law.LIVING_MINIONS.value
    return KEPT
