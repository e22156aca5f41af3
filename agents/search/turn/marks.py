"""Marks of positions: 64 bits by which a search knows that two orders of actions meet.

What counts is what stands on the boards and in the own hand, in whatever order, and the players.
The order itself, serial numbers and the counters of luck are left out.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, u64
from sim.engine.streams import GAMMA, MASK64, load64, mix64
from sim.engine.zones import board, hand, item, player, secrets

_NO_SLOT = 0x0000FFFFFFFFFFFF  # the slot is the last of its four words: twins are as good


@compiled(u64(u64, u64))
def _join(mark: int, words: int) -> int:
    """A mark and four more words as one mark."""
    return mix64(((mark ^ words) * GAMMA) & MASK64)


@compiled(u64(i64))
def _unsigned(word: int) -> int:
    return word & 0xFFFF


@compiled(u64(Words, i64))
def _mark_of_record(state: Any, record: int) -> int:
    """What a card or a minion is now."""
    mark = _join(load64(state, record + at.CARD), load64(state, record + at.MAX_HEALTH) & _NO_SLOT)
    lent = load64(state, record + at.TURN_KEYWORDS)  # and the words behind: for a turn or by auras
    mark = _join(_join(mark, lent), load64(state, record + at.OWNER) & 0xFFFFFFFF)
    mark = _join(mark, _unsigned(state[record + at.HEARS]))
    for k in range(state[at.N_ATTACHED]):
        if state[at.ATTACHED + 2 * k] == record:
            mark = _join(mark, _unsigned(state[at.ATTACHED + 2 * k + 1]))
    return mark


@compiled(u64(Words, i64))
def _mark_of_zone(state: Any, zone: int) -> int:
    """What stands in a zone, in whatever order."""
    mark = _unsigned(state[zone])
    for position in range(state[zone]):
        mark = (mark + _mark_of_record(state, item(state, zone, position))) & MASK64
    return mark


@compiled(u64(Words, i64))
def _mark_of_player(state: Any, seat: int) -> int:
    """A player, its mana and what it may still do; of the deck, how many cards are left."""
    leader = player(seat)
    mark = _join(load64(state, leader + at.CARD), load64(state, leader + at.MAX_HEALTH))
    mark = _join(mark, load64(state, leader + at.OWNER) & 0xFFFFFFFF)
    mark = _join(mark, load64(state, leader + at.MANA) & 0xFFFFFFFF)
    mark = _join(mark, load64(state, leader + at.N_CARDS_LEFT))
    mark = _join(mark, load64(state, leader + at.POWER_USED))
    mark = _join(mark, load64(state, leader + at.NEXT_SPELL))
    mark = _join(mark, _unsigned(state[secrets(seat)]))
    weapon = state[leader + at.WEAPON]
    return mark if weapon == 0 else _join(mark, _mark_of_record(state, weapon))


@compiled(u64(Words, i64), apart=True)
def mark_of(state: Any, seat: int) -> int:
    """The mark of a position in the turn of `seat`."""
    mark = _join(_mark_of_player(state, 0), _mark_of_player(state, 1))
    mark = _join(mark, _mark_of_zone(state, board(0)))
    mark = _join(mark, _mark_of_zone(state, board(1)))
    mark = _join(mark, _mark_of_zone(state, hand(seat)))
    if state[at.CHOICES] > 0:
        mark = _join(mark, load64(state, at.CHOICES))
    return mark
