"""Which card a row brings."""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.measures import roll
from sim.engine.layout import ROW_ARGUMENT, ROW_N_CARDS


@compiled(i64(Words, i64, i64))
def card_of_row(table: Any, row: int, k: int) -> int:
    """The k-th card that a row names; of one alone there is no list."""
    argument = table[row + ROW_ARGUMENT]
    return argument if table[row + ROW_N_CARDS] <= 1 else table[argument + k]


@compiled(i64(Words, Words, i64, i64))
def pick_card(state: Any, table: Any, row: int, source: int) -> int:
    """The card that a row names, or one at random of several."""
    n_cards = table[row + ROW_N_CARDS]
    return card_of_row(table, row, roll(state, source, n_cards) if n_cards > 1 else 0)
