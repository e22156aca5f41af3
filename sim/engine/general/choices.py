"""Choices: every legal action of the active seat, listed once for whoever has to choose.

The list lies in the state's work area, so that agents need no memory of their own. Its order is
fixed: cards of the hand (the oldest first, its first option first), attacks (the player, then
minions from the left), the hero power, the end of the turn. Targets come enemy player, enemy
minions, own player, own minions. A minion's place on the board is not enumerated: it is the
right end.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.calls import write_listed
from sim.engine.general.groups import ENEMY, MINIONS_ONLY, OWN, PLAYERS_ONLY, card_of
from sim.engine.general.legality import (
    SPELL,
    can_pay_and_place,
    has_what_it_needs,
    may_use_power,
    text_of,
)
from sim.engine.general.targets import (
    NO_RECORD,
    barred_by,
    chooses,
    is_guard,
    is_open,
    may_attack,
    may_take,
)
from sim.engine.layout import (
    ACTIVE,
    AT_NOBODY,
    AT_OWN_MINION,
    AT_OWN_PLAYER,
    AT_PLAYER,
    ATTACK_WITH,
    BY_PLAYER,
    CARD_KIND,
    CARD_TARGET,
    CARD_TARGET_MODE,
    CHOICE_PHASE,
    CHOICES,
    END_TURN,
    GROUP,
    GROUP_BODY,
    GROUP_SIDE,
    IS_MARKED,
    MAIN_PHASE,
    MUST_CHOOSE,
    N_GROUP,
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


@compiled(i64(Words, i64, i64, i64, i64))
def _list(state: Any, n_listed: int, action: int, source: int, target: int) -> int:
    """Add an action to the list; returns how long it is then.

    The length goes from hand to hand: in memory, every action would wait for it to be written.
    """
    write_listed(state, n_listed, action, source, target)
    return n_listed + 1


@compiled(i64(Words, Words, i64, i64, i64, i64, i64, i64))
def _list_targets_of_side(
    state: Any,
    table: Any,
    n_listed: int,
    group: int,
    source: int,
    barred: int,
    action: int,
    seat: int,
) -> int:
    """List an action with every character of a side that fits and has no barred keyword."""
    is_own = seat == state[ACTIVE]
    body = table[group + GROUP_BODY]
    leader, minions = player(seat), board(seat)
    if body != MINIONS_ONLY and may_take(state, table, group, source, barred, leader):
        at_player = AT_OWN_PLAYER if is_own else AT_PLAYER
        n_listed = _list(state, n_listed, action + at_player, source, leader)
    if body == PLAYERS_ONLY:
        return n_listed
    action += AT_OWN_MINION if is_own else 0
    for position in range(state[minions]):
        minion = item(state, minions, position)
        if may_take(state, table, group, source, barred, minion):
            n_listed = _list(state, n_listed, action + position, source, minion)
    return n_listed


@compiled(i64(Words, Words, i64, i64, i64, i64, i64))
def _list_targets(
    state: Any, table: Any, n_listed: int, text: int, source: int, is_magic: int, action: int
) -> int:
    """List an action with every target that its text allows, or with none if it takes none."""
    if not chooses(state, table, text, source):
        return _list(state, n_listed, action + AT_NOBODY, source, NO_RECORD)
    seat, n_before = state[ACTIVE], n_listed
    group = table[text + CARD_TARGET]
    side = table[group + GROUP_SIDE]
    for turn in range(side == OWN, 1 + (side != ENEMY)):
        owner = seat if turn else 1 - seat
        barred = barred_by(is_magic, owner != seat)
        n_listed = _list_targets_of_side(
            state, table, n_listed, group, source, barred, action, owner
        )
    if n_listed == n_before and table[text + CARD_TARGET_MODE] != MUST_CHOOSE:
        return _list(state, n_listed, action + AT_NOBODY, source, NO_RECORD)
    return n_listed


@compiled(i64(Words, Words, i64, i64, i64))
def _list_plays(state: Any, table: Any, n_listed: int, record: int, action: int) -> int:
    """List every way to play a card of the hand."""
    if not can_pay_and_place(state, table, record):
        return n_listed
    card = card_of(state, record)
    is_magic = table[card + CARD_KIND] == SPELL
    has_options = text_of(table, card, 0) == 0
    for option in range(has_options, has_options + 1 + has_options):
        text = text_of(table, card, option)
        if has_what_it_needs(state, table, card, text, record):
            way = action + (option << OPTION_SHIFT)
            n_listed = _list_targets(state, table, n_listed, text, record, is_magic, way)
    return n_listed


@compiled(i64(Words, i64))
def _note_open_minions(state: Any, enemy: int) -> int:
    """Write down the places of the minions of a seat that may be attacked; whether they guard."""
    n_open, guarded, minions = 0, 0, board(enemy)
    for position in range(state[minions]):
        minion = item(state, minions, position)
        if guarded == 0 and is_guard(state, minion):
            n_open, guarded = 0, 1  # whoever was open before is behind this one
        state[GROUP + n_open] = position
        n_open += is_open(state, minion, guarded)
    state[N_GROUP] = n_open
    return guarded


@compiled(i64(Words, i64, i64, i64, i64, i64))
def _list_attacks(
    state: Any, n_listed: int, attacker: int, action: int, enemy: int, face_is_open: int
) -> int:
    """List whom of those that are open to attacks a character that is ready may attack."""
    if state[attacker + READY] <= 0:
        return n_listed
    leader, minions = player(enemy), board(enemy)
    if face_is_open and may_attack(state, attacker, leader):
        n_listed = _list(state, n_listed, action + AT_PLAYER, attacker, leader)
    for k in range(state[N_GROUP]):
        position = state[GROUP + k]
        minion = item(state, minions, position)
        n_listed = _list(state, n_listed, action + position, attacker, minion)
    return n_listed


@compiled(i64(Words, i64, i64))
def _list_all_attacks(state: Any, n_listed: int, seat: int) -> int:
    """List the attacks of a seat: the player's, then those of minions from the left."""
    enemy, minions = 1 - seat, board(seat)
    guarded = _note_open_minions(state, enemy)
    face_is_open = is_open(state, player(enemy), guarded)
    action = ATTACK_WITH + (BY_PLAYER << SOURCE_SHIFT)
    n_listed = _list_attacks(state, n_listed, player(seat), action, enemy, face_is_open)
    for position in range(state[minions]):
        action = ATTACK_WITH + (position << SOURCE_SHIFT)
        attacker = item(state, minions, position)
        n_listed = _list_attacks(state, n_listed, attacker, action, enemy, face_is_open)
    return n_listed


@compiled(i64(Words))
def _list_answers(state: Any) -> int:
    """List the answers to a mulligan or a choice."""
    n_listed = 0
    if state[PHASE] == CHOICE_PHASE:
        for choice in range(state[CHOICES]):
            answer = PLAY + (choice << SOURCE_SHIFT) + AT_NOBODY
            n_listed = _list(state, n_listed, answer, NO_RECORD, NO_RECORD)
        return n_listed
    cards = hand(state[ACTIVE])
    for position in range(state[cards]):
        card = item(state, cards, position)
        if state[card + STATUS] & IS_MARKED == 0:
            answer = PLAY + (position << SOURCE_SHIFT) + AT_NOBODY
            n_listed = _list(state, n_listed, answer, card, NO_RECORD)
    return _list(state, n_listed, END_TURN, NO_RECORD, NO_RECORD)


@compiled(i64(Words, Words))
def _list_main_phase(state: Any, table: Any) -> int:
    """List plays, attacks, the hero power and the end of the turn."""
    seat, n_listed = state[ACTIVE], 0
    cards, leader = hand(seat), player(seat)
    for position in range(state[cards]):
        action = PLAY + (position << SOURCE_SHIFT)
        n_listed = _list_plays(state, table, n_listed, item(state, cards, position), action)
    n_plays = n_listed
    n_listed = _list_all_attacks(state, n_listed, seat)
    state[N_LISTED_PLAYS] = n_plays
    state[N_LISTED_ATTACKS] = n_listed - n_plays
    if may_use_power(state, table):
        text = card_of(state, leader)
        n_listed = _list_targets(state, table, n_listed, text, leader, 1, USE_POWER)
    return _list(state, n_listed, END_TURN, NO_RECORD, NO_RECORD)


def list_legal(state: Any, table: Any, action: int) -> int:
    """List what the active seat may do; returns how many actions that is.

    Called through the table (`list_actions` of `calls.py`); `listed` reads the list. It holds
    until the next action: whoever carries that out looks here first (`was_listed`).
    """
    if state[PHASE] == MAIN_PHASE:
        state[N_LISTED] = _list_main_phase(state, table)
    else:
        state[N_LISTED] = _list_answers(state)
    return state[N_LISTED]
