"""Zones and records: the only code that moves things about in a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import CHECKED, Words, compiled, i64, none
from sim.engine.faults import count_up, fail
from sim.ruleset import BOARD_CAPACITY, DECK_CAPACITY, HAND_CAPACITY

HASTE = int(Keyword.HASTE)


@compiled(i64(i64))
def player(seat: int) -> int:
    """The record of the player in `seat`, which opens the player's block."""
    return at.SEATS + at.SEAT_SIZE * seat


@compiled(i64(i64))
def hand(seat: int) -> int:
    """The hand zone of `seat`."""
    return at.SEATS + at.SEAT_SIZE * seat + at.HAND


@compiled(i64(i64))
def board(seat: int) -> int:
    """The board zone of `seat`."""
    return at.SEATS + at.SEAT_SIZE * seat + at.BOARD


@compiled(i64(i64))
def secrets(seat: int) -> int:
    """The zone of the secrets of `seat` that wait."""
    return at.SEATS + at.SEAT_SIZE * seat + at.SECRETS


@compiled(none(Words, i64))
def check_record(state: Any, record: int) -> None:
    """Refuse what is no record of a card, in the build that checks bounds.

    A wrong offset may lie within the state, and one below 0 counts from its end, so that bounds
    alone would not show it.
    """
    if CHECKED:
        is_card = (
            at.RECORDS <= record <= at.SPARE_RECORD and (record - at.RECORDS) % at.RECORD_SIZE == 0
        )
        if not is_card and record not in (player(0), player(1)):
            raise IndexError
        if state[record + at.CARD] < 0:
            raise IndexError


@compiled(none(Words, i64, i64))
def _check_place(state: Any, zone: int, position: int) -> None:
    """Refuse a place of a zone where nothing stands, in the build that checks bounds."""
    if CHECKED and (position < 0 or position >= state[zone]):
        raise IndexError


@compiled(i64(Words, i64, i64))
def item(state: Any, zone: int, position: int) -> int:
    """What stands at `position` of a zone, 0 the oldest."""
    _check_place(state, zone, position)
    return state[zone + 1 + position]


@compiled(i64(Words, i64, i64))
def position_of(state: Any, zone: int, thing: int) -> int:
    """Where in a zone `thing` stands, or -1."""
    for position in range(state[zone]):
        if item(state, zone, position) == thing:
            return position
    return -1


@compiled(none(Words, i64, i64))
def append(state: Any, zone: int, thing: int) -> None:
    """Put `thing` at the right end of a zone; the caller has checked that there is room."""
    length = state[zone]
    state[zone + 1 + length] = thing
    state[zone] = length + 1


@compiled(none(Words, i64, i64))
def move_last(state: Any, zone: int, position: int) -> None:
    """Move what stands last in a zone to `position`; what stood there and behind moves down."""
    _check_place(state, zone, position)
    last = state[zone + state[zone]]
    for word in range(zone + state[zone], zone + 1 + position, -1):
        state[word] = state[word - 1]
    state[zone + 1 + position] = last


def _taker(room: int) -> Callable[[Any, int, int], int]:
    """The `take` of zones with `room` places."""

    @compiled(i64(Words, i64, i64))
    def take(state: Any, zone: int, position: int) -> int:
        """Remove and return what stands at `position`; younger things move up.

        As many words move as the zone has room for, used or not: a fixed count is a few
        vector moves, where a loop to the zone's length costs a mispredicted branch (a draw
        took 24 ns that way and takes 7 ns now). The padding behind each zone allows it.
        """
        _check_place(state, zone, position)
        thing = state[zone + 1 + position]
        for word in range(zone + 1 + position, zone + 1 + position + room):
            state[word] = state[word + 1]
        state[zone] -= 1
        return thing

    return take


take_from_deck = _taker(DECK_CAPACITY)
take_from_hand = _taker(HAND_CAPACITY)
take_from_board = _taker(BOARD_CAPACITY)
take_from_secrets = _taker(at.SECRET_CAPACITY)


@compiled(none(Words, Words, i64))
def hear(state: Any, table: Any, card: int) -> None:
    """From now on what the card at offset `card` listens to is heard in this game."""
    state[at.HEARD] |= table[card + at.CARD_EVENTS]
    state[at.HEARD + 1] |= table[card + at.CARD_EVENTS + 1]


@compiled(none(Words, Words, i64, i64))
def print_card(state: Any, table: Any, record: int, card: int) -> None:
    """Make a record what is printed on `card`; only its slot and owner stay."""
    if CHECKED and card < 0:
        raise IndexError
    printed = at.CARDS + at.CARD_SIZE * card
    state[record + at.CARD] = card
    state[record + at.COST] = table[printed + at.CARD_COST]
    state[record + at.ATTACK] = table[printed + at.CARD_ATTACK]
    state[record + at.HEALTH] = state[record + at.MAX_HEALTH] = table[printed + at.CARD_HEALTH]
    state[record + at.KEYWORDS] = table[printed + at.CARD_KEYWORDS]
    state[record + at.READY] = 0
    for word in range(record + at.STATUS, record + at.RECORD_SIZE):
        state[word] = 0
    state[record + at.OWN_KEYWORDS] = table[printed + at.CARD_KEYWORDS]
    count_up(state, at.NEXT_SERIAL)
    state[record + at.SERIAL] = state[at.NEXT_SERIAL]
    state[record + at.HEARS] = table[printed + at.CARD_EVENTS]
    state[record + at.SPELL_POWER] = table[printed + at.CARD_SPELL_DAMAGE]
    hear(state, table, printed)


@compiled(i64(Words, Words, i64, i64, i64))
def make_record(state: Any, table: Any, card: int, slot: int, owner: int) -> int:
    """A fresh record with the printed numbers of `card`; the spare one if none is free.

    The zones never need more than there are, but what is removed may, within one action.
    """
    n_free = state[at.N_FREE] - 1
    if n_free < 0:
        fail(state, at.FAULT_RECORDS)
        record = at.SPARE_RECORD
    else:
        state[at.N_FREE] = n_free
        record = state[at.FREE + n_free]
        state[at.USED_SIZE] = max(state[at.USED_SIZE], record + at.RECORD_SIZE)
    state[record + at.SLOT] = slot
    state[record + at.OWNER] = owner
    print_card(state, table, record, card)
    return record


@compiled(none(Words, i64))
def free_record(state: Any, record: int) -> None:
    """Give a record back; nothing may refer to it any more."""
    if record == at.SPARE_RECORD:
        return
    state[at.FREE + state[at.N_FREE]] = record
    state[at.N_FREE] += 1


@compiled(none(Words, i64, i64))
def enter_board(state: Any, zone: int, unit: int) -> None:
    """Put a unit on the right end of a board that has room."""
    append(state, zone, unit)
    state[unit + at.READY] = state[unit + at.KEYWORDS] & HASTE  # one attack at once, or none
