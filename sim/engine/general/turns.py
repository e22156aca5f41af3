"""Beginnings and ends: mulligan, turns, and what lasts until one of them."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Keyword
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.draws import draw_card, draw_slot, put_into_hand, take_into_hand
from sim.engine.faults import allow_actions, not_negative
from sim.engine.general.attachments import detach_all
from sim.engine.general.calls import finish, resolve_if_heard
from sim.engine.general.events import emit, push_own_rows
from sim.engine.general.moves import change_sides
from sim.engine.layout import (
    ACTIVE,
    ATTACK,
    BLANK,
    BOARD_CHANGED,
    BOARD_IS_NEW,
    CARD_EVENTS,
    CARD_OF_SLOT,
    CARD_SIZE,
    CARDS,
    COIN,
    COIN_SLOT,
    DEATHS_DUE,
    DECK,
    DRAWN,
    GROUP,
    HEARS,
    IS_BORROWED,
    IS_FROZEN,
    IS_MARKED,
    IS_NEW,
    KEYWORDS,
    MAIN_PHASE,
    MANA,
    MANA_CAP,
    MANA_MAX,
    MULLIGAN,
    MULLIGAN_PHASE,
    N_ATTACKS,
    N_CARDS_LEFT,
    N_GROUP,
    N_MADE,
    N_MINIONS_PLAYED,
    N_PLAYED,
    NEXT_KEYWORDS,
    NEXT_SECRET,
    NEXT_SPELL,
    OVERLOAD_LOCKED,
    OVERLOAD_OWED,
    OWN_KEYWORDS,
    PHASE,
    POWER_USED,
    RESULT,
    RUNNING,
    SEEN,
    SEEN_OPENING,
    SKIP_FIRST_DRAW,
    SLOT,
    SPELLS_LATER,
    SPELLS_NOW,
    STARTS,
    STATUS,
    TURN,
    TURN_ATTACK,
    TURN_CAP,
    TURN_KEYWORDS,
    WEAPON,
)
from sim.engine.zones import (
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

HASTE = int(Keyword.HASTE)
GAME_BEGINS = int(Event.GAME_START)
TURN_BEGINS, TURN_ENDS = int(Event.TURN_START), int(Event.TURN_END)


# --- a turn ---


@compiled(none(Words, i64))
def _wake(state: Any, character: int) -> None:
    """A character at the beginning of its owner's turn."""
    state[character + N_MADE] = 0
    state[character + STATUS] &= ~IS_NEW
    state[character + NEXT_KEYWORDS] = 0
    state[character + KEYWORDS] = state[character + OWN_KEYWORDS] | state[character + TURN_KEYWORDS]


@compiled(none(Words, Words, i64))
def _refill(state: Any, table: Any, leader: int) -> None:
    """Grow and refill mana; what overload owes is locked."""
    state[leader + MANA_CAP] = min(state[leader + MANA_CAP] + 1, table[MANA_MAX])
    state[leader + OVERLOAD_LOCKED] = min(state[leader + OVERLOAD_OWED], state[leader + MANA_CAP])
    state[leader + OVERLOAD_OWED] = 0
    state[leader + MANA] = state[leader + MANA_CAP] - state[leader + OVERLOAD_LOCKED]


@compiled(none(Words, Words, i64), apart=True)
def start_turn(state: Any, table: Any, seat: int) -> None:
    """Refill mana, wake the side, let everybody hear of it, draw."""
    state[ACTIVE] = seat
    state[TURN] += 1
    state[N_ATTACKS] = 0
    allow_actions(state, table)
    state[BOARD_CHANGED] = BOARD_IS_NEW  # what auras lent has been taken back with all other loans
    leader = player(seat)
    _refill(state, table, leader)
    state[leader + POWER_USED] = 0
    state[leader + N_PLAYED] = 0
    state[leader + N_MINIONS_PLAYED] = 0
    state[leader + SPELLS_NOW], state[leader + SPELLS_LATER] = state[leader + SPELLS_LATER], 0
    _wake(state, leader)
    for position in range(state[board(seat)]):
        _wake(state, item(state, board(seat), position))
    for position in range(state[board(1 - seat)]):
        state[item(state, board(1 - seat), position) + N_MADE] = 0  # it may be stolen this turn
    emit(state, TURN_BEGINS, leader, 0)
    resolve_if_heard(state, table)
    if state[RESULT] == RUNNING:
        if state[TURN] > 1 or table[SKIP_FIRST_DRAW] == 0:
            draw_card(state, table, seat)
        finish(state, table)


@compiled(none(Words, i64))
def _end_loans(state: Any, character: int) -> None:
    """What lasts until the end of the turn is over."""
    lent = state[character + TURN_ATTACK]
    state[character + ATTACK] = not_negative(state[character + ATTACK] - lent)
    state[character + TURN_ATTACK] = 0
    state[character + TURN_KEYWORDS] = 0
    state[character + KEYWORDS] = state[character + OWN_KEYWORDS] | state[character + NEXT_KEYWORDS]


@compiled(none(Words, i64))
def _thaw(state: Any, character: int) -> None:
    """A frozen character thaws at the end of its owner's turn if freezing cost it that turn."""
    keywords = state[character + KEYWORDS]
    could_attack = state[character + STATUS] & IS_NEW == 0 or keywords & HASTE
    if could_attack and state[character + N_MADE] == 0:
        state[character + STATUS] &= ~IS_FROZEN


@compiled(none(Words, i64))
def _end_promises(state: Any, leader: int) -> None:
    """What a player was given for the turn beside keywords is over."""
    state[leader + NEXT_SPELL] = state[leader + NEXT_SECRET] = state[leader + SPELLS_NOW] = 0
    if state[leader + HEARS] != 0:
        state[leader + HEARS] = 0
        detach_all(state, leader)


@compiled(i64(Words, i64))
def _first_borrowed(state: Any, seat: int) -> int:
    """The first minion of a seat that is the other's, 0 if there is none."""
    for position in range(state[board(seat)]):
        minion = item(state, board(seat), position)
        if state[minion + STATUS] & IS_BORROWED:
            return minion
    return 0


@compiled(none(Words, Words, i64))
def _give_back(state: Any, table: Any, seat: int) -> None:
    """Let minions that were borrowed for the turn change sides again."""
    minion = _first_borrowed(state, seat)
    if minion == 0:
        return
    while minion != 0:
        state[minion + STATUS] &= ~IS_BORROWED
        change_sides(state, table, minion)
        state[DEATHS_DUE] = 1
        minion = _first_borrowed(state, seat)
    finish(state, table)  # one that finds its side full dies


@compiled(none(Words, Words, i64))
def end_turn(state: Any, table: Any, seat: int) -> None:
    """Let everybody hear of it, end what was lent for the turn, and begin the other's turn."""
    emit(state, TURN_ENDS, player(seat), 0)
    resolve_if_heard(state, table)
    if state[RESULT] != RUNNING:
        return
    _give_back(state, table, seat)
    if state[RESULT] != RUNNING:
        return
    _thaw(state, player(seat))
    for position in range(state[board(seat)]):
        _thaw(state, item(state, board(seat), position))
    for side in range(2):
        _end_loans(state, player(side))
        _end_promises(state, player(side))
        for position in range(state[board(side)]):
            _end_loans(state, item(state, board(side), position))
        if state[player(side) + WEAPON] != 0:
            _end_loans(state, state[player(side) + WEAPON])
    if state[TURN] >= table[TURN_CAP]:
        state[RESULT] = DRAWN
    else:
        start_turn(state, table, 1 - seat)


# --- the mulligan ---


@compiled(none(Words, i64, i64))
def mark_for_replacement(state: Any, seat: int, position: int) -> None:
    """Choose a card of the opening hand to be replaced."""
    state[item(state, hand(seat), position) + STATUS] |= IS_MARKED


@compiled(i64(Words, i64))
def _first_marked(state: Any, zone: int) -> int:
    for position in range(state[zone]):
        if state[item(state, zone, position) + STATUS] & IS_MARKED:
            return position
    return -1


@compiled(i64(Words, Words, i64, i64))
def _replace(state: Any, table: Any, seat: int, position: int) -> int:
    """Draw a card into the place of one in the hand; the slot of the old one.

    One that a card has given before the game comes from no slot of the deck: it is gone.
    """
    drawer, zone = player(seat), hand(seat)
    new_slot = draw_slot(state, drawer)
    old = take_from_hand(state, zone, position)
    old_slot = state[old + SLOT]
    free_record(state, old)
    marks = SEEN + DECK_CAPACITY * seat
    if old_slot < DECK_CAPACITY:
        state[marks + old_slot] = 0
    state[marks + new_slot] = SEEN_OPENING
    take_into_hand(state, table, seat, new_slot)
    move_last(state, zone, position)
    return old_slot


@compiled(none(Words, Words, i64))
def _replace_marked(state: Any, table: Any, seat: int) -> None:
    """Draw for every marked card; only then do the old ones go back into the deck."""
    drawer, zone = player(seat), hand(seat)
    state[N_GROUP] = 0
    position = _first_marked(state, zone)
    while position >= 0 and state[drawer + N_CARDS_LEFT] > 0:
        state[GROUP + state[N_GROUP]] = _replace(state, table, seat, position)
        state[N_GROUP] += 1
        position = _first_marked(state, zone)
    for k in range(state[N_GROUP]):
        if state[GROUP + k] < DECK_CAPACITY:
            append(state, drawer + DECK, state[GROUP + k])
            state[drawer + N_CARDS_LEFT] += 1
    while position >= 0:  # the deck is empty: the others stay
        state[item(state, zone, position) + STATUS] &= ~IS_MARKED
        position = _first_marked(state, zone)


@compiled(none(Words, Words))
def _give_coin(state: Any, table: Any) -> None:
    """The second player's compensation; a full hand has no room for it."""
    if table[COIN] != BLANK:
        put_into_hand(state, table, table[COIN], COIN_SLOT, 1)


@compiled(none(Words, Words, i64), apart=True)
def end_mulligan(state: Any, table: Any, seat: int) -> None:
    """Replace what a seat has marked; after the second seat the game begins."""
    _replace_marked(state, table, seat)
    if seat == 0:
        state[ACTIVE] = 1
        finish(state, table)  # what cards cost may depend on the hands
        return
    state[PHASE] = MAIN_PHASE
    _give_coin(state, table)
    start_turn(state, table, 0)


@compiled(none(Words, Words))
def _read_the_decks(state: Any, table: Any) -> None:
    """Let what cards say of the beginning of the game happen, each card once."""
    for seat in range(1, -1, -1):
        leader = player(seat)
        for slot in range(DECK_CAPACITY - 1, -1, -1):
            card = state[leader + CARD_OF_SLOT + slot]
            if card == BLANK or (slot > 0 and state[leader + CARD_OF_SLOT + slot - 1] == card):
                continue
            text = CARDS + CARD_SIZE * card
            if table[text + CARD_EVENTS + 1] >> (GAME_BEGINS - 16) & 1:
                push_own_rows(state, table, text, GAME_BEGINS, leader, 0)
    finish(state, table)


@compiled(none(Words, Words))
def begin(state: Any, table: Any) -> None:
    """After the opening hands are dealt: the mulligan, or the first turn."""
    if state[RESULT] != RUNNING:
        return
    if table[STARTS]:
        _read_the_decks(state, table)
    if table[MULLIGAN]:
        state[PHASE] = MULLIGAN_PHASE
        finish(state, table)
        return
    _give_coin(state, table)
    start_turn(state, table, 0)
