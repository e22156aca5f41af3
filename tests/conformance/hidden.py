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
    CARD_HEALTH,
    CARD_KEYWORDS,
    CARD_OF_SLOT,
    CARD_SIZE,
    CARDS,
    COST,
    DECK,
    DRAW_STREAM,
    HAND,
    HEALTH,
    KEYWORDS,
    MAX_HEALTH,
    SEAT_SIZE,
    SEATS,
    SEEN,
    SLOT,
)
from sim.ruleset import DECK_CAPACITY

Words16 = npt.NDArray[np.int16]
_PRINTED = {
    COST: CARD_COST,
    ATTACK: CARD_ATTACK,
    HEALTH: CARD_HEALTH,
    MAX_HEALTH: CARD_HEALTH,
    KEYWORDS: CARD_KEYWORDS,
}


def exchange_hidden(state: Words16, table: Words16, rng: np.random.Generator) -> Words16:
    """A state that the seat to move cannot tell from `state`; decks must hold no blanks.

    The enemy's hand and deck are dealt anew from the cards in both, the own deck is shuffled,
    and all draws to come, and the enemy's coming choices, are others.
    """
    other = state.copy()
    own = SEATS + SEAT_SIZE * int(state[ACTIVE])
    enemy = SEATS + SEAT_SIZE * (1 - int(state[ACTIVE]))
    rng.shuffle(other[own + DECK + 1 :][: other[own + DECK]])
    _deal_anew(other, table, 1 - int(state[ACTIVE]), rng)
    for stream in (own + DRAW_STREAM, enemy + DRAW_STREAM, enemy + AGENT_STREAM):
        other[stream : stream + 4] = rng.integers(-(2**15), 2**15, size=4)
    return other


def _deal_anew(state: Words16, table: Words16, seat: int, rng: np.random.Generator) -> None:
    block = SEATS + SEAT_SIZE * seat
    records = state[block + HAND + 1 :][: state[block + HAND]]
    deck = state[block + DECK + 1 :][: state[block + DECK]]
    marks = state[SEEN + DECK_CAPACITY * seat :][:DECK_CAPACITY]
    old_slots = np.concatenate([state[records + SLOT], deck])
    slots = rng.permutation(old_slots)
    marks[slots] = marks[old_slots]
    deck[:] = slots[len(records) :]
    for record, slot in zip(records, slots, strict=False):
        card = state[block + CARD_OF_SLOT + slot]
        state[record + SLOT] = slot
        state[record + CARD] = card
        for field, printed in _PRINTED.items():
            state[record + field] = table[CARDS + CARD_SIZE * card + printed]
