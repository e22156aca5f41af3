"""A game's state as Python objects: what a person, or a test, wants to read of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.engine.layout import (
    ACTIVE,
    ATTACK,
    BOARD,
    CARD,
    COST,
    FATIGUE,
    HAND,
    HEALTH,
    KEYWORDS,
    MANA,
    MANA_CAP,
    N_ACTIONS,
    N_CARDS_LEFT,
    N_DRAWS,
    READY,
    RESULT,
    SEAT_SIZE,
    SEATS,
    SEEN,
    SEEN_LATER,
    SEEN_OPENING,
    SLOT,
    TURN,
)
from sim.ruleset import DECK_CAPACITY, N_SEATS
from sim.vocabulary import Keyword

Words16 = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Record:
    """A card in hand or a unit on the board; `at` tells it from others as long as it lives."""

    at: int
    card: int
    slot: int
    cost: int
    attack: int
    health: int
    keywords: Keyword
    ready: int


@dataclass(frozen=True)
class SeatSnapshot:
    """What belongs to one seat; hand and board from the oldest to the newest."""

    life: int
    mana: int
    mana_cap: int
    fatigue: int
    n_draws: int
    n_cards_left: int
    hand: tuple[Record, ...]
    board: tuple[Record, ...]
    drawn_slots: frozenset[int]


@dataclass(frozen=True)
class Snapshot:
    """One moment of a game; `result` is that of `sim.engine.layout`."""

    result: int
    active: int
    turn: int
    n_actions: int
    seats: tuple[SeatSnapshot, ...]


def take_snapshot(state: Words16) -> Snapshot:
    """Read ``[STATE_SIZE]`` words."""
    return Snapshot(
        result=int(state[RESULT]),
        active=int(state[ACTIVE]),
        turn=int(state[TURN]),
        n_actions=int(state[N_ACTIONS]),
        seats=tuple(_seat(state, seat) for seat in range(N_SEATS)),
    )


def _seat(state: Words16, seat: int) -> SeatSnapshot:
    block = SEATS + SEAT_SIZE * seat
    marks = state[SEEN + DECK_CAPACITY * seat :][:DECK_CAPACITY] & (SEEN_OPENING | SEEN_LATER)
    return SeatSnapshot(
        life=int(state[block + HEALTH]),
        mana=int(state[block + MANA]),
        mana_cap=int(state[block + MANA_CAP]),
        fatigue=int(state[block + FATIGUE]),
        n_draws=int(state[block + N_DRAWS]),
        n_cards_left=int(state[block + N_CARDS_LEFT]),
        hand=_zone(state, block + HAND),
        board=_zone(state, block + BOARD),
        drawn_slots=frozenset(np.flatnonzero(marks).tolist()),
    )


def _zone(state: Words16, zone: int) -> tuple[Record, ...]:
    records = state[zone + 1 :][: state[zone]]
    return tuple(_record(state, int(at)) for at in records)


def _record(state: Words16, at: int) -> Record:
    return Record(
        at=at,
        card=int(state[at + CARD]),
        slot=int(state[at + SLOT]),
        cost=int(state[at + COST]),
        attack=int(state[at + ATTACK]),
        health=int(state[at + HEALTH]),
        keywords=Keyword(int(state[at + KEYWORDS])),
        ready=int(state[at + READY]),
    )
