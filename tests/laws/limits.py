"""Limits: what no number of a player, a card or a minion goes beyond."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.attachments import attached_to
from sim.engine.layout import (
    ARMOR,
    ATTACK,
    BOARD_LIMIT,
    CARD,
    CARD_EVENTS,
    CARD_SIZE,
    CARDS,
    COST,
    GUARDIAN,
    HAND_LIMIT,
    HEALTH,
    HEARD,
    HEARS,
    IN_PLAY,
    IS_DOOMED,
    IS_FROZEN,
    IS_MARKED,
    IS_SILENCED,
    KEYWORDS,
    LIFE,
    MANA,
    MANA_CAP,
    MANA_MAX,
    MAX_ATTACHED,
    MAX_HEALTH,
    MULLIGAN_PHASE,
    N_ATTACHED,
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
    SECRET_CAPACITY,
    SPELL_DAMAGE,
    STATUS,
    TURN_KEYWORDS,
    WEAPON,
    ZONE,
)
from sim.engine.zones import board, hand, item, player, secrets
from tests.laws.law import KEPT, Law


@compiled(i64(i64, i64, i64))
def require(found: int, holds: int, law: int) -> int:
    """What was found broken before, else `law` unless it holds."""
    return law if found == KEPT and not holds else found


@compiled(i64(Words, Words, i64))
def _law_of_mana(state: Any, table: Any, leader: int) -> int:
    law = KEPT
    for at in (MANA, MANA_CAP):
        law = require(law, 0 <= state[leader + at] <= table[MANA_MAX], Law.MANA.value)
    for at in (OVERLOAD_OWED, OVERLOAD_LOCKED):
        law = require(law, state[leader + at] >= 0, Law.MANA.value)
    return law


@compiled(i64(Words, Words, i64))
def _law_of_numbers(state: Any, table: Any, leader: int) -> int:
    """What is counted of a player is not negative, and life has its limit."""
    law = KEPT
    for at in (ARMOR, SPELL_DAMAGE, N_MINIONS_PLAYED, N_KNOWN_TOP, ATTACK, READY):
        law = require(law, state[leader + at] >= 0, Law.PLAYER.value)
    are_counted = state[leader + N_MINIONS_PLAYED] <= state[leader + N_PLAYED]
    law = require(law, are_counted, Law.PLAYER.value)
    law = require(law, 0 < state[leader + MAX_HEALTH] <= table[LIFE], Law.PLAYER.value)
    law = require(law, state[leader + HEALTH] <= state[leader + MAX_HEALTH], Law.PLAYER.value)
    return require(law, 0 <= state[leader + N_MADE] <= 2, Law.ATTACKS_MADE.value)  # type: ignore[no-any-return]


@compiled(i64(Words, i64))
def _law_of_secrets(state: Any, seat: int) -> int:
    """Few secrets wait, no two alike, and the guardian is one of them."""
    waiting, guardian = secrets(seat), state[player(seat) + GUARDIAN]
    law = require(KEPT, 0 <= state[waiting] <= SECRET_CAPACITY, Law.SECRETS.value)
    is_there = guardian == 0
    for position in range(state[waiting]):
        secret = item(state, waiting, position)
        is_there = is_there or secret == guardian
        for before in range(position):
            other = item(state, waiting, before)
            law = require(law, state[secret + CARD] != state[other + CARD], Law.SECRETS.value)
    return require(law, is_there, Law.SECRETS.value)  # type: ignore[no-any-return]


@compiled(i64(Words))
def law_of_attachments(state: Any) -> int:
    """What is attached belongs to somebody in play who hears."""
    law = require(KEPT, 0 <= state[N_ATTACHED] <= MAX_ATTACHED, Law.ATTACHMENTS.value)
    for k in range(state[N_ATTACHED]):
        record = attached_to(state, k)
        is_there = record == player(0) or record == player(1) or state[record + ZONE] == IN_PLAY
        law = require(law, is_there and state[record + HEARS] != 0, Law.ATTACHMENTS.value)
    return law  # type: ignore[no-any-return]


@compiled(i64(Words, Words, i64))
def law_of_player(state: Any, table: Any, seat: int) -> int:
    """Limits of a seat's zones, mana and life."""
    leader = player(seat)
    law = require(KEPT, 0 <= state[hand(seat)] <= table[HAND_LIMIT], Law.HAND_LIMIT.value)
    law = require(law, 0 <= state[board(seat)] <= table[BOARD_LIMIT], Law.BOARD_LIMIT.value)
    if law == KEPT:
        law = _law_of_mana(state, table, leader)
    if law == KEPT:
        law = _law_of_numbers(state, table, leader)
    if law == KEPT:
        law = _law_of_secrets(state, seat)
    if state[RESULT] == RUNNING:
        law = require(law, state[leader + HEALTH] > 0, Law.LIVING_PLAYERS.value)
        weapon = state[leader + WEAPON]
        law = require(law, weapon == 0 or state[weapon + HEALTH] > 0, Law.WEAPON.value)
    return law  # type: ignore[no-any-return]


@compiled(i64(Words, Words, i64, i64))
def law_of_record(state: Any, table: Any, record: int, n_cards: int) -> int:
    """Limits of a record in a hand or in play."""
    if not 0 <= state[record + CARD] < n_cards:
        return Law.CARD_NUMBER.value
    card = CARDS + CARD_SIZE * state[record + CARD]
    events = table[card + CARD_EVENTS] | state[record + HEARS]
    law = require(KEPT, state[HEARD] & events == events, Law.HEARD.value)
    late = table[card + CARD_EVENTS + 1]
    law = require(law, state[HEARD + 1] & late == late, Law.HEARD.value)
    for at in (ATTACK, COST, READY):
        law = require(law, state[record + at] >= 0, Law.NUMBERS.value)
    law = require(law, state[record + HEALTH] <= state[record + MAX_HEALTH], Law.NUMBERS.value)
    lent = state[record + TURN_KEYWORDS] | state[record + NEXT_KEYWORDS]
    granted = state[record + OWN_KEYWORDS] | lent
    law = require(law, state[record + KEYWORDS] & granted == granted, Law.KEYWORDS.value)
    law = require(law, 0 <= state[record + N_MADE] <= 2, Law.ATTACKS_MADE.value)
    may_be_marked = state[PHASE] == MULLIGAN_PHASE
    is_marked = state[record + STATUS] & IS_MARKED != 0
    return require(law, may_be_marked or not is_marked, Law.MARKS.value)  # type: ignore[no-any-return]


@compiled(i64(Words, i64))
def law_of_card(state: Any, card: int) -> int:
    """What happens on the board leaves hands alone."""
    is_whole = state[card + HEALTH] == state[card + MAX_HEALTH]
    is_well = state[card + STATUS] & (IS_DOOMED | IS_FROZEN | IS_SILENCED) == 0
    return require(KEPT, is_whole and is_well, Law.HANDS.value)  # type: ignore[no-any-return]


@compiled(i64(Words, i64))
def law_of_minion(state: Any, minion: int) -> int:
    """The dead do not stay."""
    if state[minion + HEALTH] <= 0 or state[minion + STATUS] & IS_DOOMED:
        return Law.LIVING_MINIONS.value
    return KEPT
