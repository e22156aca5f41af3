"""What a seat may not see, exchanged for something else that it could be."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.engine.layout import (
    ACTIVE,
    AGENT_STREAM,
    ATTACK,
    CARD,
    CARD_ATTACK,
    CARD_COST,
    CARD_EVENTS,
    CARD_HEALTH,
    CARD_KEYWORDS,
    CARD_OF_SLOT,
    CARD_SIZE,
    CARDS,
    COST,
    COST_CHANGE,
    DECK,
    DRAW_STREAM,
    EFFECT_STREAM,
    HAND,
    HEALTH,
    HEARD,
    KEYWORDS,
    MAX_HEALTH,
    OWN_KEYWORDS,
    SEAT_SIZE,
    SEATS,
    SEEN,
    SLOT,
)
from sim.engine.stepping import refresh_position
from sim.ruleset import DECK_CAPACITY

Words16 = npt.NDArray[np.int16]
_PRINTED = {
    COST: CARD_COST,
    ATTACK: CARD_ATTACK,
    HEALTH: CARD_HEALTH,
    MAX_HEALTH: CARD_HEALTH,
    KEYWORDS: CARD_KEYWORDS,
    OWN_KEYWORDS: CARD_KEYWORDS,
}


def exchange_hidden(state: Words16, table: Words16, rng: np.random.Generator) -> Words16:
    """A state that the seat to move cannot tell from `state`; decks must hold no blanks.

    The enemy's hand and deck are dealt anew from the cards in both, but for what was given to
    the hand; the own deck is shuffled; and all draws and random effects to come, and the
    enemy's coming choices, are others.
    """
    other = state.copy()
    own = SEATS + SEAT_SIZE * int(state[ACTIVE])
    enemy = SEATS + SEAT_SIZE * (1 - int(state[ACTIVE]))
    rng.shuffle(other[own + DECK + 1 :][: other[own + DECK]])
    _deal_anew(other, table, 1 - int(state[ACTIVE]), rng)
    hidden = [block + stream for block in (own, enemy) for stream in (DRAW_STREAM, EFFECT_STREAM)]
    for stream in (*hidden, enemy + AGENT_STREAM):
        other[stream : stream + 4] = rng.integers(-(2**15), 2**15, size=4)
    refresh_position(other, table)
    return other


def from_the_deck(state: Words16, seat: int) -> Words16:
    """The records in a hand whose cards were drawn; all others were given in plain sight."""
    block = SEATS + SEAT_SIZE * seat
    records = state[block + HAND + 1 :][: state[block + HAND]]
    taken = set(state[block + DECK + 1 :][: state[block + DECK]].tolist())
    drawn = []
    for record in records:
        slot = int(state[record + SLOT])
        if slot >= DECK_CAPACITY or slot in taken:
            continue
        if state[record + CARD] == state[block + CARD_OF_SLOT + slot]:
            taken.add(slot)
            drawn.append(record)
    return np.array(drawn, dtype=np.int16)


def _deal_anew(state: Words16, table: Words16, seat: int, rng: np.random.Generator) -> None:
    block = SEATS + SEAT_SIZE * seat
    records = from_the_deck(state, seat)
    deck = state[block + DECK + 1 :][: state[block + DECK]]
    marks = state[SEEN + DECK_CAPACITY * seat :][:DECK_CAPACITY]
    old_slots = np.concatenate([state[records + SLOT], deck])
    slots = rng.permutation(old_slots)
    marks[slots] = marks[old_slots]
    deck[:] = slots[len(records) :]
    for record, slot in zip(records, slots, strict=False):
        card = state[block + CARD_OF_SLOT + slot]
        row = CARDS + CARD_SIZE * card
        state[record + SLOT] = slot
        state[record + CARD] = card
        state[HEARD] |= table[row + CARD_EVENTS]
        for field, printed in _PRINTED.items():
            state[record + field] = table[row + printed]
        state[record + COST] = max(state[record + COST] + state[record + COST_CHANGE], 0)
