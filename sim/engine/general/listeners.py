"""Listeners: records in play with effect rows that react to events.

The rows of secrets react too (`secrets`). Texts that counter spells react to a spell before all
other texts (`push_counters`).
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.changes import attached_card, attached_to
from sim.engine.general.events import push_task
from sim.engine.general.groups import card_of, concerns, is_player
from sim.engine.general.secrets import (
    is_counter,
    push_listening_secrets,
    push_secrets,
    reacts_in_pass,
)
from sim.engine.zones import board, item, player

# Last event that records in play react to, and the last bit of the first word of an event set.
LAST_HEARD = 15


@compiled(none(Words, i64))
def insert_by_order(state: Any, record: int) -> None:
    """Insert a record into the group in the work area, which is sorted from oldest to youngest."""
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
    """Insert a record into the sorted group in the work area, if it reacts to an event."""
    if state[record + at.HEARS] >> event & 1:
        insert_by_order(state, record)


@compiled(none(Words, i64))
def _gather_listeners(state: Any, event: int) -> None:
    """Write all records in play that react to an event to the work area, the oldest first.

    No record in play reacts to events after `LAST_HEARD`.
    """
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
    """Push the rows of a card that react to an event, so that the first row is on top.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        card: offset in the table of the card that holds the text.
        source: record that the text belongs to.
        event: the event, a value of `Event`.
        subject: record that the event happened to.
        amount: amount of the event.
    """
    for k in range(table[card + at.CARD_N_ROWS] - 1, -1, -1):
        row = table[card + at.CARD_ROWS] + at.ROW_SIZE * k
        if table[row + at.ROW_EVENT] == event and concerns(state, table, row, source, subject):
            push_task(state, row, 1, event, source, 0, subject, amount)


@compiled(none(Words, Words, i64, i64, i64, i64, i64))
def _push_reactions(
    state: Any, table: Any, source: int, event: int, subject: int, amount: int, counters: int
) -> None:
    """Push a record's reactions, those of its own text above those of its attachments.

    A silenced record's own text does not react.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        source: record with the texts that react.
        event: the event, a value of `Event`.
        subject: record that the event happened to.
        amount: amount of the event.
        counters: 1 in the pass of texts that counter spells, else 0 (`reacts_in_pass`).
    """
    for k in range(state[at.N_ATTACHED] - 1, -1, -1):
        card = attached_card(state, k)
        if attached_to(state, k) == source and reacts_in_pass(table, card, event, counters):
            _push_rows(state, table, card, source, event, subject, amount)
    if is_player(source) or state[source + at.STATUS] & at.IS_SILENCED:
        return
    card = card_of(state, source)
    if reacts_in_pass(table, card, event, counters):
        _push_rows(state, table, card, source, event, subject, amount)


@compiled(none(Words, Words, i64, i64, i64, i64))
def _push_reactions_in_play(
    state: Any, table: Any, event: int, subject: int, amount: int, counters: int
) -> None:
    """Push the reactions of all records in play to an event, those of the oldest record on top.

    See `_push_reactions` for the arguments.
    """
    _gather_listeners(state, event)
    for listener in range(state[at.N_GROUP] - 1, -1, -1):
        source = state[at.GROUP + listener]
        _push_reactions(state, table, source, event, subject, amount, counters)


@compiled(none(Words, Words, i64), apart=True)
def _push_all_counters(state: Any, table: Any, spell: int) -> None:
    """Push the reactions of all texts that may counter a spell, those of records in play on top."""
    push_secrets(state, table, Event.CAST, spell, 0, 1, 0)
    _push_reactions_in_play(state, table, Event.CAST, spell, 0, 1)


@compiled(none(Words, Words, i64))
def push_counters(state: Any, table: Any, spell: int) -> None:
    """Push the reactions of all texts that may counter a spell, if the game contains such a text.

    The caller resolves them before it emits the event of the cast.
    """
    if is_counter(state[at.HEARD + 1]):
        _push_all_counters(state, table, spell)


@compiled(none(Words, Words, i64), apart=True)
def _notify_of_attack(state: Any, table: Any, attacker: int) -> None:
    """Push the reactions to an attack: secrets on top, then records in play, then secrets again.

    The second time, secrets react only if the attack has another target by then.
    """
    push_secrets(state, table, Event.ATTACK, attacker, 0, 0, state[at.AIM])
    _push_reactions_in_play(state, table, Event.ATTACK, attacker, 0, 0)
    push_secrets(state, table, Event.ATTACK, attacker, 0, 0, 0)


@compiled(none(Words, Words))
def notify_listeners(state: Any, table: Any) -> None:
    """Push the reactions to all recorded events, those to the first event on top.

    Records in play react before the secrets of the inactive seat, with two exceptions. Secrets
    react to an attack first, since they may end it, and once more if it has been redirected. They
    react to a death last, after the deathrattles of the dead (`resolution`).
    """
    # Backwards, since tasks are a stack: the last task pushed is carried out first.
    for k in range(state[at.N_EVENTS] - 1, -1, -1):
        place = at.EVENTS + at.EVENT_SIZE * k
        event = state[place]
        subject = state[place + 1]
        amount = state[place + 2]
        if event == Event.ATTACK:
            _notify_of_attack(state, table, subject)
            continue
        if event != Event.DEATH:
            push_listening_secrets(state, table, event, subject, amount)
        _push_reactions_in_play(state, table, event, subject, amount, 0)
    state[at.N_EVENTS] = 0


@compiled(none(Words, Words, i64))
def forget_foreign_reactions(state: Any, table: Any, record: int) -> None:
    """Cancel a record's pending reactions that do not apply after its change of sides."""
    for k in range(state[at.N_TASKS]):
        task = at.TASKS + at.TASK_SIZE * k
        if (
            state[task + at.TASK_SOURCE] == record
            and state[task + at.TASK_EVENT] > Event.DEATHRATTLE
            and not concerns(
                state, table, state[task + at.TASK_ROW], record, state[task + at.TASK_SUBJECT]
            )
        ):
            state[task + at.TASK_EVENT] = at.NO_EVENT
