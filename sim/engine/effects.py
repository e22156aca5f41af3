"""Effect rows in plain games: the rows of a played card, one after the other.

A plain game has no row that another one could set off, so there is nothing to wait for. What an
opcode does is a handler in the jump table (`opcodes.py`), the same for plain games and for the
general rules (`sim/engine/general`).
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Selector
from sim.engine import layout as at
from sim.engine.addresses import call_handler
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.endings import settle
from sim.engine.faults import spend_steps
from sim.engine.streams import load64
from sim.engine.zones import player

STEPS_OF_A_ROW = 3  # as the general rules count: reached, done once, for one player
ENEMY_PLAYER = int(Selector.ENEMY_PLAYER)


@compiled(i64(i64, i64))
def _target(selector: int, owner: int) -> int:
    """The record that a row acts on."""
    return player(1 - owner) if selector == ENEMY_PLAYER else player(owner)


@compiled(none(Words, Words, i64))
def run_rows(state: Any, table: Any, source: int) -> None:
    """Carry out the rows of the card `source` until the game is over."""
    card = at.CARDS + at.CARD_SIZE * state[source + at.CARD]
    row = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        if state[at.RESULT] == at.RUNNING:
            spend_steps(state, table, STEPS_OF_A_ROW)
            state[at.ROW_AT_WORK] = row
            state[at.NOW_AMOUNT] = table[row + at.ROW_AMOUNT]
            handler = load64(table, at.HANDLERS + 4 * table[row + at.ROW_OPCODE])
            target = _target(table[row + at.ROW_SELECTOR], state[source + at.OWNER])
            call_handler(handler, state, table, row, source, target)
            settle(state)
        row += at.ROW_SIZE
