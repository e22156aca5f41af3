"""Choices: the list of legal actions of the active seat under the general rules.

`sim.engine.listing` defines the list and its order. The options of a card come in their order.
Targets come in the order of their codes: enemy minions, own minions, the own player, the enemy
player. The list contains a minion only at the right end of the board, although it may be played at
other places.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Body, Kind
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import card_of, is_on_side
from sim.engine.general.legality import (
    can_pay_and_place,
    chooses,
    has_what_it_needs,
    is_guard,
    is_open,
    may_attack,
    may_take,
    may_use_power,
    source_of,
    text_of,
)
from sim.engine.listing import NO_RECORD, add_listed, list_actions, was_listed
from sim.engine.zones import board, hand, item, player


@compiled(i64(Words, Words, i64, i64, i64, i64, i64, i64))
def _list_target(
    state: Any,
    table: Any,
    n_listed: int,
    text: int,
    source: int,
    is_magic: int,
    action: int,
    target: int,
) -> int:
    """Append an action with one target, if the text of the card allows that target.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        n_listed: length of the list so far.
        text: offset of the card that holds the text.
        source: record that uses the text.
        is_magic: 1 for a spell or hero power, which cannot target elusive characters, else 0.
        action: the action with the target's code.
        target: record of the target.

    Returns:
        New length of the list.
    """
    if may_take(state, table, table[text + at.CARD_TARGET], source, is_magic, target):
        return add_listed(state, n_listed, action, source, target)
    return n_listed


@compiled(i64(Words, Words, i64, i64, i64, i64, i64))
def _list_targets(
    state: Any, table: Any, n_listed: int, text: int, source: int, is_magic: int, action: int
) -> int:
    """Append an action with every target that its text allows, or without a target.

    The action is listed without a target if the text takes none, or if the text requires none and
    no permitted target exists. See `_list_target` for the arguments; `action` has no target's code
    yet.
    """
    if not chooses(state, table, text, source):
        return add_listed(state, n_listed, action + at.AT_NOBODY, source, NO_RECORD)
    own = state[at.ACTIVE]
    n_before = n_listed
    side = table[table[text + at.CARD_TARGET] + at.GROUP_SIDE]
    body = table[table[text + at.CARD_TARGET] + at.GROUP_BODY]
    for turn in range(2):  # the enemy's minions before the own ones, as `sim.engine.listing` says
        owner = own if turn else 1 - own
        if body != Body.PLAYER and is_on_side(side, own, owner):
            first_code = action + at.AT_OWN_MINION * turn
            for position in range(state[board(owner)]):
                minion = item(state, board(owner), position)
                code = first_code + position
                n_listed = _list_target(
                    state, table, n_listed, text, source, is_magic, code, minion
                )
    for turn in range(2):  # the own player before the enemy player
        owner = 1 - own if turn else own
        if body != Body.MINION and is_on_side(side, own, owner):
            code = action + (at.AT_PLAYER if turn else at.AT_OWN_PLAYER)
            n_listed = _list_target(
                state, table, n_listed, text, source, is_magic, code, player(owner)
            )
    if n_listed == n_before and table[text + at.CARD_TARGET_MODE] != at.MUST_CHOOSE:
        return add_listed(state, n_listed, action + at.AT_NOBODY, source, NO_RECORD)
    return n_listed


@compiled(i64(Words, Words, i64, i64, i64))
def _list_plays(state: Any, table: Any, n_listed: int, record: int, action: int) -> int:
    """Append every way to play a card of the hand and return the new length of the list.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        n_listed: length of the list so far.
        record: record of the card.
        action: the play without option and target.
    """
    if not can_pay_and_place(state, table, record):
        return n_listed
    card = card_of(state, record)
    is_magic = table[card + at.CARD_KIND] == Kind.SPELL
    has_options = text_of(table, card, 0) == 0
    for option in range(has_options, has_options + 1 + has_options):
        text = text_of(table, card, option)
        if has_what_it_needs(state, table, card, text, record):
            play = action + (option << at.OPTION_SHIFT)
            n_listed = _list_targets(state, table, n_listed, text, record, is_magic, play)
    return n_listed


@compiled(i64(Words, i64))
def _note_open_minions(state: Any, enemy: int) -> int:
    """Write the positions of a seat's minions that may be attacked to the work area.

    Returns:
        1 if a minion with taunt protects the others and the player, else 0.
    """
    n_open = 0
    guarded = 0
    minions = board(enemy)
    for position in range(state[minions]):
        minion = item(state, minions, position)
        if guarded == 0 and is_guard(state, minion):
            n_open = 0
            guarded = 1  # this minion protects those noted before it, so they are dropped
        state[at.GROUP + n_open] = position
        n_open += is_open(state, minion, guarded)
    state[at.N_GROUP] = n_open
    return guarded


@compiled(i64(Words, i64, i64, i64, i64, i64))
def _list_attacks(
    state: Any, n_listed: int, attacker: int, action: int, enemy: int, face_is_open: int
) -> int:
    """Append a character's attacks on the minions in the work area and on the enemy player.

    Nothing is appended if the character has no attack left in this turn.

    Args:
        state: words of the game, with positions of minions that may be attacked in its work area.
        n_listed: length of the list so far.
        attacker: record of the character.
        action: the attack without a target's code.
        enemy: the seat of the defenders.
        face_is_open: whether the enemy player may be attacked.

    Returns:
        New length of the list.
    """
    if state[attacker + at.READY] <= 0:
        return n_listed
    leader = player(enemy)
    minions = board(enemy)
    for k in range(state[at.N_GROUP]):
        position = state[at.GROUP + k]
        minion = item(state, minions, position)
        n_listed = add_listed(state, n_listed, action + position, attacker, minion)
    if face_is_open and may_attack(state, attacker, leader):
        n_listed = add_listed(state, n_listed, action + at.AT_PLAYER, attacker, leader)
    return n_listed


@compiled(i64(Words, i64, i64))
def _list_all_attacks(state: Any, n_listed: int, seat: int) -> int:
    """Append all attacks of a seat and return the new length of the list.

    Attacks of minions come first, from the left, then those of the player.
    """
    enemy = 1 - seat
    minions = board(seat)
    guarded = _note_open_minions(state, enemy)
    face_is_open = is_open(state, player(enemy), guarded)
    for position in range(state[minions]):
        action = at.ATTACK_WITH + (position << at.SOURCE_SHIFT)
        attacker = item(state, minions, position)
        n_listed = _list_attacks(state, n_listed, attacker, action, enemy, face_is_open)
    action = at.ATTACK_WITH + (at.BY_PLAYER << at.SOURCE_SHIFT)
    return _list_attacks(state, n_listed, player(seat), action, enemy, face_is_open)


@compiled(i64(Words))
def _list_answers(state: Any) -> int:
    """List the legal actions in a mulligan or a choice of cards and return their number.

    A mulligan allows each unmarked card of the hand and the end; a choice allows each offered card.
    """
    n_listed = 0
    if state[at.PHASE] == at.CHOICE_PHASE:
        for choice in range(state[at.CHOICES]):
            answer = at.PLAY + (choice << at.SOURCE_SHIFT) + at.AT_NOBODY
            n_listed = add_listed(state, n_listed, answer, NO_RECORD, NO_RECORD)
        return n_listed
    cards = hand(state[at.ACTIVE])
    for position in range(state[cards]):
        card = item(state, cards, position)
        if state[card + at.STATUS] & at.IS_MARKED == 0:
            answer = at.PLAY + (position << at.SOURCE_SHIFT) + at.AT_NOBODY
            n_listed = add_listed(state, n_listed, answer, card, NO_RECORD)
    return add_listed(state, n_listed, at.END_TURN, NO_RECORD, NO_RECORD)


@compiled(i64(Words, Words))
def _list_main_phase(state: Any, table: Any) -> int:
    """List plays, attacks, the hero power and the end of the turn, and return their number."""
    seat = state[at.ACTIVE]
    n_listed = 0
    cards = hand(seat)
    leader = player(seat)
    for position in range(state[cards]):
        action = at.PLAY + (position << at.SOURCE_SHIFT)
        n_listed = _list_plays(state, table, n_listed, item(state, cards, position), action)
    n_plays = n_listed
    n_listed = _list_all_attacks(state, n_listed, seat)
    state[at.N_LISTED_PLAYS] = n_plays
    state[at.N_LISTED_ATTACKS] = n_listed - n_plays
    if may_use_power(state, table):
        text = card_of(state, leader)
        n_listed = _list_targets(state, table, n_listed, text, leader, 1, at.USE_POWER)
    return add_listed(state, n_listed, at.END_TURN, NO_RECORD, NO_RECORD)


def list_legal(state: Any, table: Any, action: int) -> int:
    """List the legal actions of the active seat and return their number; `action` is unused.

    It is called through the table (`sim.engine.listing.list_actions`). Carrying out an action looks
    the action up in this list first (`was_listed`).
    """
    if state[at.PHASE] == at.MAIN_PHASE:
        state[at.N_LISTED] = _list_main_phase(state, table)
    else:
        state[at.N_LISTED] = _list_answers(state)
    return state[at.N_LISTED]


@compiled(i64(Words, Words, i64, i64))
def _may_be_placed(state: Any, table: Any, action: int, place: int) -> bool:
    """Return whether a legal action plays a minion that may be placed at `place` of the board.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        action: number of the legal action that plays the card.
        place: 1 + position on the board.
    """
    seat = state[at.ACTIVE]
    card = card_of(state, item(state, hand(seat), source_of(action)))
    return table[card + at.CARD_KIND] == Kind.MINION and place <= state[board(seat)] + 1


def legal(state: Any, table: Any, action: int) -> int:
    """Return 1 if the active seat may take `action` now, else 0; a minion may take any place.

    In a mulligan or a choice only the position in the action counts. The list of legal actions is
    recomputed.
    """
    place = 0
    if at.PLAY <= action < at.ATTACK_WITH:
        if state[at.PHASE] == at.MAIN_PHASE:
            place = (action >> at.PLACE_SHIFT) & at.PLACE_MASK
            action -= place << at.PLACE_SHIFT
        else:
            action = at.PLAY + (source_of(action) << at.SOURCE_SHIFT) + at.AT_NOBODY
    list_actions(state, table)
    if not was_listed(state, action):
        return 0
    return 1 if place == 0 or _may_be_placed(state, table, action, place) else 0
