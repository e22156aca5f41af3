"""Listeners: what has happened finds the effect rows that wait for it."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.changes import attached_card, attached_to
from sim.engine.general.events import push_task
from sim.engine.general.groups import card_of, concerns, is_player
from sim.engine.general.secrets import let_secrets_look
from sim.engine.zones import board, item, player

LAST_HEARD = 15  # events beyond are for cards that are not in play


@compiled(none(Words, i64))
def insert_by_order(state: Any, record: int) -> None:
    """Add a record to the group written down, which is sorted from the oldest on."""
    position = state[at.N_GROUP]
    while (
        position > 0 and state[state[at.GROUP + position - 1] + at.ORDER] > state[record + at.ORDER]
    ):
        state[at.GROUP + position] = state[at.GROUP + position - 1]
        position -= 1
    state[at.GROUP + position] = record
    state[at.N_GROUP] += 1


@compiled(none(Words, i64, i64))
def _listen(state: Any, record: int, event: int) -> None:
    if state[record + at.HEARS] >> event & 1:
        insert_by_order(state, record)


@compiled(none(Words, i64))
def _gather_listeners(state: Any, event: int) -> None:
    """Write down who in play listens to an event, the oldest first."""
    state[at.N_GROUP] = 0
    if event > LAST_HEARD:
        return
    for seat in range(2):
        _listen(state, player(seat), event)
        for position in range(state[board(seat)]):
            _listen(state, item(state, board(seat), position), event)
        if state[player(seat) + at.WEAPON] != 0:
            _listen(state, state[player(seat) + at.WEAPON], event)


@compiled(none(Words, Words, i64, i64, i64, i64, i64))
def _push_rows(
    state: Any, table: Any, card: int, source: int, event: int, subject: int, amount: int
) -> None:
    """Let the rows of a card that react wait, the first on top."""
    n_rows = table[card + at.CARD_N_ROWS]
    for k in range(n_rows - 1, -1, -1):
        row = table[card + at.CARD_ROWS] + at.ROW_SIZE * k
        if table[row + at.ROW_EVENT] == event and concerns(state, table, row, source, subject):
            push_task(state, row, 1, event, source, 0, subject, amount)


@compiled(none(Words, Words, i64, i64, i64, i64))
def _push_reactions(
    state: Any, table: Any, source: int, event: int, subject: int, amount: int
) -> None:
    """Let what a listener does wait: its own text on top, unless it is silenced."""
    for k in range(state[at.N_ATTACHED] - 1, -1, -1):
        if attached_to(state, k) == source:
            _push_rows(state, table, attached_card(state, k), source, event, subject, amount)
    if not is_player(source) and state[source + at.STATUS] & at.IS_SILENCED == 0:
        _push_rows(state, table, card_of(state, source), source, event, subject, amount)


@compiled(none(Words, Words))
def tell_listeners(state: Any, table: Any) -> None:
    """Turn what has happened into waiting rows: what happened first waits on top.

    Who is in play comes before the secrets of who is not to move.
    """
    for k in range(state[at.N_EVENTS] - 1, -1, -1):
        place = at.EVENTS + at.EVENT_SIZE * k
        event, subject, amount = state[place], state[place + 1], state[place + 2]
        let_secrets_look(state, table, event, subject, amount)
        _gather_listeners(state, event)
        for listener in range(state[at.N_GROUP] - 1, -1, -1):
            _push_reactions(state, table, state[at.GROUP + listener], event, subject, amount)
    state[at.N_EVENTS] = 0
