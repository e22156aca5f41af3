"""What must hold of a state between two actions: limits, and where every card and record is.

The checks read the state's words, and know nothing of how the rules came to write them. Each
returns the first law that it finds broken, `KEPT` if there is none.
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

# --- notes: what checks remember of a game, in 64-bit words ---
N_PLACES = 0  # of each record: in how many places it was found
IN_DECK = at.MAX_RECORDS  # of each seat's slots: how often it is in the deck
WAS_IN_DECK = IN_DECK + N_SEATS * DECK_CAPACITY
HELD = WAS_IN_DECK + N_SEATS * DECK_CAPACITY  # records with this slot and owner
WAS_HELD = HELD + N_SEATS * DECK_CAPACITY
OFFERED = WAS_HELD + N_SEATS * DECK_CAPACITY  # whether it is among the choices
WAS_OFFERED = OFFERED + N_SEATS * DECK_CAPACITY
ASTRAY = WAS_OFFERED + N_SEATS * DECK_CAPACITY  # whether a card of the other seat's slot is here
STARTED = ASTRAY + N_SEATS * DECK_CAPACITY  # whether a state of this game has been seen
NOTES_SIZE = STARTED + 1


# --- zones ---


@compiled(none(Words, Vector, i64))
def _note_place(state: Any, notes: Any, record: int) -> None:
    k = (record - at.RECORDS) // at.RECORD_SIZE
    if 0 <= k < at.MAX_RECORDS and record == at.RECORDS + at.RECORD_SIZE * k:
        notes[N_PLACES + k] += 1


@compiled(i64(Words, Words, Vector, i64, i64, i64, i64))
def _law_of_place(
    state: Any, table: Any, notes: Any, record: int, seat: int, zone: int, n_cards: int
) -> int:
    """A record that was found in a zone of a seat."""
    _note_place(state, notes, record)
    if state[record + at.ZONE] != zone or state[record + at.OWNER] != seat:
        return Law.ZONE_WORDS.value
    if state[record + at.SLOT] < DECK_CAPACITY:
        notes[HELD + DECK_CAPACITY * seat + state[record + at.SLOT]] += 1
    return law_of_record(state, table, record, n_cards)  # type: ignore[no-any-return]


@compiled(i64(Words, Words, Vector, i64, i64))
def _law_of_side(state: Any, table: Any, notes: Any, seat: int, n_cards: int) -> int:
    """Everything that a seat has in its hand and in play."""
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
def _law_of_pair(state: Any, one: int, other: int) -> int:
    """Two records in use are told apart."""
    law = require(KEPT, state[one + at.SERIAL] != state[other + at.SERIAL], Law.SERIALS.value)
    both_in_play = state[one + at.ZONE] == at.IN_PLAY and state[other + at.ZONE] == at.IN_PLAY
    are_ordered = state[one + at.ORDER] != state[other + at.ORDER]
    return require(law, not both_in_play or are_ordered, Law.ORDERS.value)  # type: ignore[no-any-return]


@compiled(i64(Words, Vector, i64))
def _law_of_used_record(state: Any, notes: Any, k: int) -> int:
    """A record in use is told from those before it."""
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
    """Every record is in exactly one place."""
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
    """Note which slots are in the deck, and count its cards."""
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
    """Note what is offered to the active seat."""
    if (state[at.CHOICES] > 0) != (state[at.PHASE] == at.CHOICE_PHASE):
        return Law.CHOICES.value
    if not 0 <= state[at.CHOICES] <= at.CHOICE_CAPACITY:
        return Law.CHOICES.value
    for k in range(state[at.CHOICES]):
        notes[OFFERED + DECK_CAPACITY * state[at.ACTIVE] + state[at.CHOICES + 1 + k]] += 1
    return KEPT


@compiled(i64(Words, Vector, i64, i64))
def _law_of_slot(before: Any, notes: Any, seat: int, slot: int) -> int:
    """A card of a deck goes from the deck to a hand and on, and never comes from nowhere.

    What a card makes has its maker's slot, and may belong to the other player. So a slot that
    turns up may be one of the other seat's cards, which is then *astray*.
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
    """What is the case becomes what was the case."""
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
    """Nothing waits, nothing has failed."""
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
    """The first law that a state between two actions breaks.

    Args:
        state: the game.
        table: the numbers.
        before: the game as it was before the last action, or the same as `state` at the start.
        notes: ``[NOTES_SIZE]`` of this game; zero at its start, rewritten here.
    """
    n_cards = (
        table[at.CARDS + at.CARD_ROWS] - at.CARDS
    ) // at.CARD_SIZE  # rows lie behind the last card
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
