"""Laws of a state between two actions: limits, and the place of every card and record.

The checks read the state's words and share no code with the rules that wrote them. Each returns the
first broken law, or `KEPT`.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Vector, Words, compiled, i64, none
from sim.engine.zones import board, hand, item, player, secrets
from sim.ruleset import DECK_CAPACITY, N_SEATS
from tests.laws.law import KEPT, Law
from tests.laws.limits import (
    law_of_attachments,
    law_of_card,
    law_of_minion,
    law_of_player,
    law_of_record,
    require,
)

# --- notes: the memory of the checks during one game, in 64-bit words ---
N_PLACES = 0  # per record: number of places in which it was found
IN_DECK = at.MAX_RECORDS  # per seat and slot: how often the slot is in the deck
WAS_IN_DECK = IN_DECK + N_SEATS * DECK_CAPACITY
HELD = WAS_IN_DECK + N_SEATS * DECK_CAPACITY  # per seat and slot: number of records with both
WAS_HELD = HELD + N_SEATS * DECK_CAPACITY
OFFERED = WAS_HELD + N_SEATS * DECK_CAPACITY  # per seat and slot: whether it is among the choices
WAS_OFFERED = OFFERED + N_SEATS * DECK_CAPACITY
ASTRAY = WAS_OFFERED + N_SEATS * DECK_CAPACITY  # whether a card of the other seat's slot is here
STARTED = ASTRAY + N_SEATS * DECK_CAPACITY  # whether a state of this game has been seen
NOTES_SIZE = STARTED + 1


# --- zones ---


@compiled(none(Words, Vector, i64))
def _note_place(state: Any, notes: Any, record: int) -> None:
    """Count one more place for a record, if the offset is one of a record."""
    k = (record - at.RECORDS) // at.RECORD_SIZE
    if 0 <= k < at.MAX_RECORDS and record == at.RECORDS + at.RECORD_SIZE * k:
        notes[N_PLACES + k] += 1


@compiled(i64(Words, Words, Vector, i64, i64, i64, i64))
def _law_of_place(
    state: Any, table: Any, notes: Any, record: int, seat: int, zone: int, n_cards: int
) -> int:
    """Check a record that was found in a zone of a seat; returns the first broken law."""
    _note_place(state, notes, record)
    if state[record + at.ZONE] != zone or state[record + at.OWNER] != seat:
        return Law.ZONE_WORDS.value
    if state[record + at.SLOT] < DECK_CAPACITY:
        notes[HELD + DECK_CAPACITY * seat + state[record + at.SLOT]] += 1
    return law_of_record(state, table, record, n_cards)  # type: ignore[no-any-return]


@compiled(i64(Words, Words, Vector, i64, i64))
def _law_of_side(state: Any, table: Any, notes: Any, seat: int, n_cards: int) -> int:
    """Check a seat's records in hand, in play and among secrets; returns the first broken law."""
    for position in range(state[hand(seat)]):
        card = item(state, hand(seat), position)
        law = _law_of_place(state, table, notes, card, seat, at.IN_HAND, n_cards)
        if law == KEPT:
            law = law_of_card(state, card)
        if law != KEPT:
            return law
    for position in range(state[board(seat)]):
        minion = item(state, board(seat), position)
        law = _law_of_place(state, table, notes, minion, seat, at.IN_PLAY, n_cards)
        if law == KEPT and state[at.RESULT] == at.RUNNING:
            law = law_of_minion(state, minion)
        if law != KEPT:
            return law
    for position in range(state[secrets(seat)]):
        secret = item(state, secrets(seat), position)
        law = _law_of_place(state, table, notes, secret, seat, at.IN_SECRET, n_cards)
        if law != KEPT:
            return law
    weapon = state[player(seat) + at.WEAPON]
    if weapon == 0:
        return KEPT
    return _law_of_place(state, table, notes, weapon, seat, at.IN_PLAY, n_cards)  # type: ignore[no-any-return]


@compiled(i64(Words, i64, i64))
def _law_of_pair(state: Any, first: int, second: int) -> int:
    """Check that two records in use have different serials and, in play, different orders."""
    law = require(KEPT, state[first + at.SERIAL] != state[second + at.SERIAL], Law.SERIALS.value)
    both_in_play = state[first + at.ZONE] == at.IN_PLAY and state[second + at.ZONE] == at.IN_PLAY
    are_ordered = state[first + at.ORDER] != state[second + at.ORDER]
    return require(law, not both_in_play or are_ordered, Law.ORDERS.value)  # type: ignore[no-any-return]


@compiled(i64(Words, Vector, i64))
def _law_of_used_record(state: Any, notes: Any, k: int) -> int:
    """Check that a record in use differs from all used records before it."""
    record = at.RECORDS + at.RECORD_SIZE * k
    serial = state[record + at.SERIAL]
    order = state[record + at.ORDER]
    law = require(KEPT, 0 < serial <= state[at.NEXT_SERIAL], Law.SERIALS.value)
    law = require(law, 0 <= order <= state[at.NEXT_ORDER], Law.ORDERS.value)
    for j in range(k):
        if notes[N_PLACES + j] == 1 and law == KEPT:
            law = _law_of_pair(state, record, at.RECORDS + at.RECORD_SIZE * j)
    return law  # type: ignore[no-any-return]


@compiled(i64(Words, Vector))
def _law_of_records(state: Any, notes: Any) -> int:
    """Check that every record is in exactly one place."""
    for k in range(state[at.N_FREE]):
        _note_place(state, notes, state[at.FREE + k])
    for k in range(at.MAX_RECORDS):
        if notes[N_PLACES + k] != 1:
            return Law.ONE_PLACE.value
    for k in range(state[at.N_FREE]):  # what is left are the records in use
        notes[N_PLACES + (state[at.FREE + k] - at.RECORDS) // at.RECORD_SIZE] = 0
    law = KEPT
    for k in range(at.MAX_RECORDS):
        if notes[N_PLACES + k] == 1 and law == KEPT:
            law = _law_of_used_record(state, notes, k)
    return law


# --- cards of the decks ---


@compiled(i64(Words, Vector, i64))
def _law_of_deck(state: Any, notes: Any, seat: int) -> int:
    """Note the slots in a deck, and check the count of its cards."""
    leader = player(seat)
    n_cards = 0
    if not 0 <= state[leader + at.DECK] <= DECK_CAPACITY:
        return Law.DECK_SLOTS.value
    for position in range(state[leader + at.DECK]):
        slot = item(state, leader + at.DECK, position)
        if not 0 <= slot < DECK_CAPACITY:
            return Law.DECK_SLOTS.value
        notes[IN_DECK + DECK_CAPACITY * seat + slot] += 1
        n_cards += state[leader + at.CARD_OF_SLOT + slot] != at.BLANK
    return KEPT if n_cards == state[leader + at.N_CARDS_LEFT] else Law.CARDS_LEFT.value


@compiled(i64(Words, Vector))
def _law_of_choices(state: Any, notes: Any) -> int:
    """Note the slots that are offered to the active seat, and check their number."""
    if (state[at.CHOICES] > 0) != (state[at.PHASE] == at.CHOICE_PHASE):
        return Law.CHOICES.value
    if not 0 <= state[at.CHOICES] <= at.CHOICE_CAPACITY:
        return Law.CHOICES.value
    for k in range(state[at.CHOICES]):
        notes[OFFERED + DECK_CAPACITY * state[at.ACTIVE] + state[at.CHOICES + 1 + k]] += 1
    return KEPT


@compiled(i64(Words, Vector, i64, i64))
def _law_of_slot(before: Any, notes: Any, seat: int, slot: int) -> int:
    """Check that a deck's card moves from deck to hand and on, and never appears from nowhere.

    A card that another one makes has its maker's slot, and may belong to the other player. So a
    slot that appears may be one of the other seat's, which is then *astray*.
    """
    here = DECK_CAPACITY * seat + slot
    there = DECK_CAPACITY * (1 - seat) + slot
    in_deck = notes[IN_DECK + here]
    was_in_deck = notes[WAS_IN_DECK + here]
    held = notes[HELD + here]
    was_held = notes[WAS_HELD + here]
    if in_deck > 1:
        return Law.DECK_SLOTS.value
    is_dealt = notes[STARTED] == 0
    if in_deck > was_in_deck and not is_dealt and before[at.PHASE] != at.MULLIGAN_PHASE:
        return Law.NO_WAY_BACK.value
    is_drawn = is_dealt or was_in_deck > in_deck or notes[WAS_OFFERED + here] > 0
    if held > 0 and was_held == 0 and not is_drawn:
        if notes[WAS_HELD + there] == 0:
            return Law.FROM_NOWHERE.value
        notes[ASTRAY + here] = 1
    if held == 0:
        notes[ASTRAY + here] = 0
    if in_deck > 0 and held > 0 and notes[ASTRAY + here] == 0:
        return Law.TWO_PLACES.value
    if notes[OFFERED + here] > 1 or (notes[OFFERED + here] == 1 and in_deck > 0):
        return Law.CHOICES.value
    return KEPT


@compiled(none(Vector))
def _turn_page(notes: Any) -> None:
    """Keep the notes of the last state, and clear those of the present one."""
    for k in range(at.MAX_RECORDS):
        notes[N_PLACES + k] = 0
    for k in range(N_SEATS * DECK_CAPACITY):
        notes[WAS_IN_DECK + k] = notes[IN_DECK + k]
        notes[WAS_HELD + k] = notes[HELD + k]
        notes[WAS_OFFERED + k] = notes[OFFERED + k]
        notes[IN_DECK + k] = 0
        notes[HELD + k] = 0
        notes[OFFERED + k] = 0


@compiled(i64(Words, Words))
def _law_of_work(state: Any, table: Any) -> int:
    """Check that nothing waits and nothing has failed."""
    if state[at.FAULT] != 0:
        return Law.NO_FAULT.value
    if (
        state[at.N_TASKS] != 0
        or state[at.N_EVENTS] != 0
        or state[at.N_REMOVED] != 0
        or state[at.ATTACKER] != 0
    ):
        return Law.NOTHING_WAITS.value
    if not 0 <= state[at.N_FREE] <= at.MAX_RECORDS or state[at.N_ATTACKS] < 0:
        return Law.ONE_PLACE.value
    return KEPT


@compiled(i64(Words, Words, Words, Vector), apart=True)
def law_of_state(state: Any, table: Any, before: Any, notes: Any) -> int:
    """Return the first law that a state between two actions breaks, or `KEPT`.

    Args:
        state: the game.
        table: card table of its variant.
        before: the game before the last action, or `state` at the start.
        notes: ``[NOTES_SIZE]`` notes of this game; zero at its start, overwritten.
    """
    # The rows of the first card lie directly behind the last card.
    n_cards = (table[at.CARDS + at.CARD_ROWS] - at.CARDS) // at.CARD_SIZE
    _turn_page(notes)
    law = _law_of_work(state, table)
    for seat in range(N_SEATS):
        if law == KEPT:
            law = law_of_player(state, table, seat)
        if law == KEPT:
            law = _law_of_side(state, table, notes, seat, n_cards)
        if law == KEPT:
            law = _law_of_deck(state, notes, seat)
    if law == KEPT:
        law = _law_of_records(state, notes)
    if law == KEPT:
        law = law_of_attachments(state)
    if law == KEPT:
        law = _law_of_choices(state, notes)
    for place in range(N_SEATS * DECK_CAPACITY):
        if law == KEPT:
            law = _law_of_slot(before, notes, place // DECK_CAPACITY, place % DECK_CAPACITY)
    notes[STARTED] = 1
    return law
