"""A game's state as Python objects: what a person, or a test, wants to read of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.ruleset import DECK_CAPACITY, N_SEATS

Words16 = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Record:
    """A card in hand, a unit on the board or a weapon; numbers are those that hold now.

    Attributes:
        at: where it lies in the state; tells it from others as long as it lives.
        card: its number in the pool (`sim.cards.pool.Pool.number`).
        slot: deck slot that it, or its maker, came from.
        cost: mana to play it.
        attack: auras included.
        health: what is left; a weapon's durability.
        keywords: all that hold, auras included.
        ready: attacks that it may make.
        max_health: where healing stops.
        serial: tells it from all others of the game; a transformed minion has another.
        is_frozen: whether it misses its next attack.
        is_silenced: whether its text is void.
        cost_change: what has been added to its cost for good.
        is_marked: whether it is to be replaced at the end of the mulligan.
    """

    at: int
    card: int
    slot: int
    cost: int
    attack: int
    health: int
    keywords: Keyword
    ready: int
    max_health: int
    serial: int
    is_frozen: bool
    is_silenced: bool
    cost_change: int
    is_marked: bool


@dataclass(frozen=True)
class SeatSnapshot:
    """What belongs to one seat; the hand from the oldest card, the board from the left.

    Attributes:
        life: of the player.
        mana: what may still be spent in this turn.
        mana_cap: what it is refilled to.
        fatigue: damage of the last draw from an empty deck.
        n_draws: numbers taken from the draw stream.
        n_cards_left: cards in the deck, blanks not counted.
        hand: its cards.
        board: its units.
        drawn_slots: deck slots marked as drawn, for the statistics of cards.
        deck: slots that are still in the deck.
        weapon: what the player wields, if anything.
        power: number of the hero power, `BLANK` for none.
        armor: what is lost before life.
        lent_attack: what the player attacks with besides the weapon.
        keywords: the player's own.
        is_frozen: whether the player misses an attack.
        overload_owed: mana that will be locked in the next turn.
        overload_locked: mana that is locked in this one.
        power_used: whether the hero power has been used in this turn.
        secrets: those that wait, from the oldest.
    """

    life: int
    mana: int
    mana_cap: int
    fatigue: int
    n_draws: int
    n_cards_left: int
    hand: tuple[Record, ...]
    board: tuple[Record, ...]
    drawn_slots: frozenset[int]
    deck: frozenset[int]
    weapon: Record | None
    power: int
    armor: int
    lent_attack: int
    keywords: Keyword
    is_frozen: bool
    overload_owed: int
    overload_locked: int
    power_used: bool
    secrets: tuple[Record, ...]


@dataclass(frozen=True)
class Snapshot:
    """One moment of a game; `result` and `phase` are those of `sim.engine.layout`.

    `choices` are the deck slots that the seat to move must choose from, if any.
    """

    result: int
    active: int
    turn: int
    n_actions: int
    seats: tuple[SeatSnapshot, ...]
    phase: int
    choices: tuple[int, ...]


def take_snapshot(state: Words16) -> Snapshot:
    """Read ``[STATE_SIZE]`` words."""
    return Snapshot(
        result=int(state[at.RESULT]),
        active=int(state[at.ACTIVE]),
        turn=int(state[at.TURN]),
        n_actions=int(state[at.N_ACTIONS]),
        seats=tuple(_seat(state, seat) for seat in range(N_SEATS)),
        phase=int(state[at.PHASE]),
        choices=tuple(state[at.CHOICES + 1 :][: state[at.CHOICES]].tolist()),
    )


def _seat(state: Words16, seat: int) -> SeatSnapshot:
    block = at.SEATS + at.SEAT_SIZE * seat
    marks = state[at.SEEN + DECK_CAPACITY * seat :][:DECK_CAPACITY] & (
        at.SEEN_OPENING | at.SEEN_LATER
    )
    weapon = int(state[block + at.WEAPON])
    return SeatSnapshot(
        life=int(state[block + at.HEALTH]),
        mana=int(state[block + at.MANA]),
        mana_cap=int(state[block + at.MANA_CAP]),
        fatigue=int(state[block + at.FATIGUE]),
        n_draws=int(state[block + at.N_DRAWS]),
        n_cards_left=int(state[block + at.N_CARDS_LEFT]),
        hand=_zone(state, block + at.HAND),
        board=_zone(state, block + at.BOARD),
        drawn_slots=frozenset(np.flatnonzero(marks).tolist()),
        deck=frozenset(state[block + at.DECK + 1 :][: state[block + at.DECK]].tolist()),
        weapon=_record(state, weapon) if weapon else None,
        power=int(state[block + at.CARD]),
        armor=int(state[block + at.ARMOR]),
        lent_attack=int(state[block + at.TURN_ATTACK] + state[block + at.AURA_ATTACK]),
        keywords=Keyword(int(state[block + at.KEYWORDS])),
        is_frozen=bool(state[block + at.STATUS] & at.IS_FROZEN),
        overload_owed=int(state[block + at.OVERLOAD_OWED]),
        overload_locked=int(state[block + at.OVERLOAD_LOCKED]),
        power_used=bool(state[block + at.POWER_USED]),
        secrets=_zone(state, block + at.SECRETS),
    )


def _zone(state: Words16, zone: int) -> tuple[Record, ...]:
    records = state[zone + 1 :][: state[zone]]
    return tuple(_record(state, int(record)) for record in records)


def _record(state: Words16, record: int) -> Record:
    return Record(
        at=record,
        card=int(state[record + at.CARD]),
        slot=int(state[record + at.SLOT]),
        cost=int(state[record + at.COST]),
        attack=int(state[record + at.ATTACK]),
        health=int(state[record + at.HEALTH]),
        keywords=Keyword(int(state[record + at.KEYWORDS])),
        ready=int(state[record + at.READY]),
        max_health=int(state[record + at.MAX_HEALTH]),
        serial=int(state[record + at.SERIAL]),
        is_frozen=bool(state[record + at.STATUS] & at.IS_FROZEN),
        is_silenced=bool(state[record + at.STATUS] & at.IS_SILENCED),
        cost_change=int(state[record + at.COST_CHANGE]),
        is_marked=bool(state[record + at.STATUS] & at.IS_MARKED),
    )
