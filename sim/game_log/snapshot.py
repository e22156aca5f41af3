"""Snapshots of the state of a card game, as Python objects."""

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
    """A card in hand, a minion on the board, a weapon or a secret, with its current numbers.

    Attributes:
        at: offset of the record in the state, which identifies the card as long as it exists.
        card: number of the card in the pool (`sim.cards.pool.Pool.number`).
        slot: deck slot of the card, or of the card that created it.
        cost: current mana cost.
        attack: current attack, including auras.
        health: remaining health of a minion, or durability of a weapon.
        keywords: current keywords, including those of auras.
        ready: number of attacks that a minion may still make in this turn.
        max_health: maximum health, up to which a minion can be healed; 0 for spells.
        serial: number that is unique in the game; a transformed minion gets a new number.
        is_frozen: whether a minion misses its next attack.
        is_silenced: whether the text of a minion has no effect.
        cost_change: permanent change of the mana cost, without auras.
        is_marked: whether the card will be replaced at the end of the mulligan.
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
    """State of one seat in a snapshot of a game.

    Attributes:
        life: life of the player.
        mana: mana that may still be spent in this turn.
        mana_cap: number of mana crystals, which is the mana at the beginning of a turn.
        fatigue: damage of the last draw from an empty deck.
        n_draws: number of random numbers that draws of this seat have used.
        n_cards_left: number of cards in the deck, without blank slots.
        hand: cards in the hand, from the oldest to the newest.
        board: minions on the board, from left to right.
        drawn_slots: deck slots that count as drawn in card statistics.
        deck: deck slots that have not left the deck.
        weapon: weapon of the player; `None` if the player has no weapon.
        power: number of the hero power; `BLANK` if the player has no hero power.
        armor: armour, which damage removes before life.
        lent_attack: attack of the player from effects and auras, without that of the weapon.
        keywords: keywords of the player.
        is_frozen: whether the player misses its next attack.
        overload_owed: mana that will be locked in the next turn.
        overload_locked: mana that is locked in this turn.
        power_used: whether the hero power was used in this turn.
        secrets: active secrets, from the oldest to the newest.
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
    """State of a card game at one moment.

    Attributes:
        result: the seat that won, or `DRAWN`, `FAULTED` or `RUNNING` of `sim.engine.layout`.
        active: seat to move.
        turn: number of the current turn, counted over both seats.
        n_actions: number of actions so far.
        seats: state of each seat.
        phase: phase of the game, as one of the `*_PHASE` constants of `sim.engine.layout`.
        choices: deck slots that the seat to move must choose from; empty if it has no choice.
    """

    result: int
    active: int
    turn: int
    n_actions: int
    seats: tuple[SeatSnapshot, ...]
    phase: int
    choices: tuple[int, ...]


def take_snapshot(state: Words16) -> Snapshot:
    """Return the snapshot of a game.

    Args:
        state: words of the state, shape ``[STATE_SIZE]``.
    """
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
    """Return the state of one seat as part of a snapshot."""
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
    """Return the records of a zone, such as a hand or board, in their order.

    Args:
        state: words of the state, shape ``[STATE_SIZE]``.
        zone: offset of the word with the zone's length; the offsets of its records follow it.
    """
    records = state[zone + 1 :][: state[zone]]
    return tuple(_record(state, int(record)) for record in records)


def _record(state: Words16, record: int) -> Record:
    """Return the record that begins at offset `record` of the state."""
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
