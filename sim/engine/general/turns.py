"""Beginnings and ends of games and turns, and the mulligan."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event
from sim.engine import layout as at
from sim.engine.compensation import extra_mana
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.draws import draw_card, draw_slot, put_into_hand, take_into_hand
from sim.engine.faults import allow_actions, not_negative
from sim.engine.general.changes import detach_all, restore_keywords
from sim.engine.general.events import emit, finish, push_own_rows, resolve_if_heard
from sim.engine.general.moves import change_sides
from sim.engine.zones import (
    HASTE,
    append,
    board,
    free_record,
    hand,
    item,
    move_last,
    player,
    take_from_hand,
)
from sim.ruleset import DECK_CAPACITY

# --- beginning and end of a turn ---


@compiled(none(Words, i64))
def _wake(state: Any, character: int) -> None:
    """Reset a character's attacks and mark of arrival at the beginning of its owner's turn.

    It also ends the keywords that were granted until this turn.
    """
    state[character + at.N_MADE] = 0
    state[character + at.STATUS] &= ~at.IS_NEW
    state[character + at.NEXT_KEYWORDS] = 0
    restore_keywords(state, character)


@compiled(none(Words, Words, i64))
def _refill(state: Any, table: Any, leader: int) -> None:
    """Raise a player's mana cap by 1, up to the maximum, and refill its mana.

    Owed overload is locked in this turn. Extra mana of a first turn is added.
    """
    state[leader + at.MANA_CAP] = min(state[leader + at.MANA_CAP] + 1, table[at.MANA_MAX])
    state[leader + at.OVERLOAD_LOCKED] = min(
        state[leader + at.OVERLOAD_OWED], state[leader + at.MANA_CAP]
    )
    state[leader + at.OVERLOAD_OWED] = 0
    unlocked = state[leader + at.MANA_CAP] - state[leader + at.OVERLOAD_LOCKED]
    state[leader + at.MANA] = unlocked + extra_mana(state, table, state[leader + at.OWNER])


@compiled(none(Words, Words, i64), apart=True)
def start_turn(state: Any, table: Any, seat: int) -> None:
    """Begin a seat's turn: refill mana, reset its characters, emit the event, and draw a card.

    The first turn of the game draws no card if the ruleset says so.
    """
    state[at.ACTIVE] = seat
    state[at.TURN] += 1
    state[at.N_ATTACKS] = 0
    allow_actions(state, table)
    # The end of the last turn has reset keywords, even those from auras, so auras are out of date.
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW
    leader = player(seat)
    _refill(state, table, leader)
    state[leader + at.POWER_USED] = 0
    state[leader + at.N_PLAYED] = 0
    state[leader + at.N_MINIONS_PLAYED] = 0
    state[leader + at.SPELLS_NOW] = state[leader + at.SPELLS_LATER]
    state[leader + at.SPELLS_LATER] = 0
    _wake(state, leader)
    for position in range(state[board(seat)]):
        _wake(state, item(state, board(seat), position))
    for position in range(state[board(1 - seat)]):
        # A minion of the other side may be stolen in this turn, and attack then.
        state[item(state, board(1 - seat), position) + at.N_MADE] = 0
    emit(state, Event.TURN_START, leader, 0)
    resolve_if_heard(state, table)
    if state[at.RESULT] == at.RUNNING:
        if state[at.TURN] > 1 or table[at.SKIP_FIRST_DRAW] == 0:
            draw_card(state, table, seat)
        finish(state, table)


@compiled(none(Words, i64))
def _end_loans(state: Any, character: int) -> None:
    """End the attack and keywords that a record has until the end of the turn."""
    lent = state[character + at.TURN_ATTACK]
    state[character + at.ATTACK] = not_negative(state[character + at.ATTACK] - lent)
    state[character + at.TURN_ATTACK] = state[character + at.TURN_KEYWORDS] = 0
    restore_keywords(state, character)


@compiled(none(Words, i64))
def _thaw(state: Any, character: int) -> None:
    """Thaw a character that made no attack in its owner's turn, unless it is new without haste."""
    keywords = state[character + at.KEYWORDS]
    could_attack = state[character + at.STATUS] & at.IS_NEW == 0 or keywords & HASTE
    if could_attack and state[character + at.N_MADE] == 0:
        state[character + at.STATUS] &= ~at.IS_FROZEN


@compiled(none(Words, i64))
def _end_player_loans(state: Any, leader: int) -> None:
    """End the discounts and attachments that a player has until the end of the turn."""
    for word in (at.NEXT_SPELL, at.NEXT_SECRET, at.SPELLS_NOW):
        state[leader + word] = 0
    if state[leader + at.HEARS] != 0:
        state[leader + at.HEARS] = 0
        detach_all(state, leader)


@compiled(i64(Words, i64, i64))
def _first_with_status(state: Any, zone: int, status: int) -> int:
    """Return the position of a zone's first record with an IS_* bit, or -1 if none has it."""
    for position in range(state[zone]):
        if state[item(state, zone, position) + at.STATUS] & status:
            return position
    return -1


@compiled(none(Words, Words, i64))
def _give_back(state: Any, table: Any, seat: int) -> None:
    """Return minions that were borrowed for the turn to the other side, and remove the dead.

    A returned minion dies if the board of its side is full.
    """
    place = _first_with_status(state, board(seat), at.IS_BORROWED)
    if place < 0:
        return
    while place >= 0:
        minion = item(state, board(seat), place)
        state[minion + at.STATUS] &= ~at.IS_BORROWED
        change_sides(state, table, minion)
        state[at.DEATHS_DUE] = 1
        place = _first_with_status(state, board(seat), at.IS_BORROWED)
    finish(state, table)  # removes minions that died because their board is full


@compiled(none(Words, Words, i64))
def end_turn(state: Any, table: Any, seat: int) -> None:
    """End a seat's turn: emit the event, end temporary effects, and begin the other seat's turn.

    At the turn cap the game is a draw.
    """
    emit(state, Event.TURN_END, player(seat), 0)
    resolve_if_heard(state, table)
    if state[at.RESULT] != at.RUNNING:
        return
    _give_back(state, table, seat)
    if state[at.RESULT] != at.RUNNING:
        return
    _thaw(state, player(seat))
    for position in range(state[board(seat)]):
        _thaw(state, item(state, board(seat), position))
    for side in range(2):
        _end_loans(state, player(side))
        _end_player_loans(state, player(side))
        for position in range(state[board(side)]):
            _end_loans(state, item(state, board(side), position))
        if state[player(side) + at.WEAPON] != 0:
            _end_loans(state, state[player(side) + at.WEAPON])
    if state[at.TURN] >= table[at.TURN_CAP]:
        state[at.RESULT] = at.DRAWN
    else:
        start_turn(state, table, 1 - seat)


# --- mulligan and beginning of the game ---


@compiled(none(Words, i64, i64))
def mark_for_replacement(state: Any, seat: int, position: int) -> None:
    """Mark a card of the opening hand to be replaced at the end of the seat's mulligan."""
    state[item(state, hand(seat), position) + at.STATUS] |= at.IS_MARKED


@compiled(i64(Words, Words, i64, i64))
def _replace(state: Any, table: Any, seat: int, position: int) -> int:
    """Replace a card of the hand by a card of the deck, and return the old card's deck slot.

    The slot may be beyond the deck, if the old card was given before the game and is now lost.
    """
    drawer = player(seat)
    zone = hand(seat)
    new_slot = draw_slot(state, drawer)
    old = take_from_hand(state, zone, position)
    old_slot = state[old + at.SLOT]
    free_record(state, old)
    marks = at.SEEN + DECK_CAPACITY * seat
    if old_slot < DECK_CAPACITY:
        state[marks + old_slot] = 0
    state[marks + new_slot] = at.SEEN_OPENING
    take_into_hand(state, table, seat, new_slot)
    move_last(state, zone, position)
    return old_slot


@compiled(none(Words, Words, i64))
def _replace_marked(state: Any, table: Any, seat: int) -> None:
    """Replace every marked card while the deck has cards, then put the old cards into the deck.

    Marks of cards that could not be replaced are removed.
    """
    drawer = player(seat)
    zone = hand(seat)
    state[at.N_GROUP] = 0
    position = _first_with_status(state, zone, at.IS_MARKED)
    while position >= 0 and state[drawer + at.N_CARDS_LEFT] > 0:
        state[at.GROUP + state[at.N_GROUP]] = _replace(state, table, seat, position)
        state[at.N_GROUP] += 1
        position = _first_with_status(state, zone, at.IS_MARKED)
    for k in range(state[at.N_GROUP]):
        if state[at.GROUP + k] < DECK_CAPACITY:
            append(state, drawer + at.DECK, state[at.GROUP + k])
            state[drawer + at.N_CARDS_LEFT] += 1
    while position >= 0:  # the deck is empty, so the remaining marked cards stay
        state[item(state, zone, position) + at.STATUS] &= ~at.IS_MARKED
        position = _first_with_status(state, zone, at.IS_MARKED)


@compiled(none(Words, Words))
def _give_coin(state: Any, table: Any) -> None:
    """Put the coin into the second player's hand, if the rules have one and the hand has space."""
    if table[at.COIN] != at.BLANK:
        put_into_hand(state, table, table[at.COIN], at.COIN_SLOT, 1)


@compiled(none(Words, Words, i64), apart=True)
def end_mulligan(state: Any, table: Any, seat: int) -> None:
    """Replace a seat's marked cards; after the second seat's mulligan begin the first turn."""
    _replace_marked(state, table, seat)
    if seat == 0:
        state[at.ACTIVE] = 1
        finish(state, table)  # costs may depend on the hands
        return
    state[at.PHASE] = at.MAIN_PHASE
    _give_coin(state, table)
    start_turn(state, table, 0)


@compiled(none(Words, Words))
def _push_start_texts(state: Any, table: Any) -> None:
    """Carry out the cards' texts for the beginning of the game, once for each different card.

    The first player's texts come first.
    """
    for seat in range(1, -1, -1):
        leader = player(seat)
        for slot in range(DECK_CAPACITY - 1, -1, -1):
            card = state[leader + at.CARD_OF_SLOT + slot]
            if card == at.BLANK or (
                slot > 0 and state[leader + at.CARD_OF_SLOT + slot - 1] == card
            ):
                continue
            text = at.CARDS + at.CARD_SIZE * card
            if table[text + at.CARD_EVENTS + 1] >> (Event.GAME_START - 16) & 1:
                push_own_rows(state, table, text, Event.GAME_START, leader, 0)
    finish(state, table)


@compiled(none(Words, Words))
def begin(state: Any, table: Any) -> None:
    """Begin the mulligan, or the first turn, after the opening hands are dealt.

    Nothing happens if dealing has ended the game.
    """
    if state[at.RESULT] != at.RUNNING:
        return
    if table[at.STARTS]:
        _push_start_texts(state, table)
    if table[at.MULLIGAN]:
        state[at.PHASE] = at.MULLIGAN_PHASE
        finish(state, table)
        return
    _give_coin(state, table)
    start_turn(state, table, 0)
