"""Drawing cards: the choice of the next card, and the cost of a draw from an empty deck."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import add, settle
from sim.engine.general.changes import lose_life
from sim.engine.streams import load64, pick
from sim.engine.zones import append, hand, make_record, player, position_of, take_from_deck
from sim.ruleset import DECK_CAPACITY


@compiled(i64(Words, i64))
def draw_slot(state: Any, drawer: int) -> int:
    """Remove the next card from the deck and return its deck slot, drawing again after a blank.

    The next card is the k-th remaining slot, with k from the seat's draw stream, or the first slot
    while the top of the deck is known. A blank keeps its place among the remaining slots until it
    is drawn, so leaving a card out of a deck shifts no other draw.

    Args:
        state: words of a game.
        drawer: record of a player with at least one card in the deck.
    """
    state[drawer + at.N_CARDS_LEFT] -= 1
    stream = load64(state, drawer + at.DRAW_STREAM)
    while True:
        if state[drawer + at.N_KNOWN_TOP] > 0:
            state[drawer + at.N_KNOWN_TOP] -= 1
            k = 0
        else:
            state[drawer + at.N_DRAWS] += 1
            k = pick(stream, state[drawer + at.N_DRAWS], state[drawer + at.DECK])
        slot = take_from_deck(state, drawer + at.DECK, k)
        if state[drawer + at.CARD_OF_SLOT + slot] != at.BLANK:
            return slot


@compiled(none(Words, Words, i64))
def _draw_from_nothing(state: Any, table: Any, seat: int) -> None:
    """Apply the ruleset's cost of a draw from an empty deck: the game is lost, or fatigue damage.

    Fatigue damage grows by 1 with each such draw. If the ruleset applies deaths after each effect
    row, lethal fatigue ends the game at once.
    """
    if table[at.DECK_OUT]:
        drawer = player(seat)
        add(state, drawer + at.FATIGUE, 1)
        lose_life(state, drawer, state[drawer + at.FATIGUE])
        if table[at.DEATHS] == 0:
            settle(state)
    elif state[at.RESULT] == at.RUNNING:
        state[at.RESULT] = 1 - seat


@compiled(i64(Words, Words, i64, i64, i64))
def put_into_hand(state: Any, table: Any, card: int, slot: int, seat: int) -> int:
    """Put a new record of `card` into a hand and return the record, or 0 if the hand is full.

    Args:
        state: words of a game.
        table: card table of the game's variant.
        card: index of the card in the pool.
        slot: deck slot from which the card comes.
        seat: seat of the hand's player.
    """
    if state[hand(seat)] >= table[at.HAND_LIMIT]:
        return 0
    record = make_record(state, table, card, slot, seat)
    state[record + at.ZONE] = at.IN_HAND
    append(state, hand(seat), record)
    return record


@compiled(i64(Words, Words, i64, i64))
def take_into_hand(state: Any, table: Any, seat: int, slot: int) -> int:
    """Put the card of a deck slot into the hand and return its record, or 0 if the hand is full."""
    card = state[player(seat) + at.CARD_OF_SLOT + slot]
    return put_into_hand(state, table, card, slot, seat)


@compiled(i64(Words, Words, i64))
def draw_card(state: Any, table: Any, seat: int) -> int:
    """Draw one card and return its record, or 0 if the deck is empty or the hand is full.

    A card drawn into a full hand is destroyed. A draw from an empty deck loses the game or deals
    fatigue damage, as the ruleset says.
    """
    drawer = player(seat)
    if state[drawer + at.N_CARDS_LEFT] == 0:
        _draw_from_nothing(state, table, seat)
        return 0
    slot = draw_slot(state, drawer)
    state[at.SEEN + DECK_CAPACITY * seat + slot] = (
        at.SEEN_LATER if state[at.TURN] else at.SEEN_OPENING
    )
    return take_into_hand(state, table, seat, slot)


@compiled(i64(Words, Words, i64, i64))
def search_deck(state: Any, table: Any, seat: int, slot: int) -> int:
    """Draw the card of a given slot from the deck and return its record.

    Returns:
        The record; 0 if the slot is no longer in the deck, or if the hand is full and the card is
        destroyed.
    """
    drawer = player(seat)
    deck = drawer + at.DECK
    position = position_of(state, deck, slot)
    if position < 0:  # drawn after the effect row chose this slot
        return 0
    take_from_deck(state, deck, position)
    state[drawer + at.N_CARDS_LEFT] -= 1
    state[drawer + at.N_KNOWN_TOP] -= position < state[drawer + at.N_KNOWN_TOP]
    state[at.SEEN + DECK_CAPACITY * seat + slot] = at.SEEN_LATER
    return take_into_hand(state, table, seat, slot)
