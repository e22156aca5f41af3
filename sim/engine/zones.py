"""Zones and records of a state; only this module adds, removes and moves items of zones."""

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
    """Return the offset of the record of the player in `seat`, which begins the player's block."""
    return at.SEATS + at.SEAT_SIZE * seat


@compiled(i64(i64))
def hand(seat: int) -> int:
    """Return the offset of the hand zone of `seat` in the state."""
    return at.SEATS + at.SEAT_SIZE * seat + at.HAND


@compiled(i64(i64))
def board(seat: int) -> int:
    """Return the offset of the board zone of `seat` in the state."""
    return at.SEATS + at.SEAT_SIZE * seat + at.BOARD


@compiled(i64(i64))
def secrets(seat: int) -> int:
    """Return the offset of the zone of hidden secrets of `seat` in the state."""
    return at.SEATS + at.SEAT_SIZE * seat + at.SECRETS


@compiled(none(Words, i64))
def check_record(state: Any, record: int) -> None:
    """Check, in the build with bounds checks only, that an offset belongs to a record with a card.

    A wrong offset may lie within the state, and a negative offset counts from its end, so that
    bounds checks alone would not detect it.

    Raises:
        IndexError: the offset belongs to no record, or its record has no card.
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
    """Check, in the build with bounds checks only, that a zone has an item at `position`.

    Raises:
        IndexError: the position is negative or beyond the zone's items.
    """
    if CHECKED and (position < 0 or position >= state[zone]):
        raise IndexError


@compiled(i64(Words, i64, i64))
def item(state: Any, zone: int, position: int) -> int:
    """Return the item at `position` of a zone, where position 0 holds the oldest item.

    Args:
        state: words of a game.
        zone: offset of the zone.
        position: number of items before the item, less than the zone's length.
    """
    _check_place(state, zone, position)
    return state[zone + 1 + position]


@compiled(i64(Words, i64, i64))
def position_of(state: Any, zone: int, entry: int) -> int:
    """Return the position of the item `entry` in a zone, or -1 if the zone does not contain it."""
    for position in range(state[zone]):
        if item(state, zone, position) == entry:
            return position
    return -1


@compiled(none(Words, i64, i64))
def append(state: Any, zone: int, entry: int) -> None:
    """Append an item at the right end of a zone that has space for it."""
    length = state[zone]
    state[zone + 1 + length] = entry
    state[zone] = length + 1


@compiled(none(Words, i64, i64))
def move_last(state: Any, zone: int, position: int) -> None:
    """Move the last item of a zone to `position`, and the items from there on one place right."""
    _check_place(state, zone, position)
    last = state[zone + state[zone]]
    for word in range(zone + state[zone], zone + 1 + position, -1):
        state[word] = state[word - 1]
    state[zone + 1 + position] = last


def _taker(capacity: int) -> Callable[[Any, int, int], int]:
    """Return the function that removes an item from a zone of the given capacity."""

    @compiled(i64(Words, i64, i64))
    def take(state: Any, zone: int, position: int) -> int:
        """Remove and return the item at `position` of a zone; later items move one place left.

        The number of words moved is the zone's capacity. A fixed count compiles to a few vector
        moves, while a loop to the zone's length costs a mispredicted branch. A draw took 24 ns with
        the loop and takes 7 ns. The padding behind each zone makes this safe.
        """
        _check_place(state, zone, position)
        entry = state[zone + 1 + position]
        for word in range(zone + 1 + position, zone + 1 + position + capacity):
            state[word] = state[word + 1]
        state[zone] -= 1
        return entry

    return take


take_from_deck: Callable[[Any, int, int], int] = _taker(DECK_CAPACITY)
take_from_hand: Callable[[Any, int, int], int] = _taker(HAND_CAPACITY)
take_from_board: Callable[[Any, int, int], int] = _taker(BOARD_CAPACITY)
take_from_secrets: Callable[[Any, int, int], int] = _taker(at.SECRET_CAPACITY)


@compiled(none(Words, Words, i64))
def add_heard_events(state: Any, table: Any, card: int) -> None:
    """Make the game record all events to which the card at offset `card` reacts."""
    state[at.HEARD] |= table[card + at.CARD_EVENTS]
    state[at.HEARD + 1] |= table[card + at.CARD_EVENTS + 1]


@compiled(none(Words, Words, i64, i64))
def print_card(state: Any, table: Any, record: int, card: int) -> None:
    """Reset a record to the printed numbers of `card`, with a new serial number.

    Only the record's deck slot and owner stay. The game is stopped as a fault if it has used up its
    serial numbers.
    """
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
    add_heard_events(state, table, printed)


@compiled(i64(Words, Words, i64, i64, i64))
def make_record(state: Any, table: Any, card: int, slot: int, owner: int) -> int:
    """Return a new record with the printed numbers of `card`.

    If no record is free, the game is stopped as a fault and the spare record is returned. There are
    enough records for all places of all zones, but an action that removes many cards can use up the
    free ones, since removed cards keep their records until it ends.

    Args:
        state: words of a game.
        table: card table of the game's variant.
        card: index of the card in the pool.
        slot: deck slot from which the card comes.
        owner: seat of the owner.
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
    """Add a record to the free records, unless it is the spare record.

    The caller guarantees that nothing refers to the record any more.
    """
    if record == at.SPARE_RECORD:
        return
    state[at.FREE + state[at.N_FREE]] = record
    state[at.N_FREE] += 1


@compiled(none(Words, i64, i64))
def enter_board(state: Any, zone: int, unit: int) -> None:
    """Append a unit to a board that has space; it may attack in this turn only with haste."""
    append(state, zone, unit)
    # HASTE is bit 0, so this is the number of attacks: 1 with haste, else 0.
    state[unit + at.READY] = state[unit + at.KEYWORDS] & HASTE
