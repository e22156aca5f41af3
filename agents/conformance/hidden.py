"""Hidden things, which a seat may not see, exchanged for something else that it could be."""

from __future__ import annotations

import numpy as np

from sim.engine import layout as at
from sim.engine.stepping import Words16, refresh_position
from sim.ruleset import DECK_CAPACITY

_PRINTED = {
    at.COST: at.CARD_COST,
    at.ATTACK: at.CARD_ATTACK,
    at.HEALTH: at.CARD_HEALTH,
    at.MAX_HEALTH: at.CARD_HEALTH,
    at.KEYWORDS: at.CARD_KEYWORDS,
    at.OWN_KEYWORDS: at.CARD_KEYWORDS,
}


def exchange_hidden(state: Words16, table: Words16, rng: np.random.Generator) -> Words16:
    """A state that the seat to move cannot tell from `state`; decks must hold no blanks.

    The enemy's hand and deck are dealt anew from the cards in both, but for what was given to
    the hand; the own deck is shuffled; and all draws and random effects to come, and the
    enemy's coming choices, are others.
    """
    other = state.copy()
    own = at.SEATS + at.SEAT_SIZE * int(state[at.ACTIVE])
    enemy = at.SEATS + at.SEAT_SIZE * (1 - int(state[at.ACTIVE]))
    rng.shuffle(other[own + at.DECK + 1 :][: other[own + at.DECK]])
    _deal_anew(other, table, 1 - int(state[at.ACTIVE]), rng)
    hidden = [
        block + stream for block in (own, enemy) for stream in (at.DRAW_STREAM, at.EFFECT_STREAM)
    ]
    for stream in (*hidden, enemy + at.AGENT_STREAM):
        other[stream : stream + 4] = rng.integers(-(2**15), 2**15, size=4)
    refresh_position(other, table)
    return other


def from_the_deck(state: Words16, seat: int) -> Words16:
    """The records in a hand whose cards were drawn; all others were given in plain sight."""
    block = at.SEATS + at.SEAT_SIZE * seat
    records = state[block + at.HAND + 1 :][: state[block + at.HAND]]
    taken = set(state[block + at.DECK + 1 :][: state[block + at.DECK]].tolist())
    drawn = []
    for record in records:
        slot = int(state[record + at.SLOT])
        if slot >= DECK_CAPACITY or slot in taken:
            continue
        if state[record + at.CARD] == state[block + at.CARD_OF_SLOT + slot]:
            taken.add(slot)
            drawn.append(record)
    return np.array(drawn, dtype=np.int16)


def _deal_anew(state: Words16, table: Words16, seat: int, rng: np.random.Generator) -> None:
    block = at.SEATS + at.SEAT_SIZE * seat
    records = from_the_deck(state, seat)
    deck = state[block + at.DECK + 1 :][: state[block + at.DECK]]
    marks = state[at.SEEN + DECK_CAPACITY * seat :][:DECK_CAPACITY]
    old_slots = np.concatenate([state[records + at.SLOT], deck])
    slots = rng.permutation(old_slots)
    marks[slots] = marks[old_slots]
    deck[:] = slots[len(records) :]
    for record, slot in zip(records, slots, strict=False):
        card = state[block + at.CARD_OF_SLOT + slot]
        row = at.CARDS + at.CARD_SIZE * card
        state[record + at.SLOT] = slot
        state[record + at.CARD] = card
        state[at.HEARD] |= table[row + at.CARD_EVENTS]
        for field, printed in _PRINTED.items():
            state[record + field] = table[row + printed]
        state[record + at.COST] = max(state[record + at.COST] + state[record + at.COST_CHANGE], 0)
