"""Drawing cards: which one comes, and what happens when none is left."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.endings import settle
from sim.engine.layout import (
    BLANK,
    CARD_OF_SLOT,
    DECK,
    DECK_OUT,
    DRAW_STREAM,
    FATIGUE,
    HAND_LIMIT,
    HEALTH,
    N_CARDS_LEFT,
    N_DRAWS,
    RESULT,
    SEEN,
    SEEN_LATER,
    SEEN_OPENING,
    TURN,
)
from sim.engine.streams import load64, pick
from sim.engine.zones import append, hand, make_record, player, take_from_deck
from sim.ruleset import DECK_CAPACITY


@compiled(i64(Words, i64))
def _draw_slot(state: Any, drawer: int) -> int:
    """Take the k-th remaining slot, k from the seat's draw stream; blanks are drawn over.

    A blank keeps its place among the remaining slots until it comes up, so leaving a card out
    shifts no other draw.
    """
    stream = load64(state, drawer + DRAW_STREAM)
    while True:
        state[drawer + N_DRAWS] += 1
        k = pick(stream, state[drawer + N_DRAWS], state[drawer + DECK])
        slot = take_from_deck(state, drawer + DECK, k)
        if state[drawer + CARD_OF_SLOT + slot] != BLANK:
            return slot


@compiled(none(Words, Words, i64))
def _draw_from_nothing(state: Any, table: Any, seat: int) -> None:
    if table[DECK_OUT]:
        state[player(seat) + FATIGUE] += 1
        state[player(seat) + HEALTH] -= state[player(seat) + FATIGUE]
        settle(state)
    else:
        state[RESULT] = 1 - seat


@compiled(none(Words, Words, i64))
def draw_card(state: Any, table: Any, seat: int) -> None:
    """Draw one card; one that finds the hand full is destroyed.

    A draw from an empty deck costs what the ruleset says: the game, or fatigue damage.
    """
    drawer = player(seat)
    if state[drawer + N_CARDS_LEFT] == 0:
        _draw_from_nothing(state, table, seat)
        return
    slot = _draw_slot(state, drawer)
    state[drawer + N_CARDS_LEFT] -= 1
    state[SEEN + DECK_CAPACITY * seat + slot] = SEEN_LATER if state[TURN] else SEEN_OPENING
    if state[hand(seat)] < table[HAND_LIMIT]:
        card = state[drawer + CARD_OF_SLOT + slot]
        append(state, hand(seat), make_record(state, table, card, slot, seat))
