"""Choices: every legal action of the active seat, listed once for whoever has to choose.

The list lies in the state's work area, so that agents need no memory of their own. Its order is
fixed: cards of the hand (the oldest first, its first option first), attacks (the player, then
minions from the left), the hero power, the end of the turn. Targets come enemy player, enemy
minions, own player, own minions. A minion's place on the board is not enumerated: it is the
right end.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.calls import write_listed
from sim.engine.general.groups import card_of
from sim.engine.general.legality import (
    SPELL,
    can_pay_and_place,
    has_what_it_needs,
    may_use_power,
    text_of,
)
from sim.engine.general.targets import chooses, is_guarded, may_be_attacked, may_choose
from sim.engine.layout import (
    ACTIVE,
    AT_NOBODY,
    AT_OWN_MINION,
    AT_OWN_PLAYER,
    AT_PLAYER,
    ATTACK_WITH,
    BLANK,
    BY_PLAYER,
    CARD_KIND,
    CARD_OPTIONS,
    CARD_TARGET,
    CARD_TARGET_MODE,
    CHOICE_PHASE,
    CHOICES,
    END_TURN,
    IS_MARKED,
    MAIN_PHASE,
    MAX_LISTED,
    MUST_CHOOSE,
    N_LISTED,
    N_LISTED_ATTACKS,
    N_LISTED_PLAYS,
    OPTION_SHIFT,
    PHASE,
    PLAY,
    READY,
    SOURCE_SHIFT,
    STATUS,
    USE_POWER,
)
from sim.engine.zones import board, hand, item, player


@compiled(none(Words, i64))
def _list(state: Any, action: int) -> None:
    if state[N_LISTED] < MAX_LISTED:
        write_listed(state, state[N_LISTED], action)
        state[N_LISTED] += 1


@compiled(none(Words, Words, i64, i64, i64, i64, i64))
def _list_targets_of_side(
    state: Any, table: Any, group: int, source: int, is_magic: int, action: int, seat: int
) -> None:
    is_own = seat == state[ACTIVE]
    if may_choose(state, table, group, source, is_magic, player(seat)):
        _list(state, action + (AT_OWN_PLAYER if is_own else AT_PLAYER))
    for position in range(state[board(seat)]):
        minion = item(state, board(seat), position)
        if may_choose(state, table, group, source, is_magic, minion):
            _list(state, action + position + (AT_OWN_MINION if is_own else 0))


@compiled(none(Words, Words, i64, i64, i64, i64))
def _list_targets(
    state: Any, table: Any, text: int, source: int, is_magic: int, action: int
) -> None:
    """List an action with every target that its text allows, or with none if it takes none."""
    seat = state[ACTIVE]
    if not chooses(state, table, text, source):
        _list(state, action + AT_NOBODY)
        return
    n_before = state[N_LISTED]
    group = table[text + CARD_TARGET]
    for turn in range(2):
        side = seat if turn else 1 - seat
        _list_targets_of_side(state, table, group, source, is_magic, action, side)
    if state[N_LISTED] == n_before and table[text + CARD_TARGET_MODE] != MUST_CHOOSE:
        _list(state, action + AT_NOBODY)


@compiled(none(Words, Words, i64))
def _list_plays(state: Any, table: Any, position: int) -> None:
    """List every way to play a card of the hand."""
    record = item(state, hand(state[ACTIVE]), position)
    if not can_pay_and_place(state, table, record):
        return
    card = card_of(state, record)
    has_options = table[card + CARD_OPTIONS] != BLANK
    for option in range(has_options, has_options + 1 + has_options):
        text = text_of(state, table, record, option)
        if has_what_it_needs(state, table, card, text, record):
            action = PLAY + (position << SOURCE_SHIFT) + (option << OPTION_SHIFT)
            is_magic = table[card + CARD_KIND] == SPELL
            _list_targets(state, table, text, record, is_magic, action)


@compiled(none(Words, i64, i64, i64))
def _list_attacks(state: Any, attacker: int, source: int, guarded: int) -> None:
    """List whom a character that is ready may attack."""
    if state[attacker + READY] <= 0:
        return
    seat = 1 - state[ACTIVE]
    action = ATTACK_WITH + (source << SOURCE_SHIFT)
    if may_be_attacked(state, attacker, player(seat), guarded):
        _list(state, action + AT_PLAYER)
    for position in range(state[board(seat)]):
        if may_be_attacked(state, attacker, item(state, board(seat), position), guarded):
            _list(state, action + position)


@compiled(none(Words))
def _list_answers(state: Any) -> None:
    """List the answers to a mulligan or a choice."""
    if state[PHASE] == CHOICE_PHASE:
        for choice in range(state[CHOICES]):
            _list(state, PLAY + (choice << SOURCE_SHIFT) + AT_NOBODY)
        return
    cards = hand(state[ACTIVE])
    for position in range(state[cards]):
        if state[item(state, cards, position) + STATUS] & IS_MARKED == 0:
            _list(state, PLAY + (position << SOURCE_SHIFT) + AT_NOBODY)
    _list(state, END_TURN)


def list_legal(state: Any, table: Any, action: int) -> int:
    """List what the active seat may do; returns how many actions that is.

    Called through the table (`list_actions` of `calls.py`); `listed` reads the list.
    """
    state[N_LISTED] = 0
    if state[PHASE] != MAIN_PHASE:
        _list_answers(state)
        return state[N_LISTED]
    seat = state[ACTIVE]
    for position in range(state[hand(seat)]):
        _list_plays(state, table, position)
    state[N_LISTED_PLAYS] = state[N_LISTED]
    guarded = is_guarded(state, 1 - seat)
    _list_attacks(state, player(seat), BY_PLAYER, guarded)
    for position in range(state[board(seat)]):
        _list_attacks(state, item(state, board(seat), position), position, guarded)
    state[N_LISTED_ATTACKS] = state[N_LISTED] - state[N_LISTED_PLAYS]
    if may_use_power(state, table):
        leader = player(seat)
        _list_targets(state, table, card_of(state, leader), leader, 1, USE_POWER)
    _list(state, END_TURN)
    return state[N_LISTED]
