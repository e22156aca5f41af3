"""Copies: fresh ones of a card, and exact ones of what is in play."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.draws import put_into_hand
from sim.engine.general.attachments import attach_the_same, detach_all
from sim.engine.general.groups import is_in_deck, is_in_play, number_of
from sim.engine.general.moves import summon
from sim.engine.layout import (
    BOARD_CHANGED,
    BOARD_IS_NEW,
    BOARD_LIMIT,
    CARD,
    IS_BORROWED,
    IS_NEW,
    N_MADE,
    ORDER,
    OWNER,
    PREVIOUS,
    READY,
    RECORD_SIZE,
    SERIAL,
    SLOT,
    STATUS,
    ZONE,
)
from sim.engine.zones import board, print_card

_ITS_OWN = (READY, SLOT, OWNER, ORDER, SERIAL, ZONE, N_MADE)  # what no copy takes over


@compiled(none(Words, Words, i64, i64))
def imitate(state: Any, table: Any, original: int, copy: int) -> None:
    """Make a minion in play like another: its numbers, damage, keywords and attachments."""
    for at in range(RECORD_SIZE):
        if at not in _ITS_OWN:
            state[copy + at] = state[original + at]
    state[copy + STATUS] = (state[copy + STATUS] & ~IS_BORROWED) | IS_NEW
    attach_the_same(state, table, original, copy)
    state[BOARD_CHANGED] = BOARD_IS_NEW


@compiled(none(Words, Words, i64, i64))
def clone(state: Any, table: Any, maker: int, member: int) -> None:
    """Summon a copy for the maker's side: exact of what is in play, else fresh."""
    seat = state[maker + OWNER]
    if state[board(seat)] >= table[BOARD_LIMIT]:
        return
    summon(state, table, maker, seat, number_of(state, member), 0)
    if not is_in_deck(member) and is_in_play(state, member):
        imitate(state, table, member, state[PREVIOUS])


@compiled(none(Words, Words, i64, i64))
def become(state: Any, table: Any, minion: int, original: int) -> None:
    """Turn a minion in play into an exact copy of another."""
    order, zone = state[minion + ORDER], state[minion + ZONE]
    detach_all(state, minion)
    print_card(state, table, minion, state[original + CARD])
    state[minion + ORDER], state[minion + ZONE] = order, zone
    imitate(state, table, original, minion)


@compiled(none(Words, Words, i64, i64, i64))
def copy_into_hand(state: Any, table: Any, maker: int, member: int, seat: int) -> None:
    """Put a fresh copy of a card into a hand; one that finds it full is lost."""
    record = put_into_hand(state, table, number_of(state, member), state[maker + SLOT], seat)
    if record != 0:
        state[PREVIOUS] = record
