"""Counts of how often each clause of each card had an effect in checked games.

The games are played with a table of their own. Every effect handler is replaced by one that counts
its row, in words behind the table's end, and then calls the true handler. Rows with a continuous
effect (auras, costs by formula) have no handler: before each resolution, those that apply to any
record are looked up, and counted when they begin to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.cards.pool import Pool
from sim.cards.vocabulary import Event
from sim.engine import layout as at
from sim.engine.addresses import address_of, call_handler, call_rule
from sim.engine.compiled import HANDLER, RULE, Words, compiled, i64, none
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of
from sim.engine.general.measures import holds
from sim.engine.streams import load32, load64, store32
from sim.engine.zones import board, hand, item, player
from sim.play.table import Table

Words16 = npt.NDArray[np.int16]
Numbers = npt.NDArray[np.int64]
AURA = int(Event.AURA)
OWN_COST = int(Event.OWN_COST)

# Offsets of words behind the table's end.
_TRUE_HANDLERS = 0  # addresses of the true handlers, by opcode
_TRUE_RESOLVE = _TRUE_HANDLERS + 4 * at.MAX_OPCODES  # address of the rules' `resolve_all`
_STANDING = _TRUE_RESOLVE + 4  # per record: its serial, and bits of the rows that apply now
_COUNTS = _STANDING + 2 * at.MAX_RECORDS  # two words for each row, by its offset over `ROW_SIZE`


@dataclass(frozen=True)
class Clause:
    """One row of one card, and the number of its effects.

    Attributes:
        card: id of the card.
        text: event, action and group of the row.
        n_fired: number of times that it had an effect.
    """

    card: str
    text: str
    n_fired: int

    def __str__(self) -> str:
        return f"{self.n_fired:>10,}  {self.card}: {self.text}"


# --- rows that are carried out ---


@compiled(i64(Words))
def _tail(table: Any) -> int:
    """Return the offset of the words behind the table, which their last word holds."""
    return table[table[at.TABLE_LENGTH] - 1]


@compiled(none(Words, i64))
def _count(table: Any, row: int) -> None:
    """Add one to the count of a row."""
    word = _tail(table) + _COUNTS + 2 * (row // at.ROW_SIZE)  # no two rows share a quotient
    store32(table, word, load32(table, word) + 1)


def _count_and_act(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Count a row and call its true handler; an effect on several records counts once."""
    if target == state[at.GROUP]:
        _count(table, row)
    handler = load64(table, _tail(table) + _TRUE_HANDLERS + 4 * table[row + at.ROW_OPCODE])
    call_handler(handler, state, table, row, source, target)


# --- rows with a continuous effect ---


@compiled(i64(Words, Words, i64, i64))
def _gives(state: Any, table: Any, row: int, source: int) -> bool:
    """Return whether a continuous row applies to any record now."""
    if not holds(state, table, table[row + at.ROW_WHEN], source, 0, 0, 0):
        return False
    gather(state, table, table[row + at.ROW_TO], source, 0, 0)
    return state[at.N_GROUP] > 0


@compiled(none(Words, Words, i64, i64))
def _count_standing(state: Any, table: Any, record: int, event: int) -> None:
    """Count the rows of a record that apply now and did not before."""
    card = card_of(state, record)
    if (table[card + at.CARD_EVENTS] >> event) & 1 == 0 or state[
        record + at.STATUS
    ] & at.IS_SILENCED:
        return
    word = _tail(table) + _STANDING + 2 * ((record - at.RECORDS) // at.RECORD_SIZE)
    if table[word] != state[record + at.SERIAL]:
        table[word] = state[record + at.SERIAL]
        table[word + 1] = 0
    stands = 0
    for number in range(table[card + at.CARD_N_ROWS]):
        row = table[card + at.CARD_ROWS] + at.ROW_SIZE * number
        if table[row + at.ROW_EVENT] == event and _gives(state, table, row, record):
            stands |= 1 << number
            if (table[word + 1] >> number) & 1 == 0:
                _count(table, row)
    table[word + 1] = stands


def _count_and_resolve(state: Any, table: Any, action: int) -> int:
    """Count the continuous rows that apply now, then call the true `resolve_all`."""
    for seat in range(2):
        for position in range(state[board(seat)]):
            _count_standing(state, table, item(state, board(seat), position), AURA)
        for position in range(state[hand(seat)]):
            _count_standing(state, table, item(state, hand(seat), position), OWN_COST)
        if state[player(seat) + at.WEAPON] != 0:
            _count_standing(state, table, state[player(seat) + at.WEAPON], AURA)
    return call_rule(load64(table, _tail(table) + _TRUE_RESOLVE), state, table, action)


@compiled(none(Words))
def forget_standing(table: Any) -> None:
    """Forget which rows applied, at the start of a new game, where serials start again."""
    for k in range(2 * at.MAX_RECORDS):
        table[_tail(table) + _STANDING + k] = 0


# --- the table, and its counts ---


_address = cache(address_of)  # one compilation for all tables of a run


def counting_words(table: Table) -> Words16:
    """Return the ``[size]`` words of a table that counts its rows, with all counts zero."""
    words = table.words[0]
    end = len(words)
    counting = np.zeros(end + _COUNTS + 2 * (end // at.ROW_SIZE + 1) + 1, dtype=np.int16)
    counting[:end] = words
    for start, n_addresses, kept, function, signature in (
        (at.HANDLERS, at.MAX_OPCODES, _TRUE_HANDLERS, _count_and_act, HANDLER),
        (at.RESOLVE, 1, _TRUE_RESOLVE, _count_and_resolve, RULE),
    ):
        replaced = slice(start, start + 4 * n_addresses)
        counting[end + kept : end + kept + 4 * n_addresses] = words[replaced]
        addresses = np.array([_address(function, signature)] * n_addresses, dtype="<u8")
        counting[replaced] = addresses.view(np.int16)
    counting[-1] = end
    counting[at.TABLE_LENGTH] = len(counting)
    return counting


def row_counts(counting: Words16) -> Numbers:
    """Return the ``[rows]`` counts of a table, indexed by the row's offset over `ROW_SIZE`."""
    start = int(counting[-1]) + _COUNTS
    counts: Numbers = counting[start:-1].copy().view("<u4").astype(np.int64)
    return counts


def clauses(pool: Pool, words: Words16, counts: Numbers) -> list[Clause]:
    """Return every row of every card and token of a pool, the rarest first.

    Args:
        pool: the cards.
        words: ``[size]`` words of the pool's table.
        counts: ``[rows]`` counts from `row_counts`.
    """
    counted = []
    for number, card in enumerate(pool.everything):
        first = int(words[at.CARDS + at.CARD_SIZE * number + at.CARD_ROWS])
        for k, row in enumerate(card.effects):
            n_fired = int(counts[first // at.ROW_SIZE + k])
            counted.append(Clause(card.id, f"{row.on}: {row.do} {row.to}", n_fired))
    return sorted(counted, key=lambda clause: clause.n_fired)
