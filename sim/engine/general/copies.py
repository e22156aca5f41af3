"""Exact copies of what is in play."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.attachments import attach_the_same
from sim.engine.general.groups import is_in_deck, is_in_play, number_of
from sim.engine.general.moves import summon, transform
from sim.engine.zones import board

_ITS_OWN = (
    at.READY,
    at.SLOT,
    at.OWNER,
    at.ORDER,
    at.SERIAL,
    at.ZONE,
    at.N_MADE,
)  # what no copy takes over


@compiled(none(Words, Words, i64, i64))
def imitate(state: Any, table: Any, original: int, copy: int) -> None:
    """Make a minion in play like another: its numbers, damage, keywords and attachments."""
    for word in range(at.RECORD_SIZE):
        if word not in _ITS_OWN:
            state[copy + word] = state[original + word]
    state[copy + at.STATUS] = (state[copy + at.STATUS] & ~at.IS_BORROWED) | at.IS_NEW
    attach_the_same(state, table, original, copy)
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW


@compiled(none(Words, Words, i64, i64))
def clone(state: Any, table: Any, maker: int, member: int) -> None:
    """Summon a copy for the maker's side: exact of what is in play, else fresh."""
    seat = state[maker + at.OWNER]
    if state[board(seat)] >= table[at.BOARD_LIMIT]:
        return
    summon(state, table, maker, seat, number_of(state, member), 0)
    if not is_in_deck(member) and is_in_play(state, member):
        imitate(state, table, member, state[at.PREVIOUS])


@compiled(none(Words, Words, i64, i64))
def become(state: Any, table: Any, minion: int, original: int) -> None:
    """Turn a minion in play into an exact copy of another."""
    transform(state, table, minion, state[original + at.CARD])
    imitate(state, table, original, minion)
