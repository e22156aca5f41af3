"""Secrets: hidden cards that react to an event in the enemy's turn.

When a spell is cast, texts that counter spells react before all others (`reacts_in_pass`), both of
secrets and of cards in play.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Kind, Opcode, Selector
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.events import emit, push_task
from sim.engine.general.gathering import gather
from sim.engine.general.groups import (
    card_of,
    concerns,
    has_card,
    is_alive,
    is_dead,
    is_in_deck,
    is_in_play,
    is_player,
)
from sim.engine.general.measures import holds
from sim.engine.general.moves import number_arrival, send_to_removed
from sim.engine.zones import append, board, item, player, position_of, secrets, take_from_secrets


@compiled(i64(Words, i64, i64, i64), apart=True)
def _has_row(table: Any, card: int, event: int, opcode: int) -> bool:
    """Return whether the card at offset `card` has a row with this event and opcode."""
    for k in range(table[card + at.CARD_N_ROWS]):
        row = table[card + at.CARD_ROWS] + at.ROW_SIZE * k
        if table[row + at.ROW_EVENT] == event and table[row + at.ROW_OPCODE] == opcode:
            return True
    return False


@compiled(i64(i64))
def is_counter(late_events: int) -> int:
    """Return the bit for countering spells, 0 or 1, of the second word of an event set."""
    return (late_events >> (at.COUNTERS - 16)) & 1


@compiled(i64(Words, i64, i64, i64))
def reacts_in_pass(table: Any, card: int, event: int, counters: int) -> bool:
    """Return whether a text that reacts to an event does so in this pass over the cards.

    A cast has two passes: first texts that counter spells, then all others. Other events have one
    pass, in which every text reacts.

    Args:
        table: card table.
        card: offset of the card that holds the text.
        event: the event, a value of `Event`.
        counters: 1 in the pass of texts that counter spells, else 0.
    """
    return event != Event.CAST or is_counter(table[card + at.CARD_EVENTS + 1]) == counters


@compiled(i64(Words, Words, i64, i64))
def listens_for(state: Any, table: Any, record: int, event: int) -> bool:
    """Return whether a card's own text reacts to an event, in any zone and even if silenced."""
    return table[card_of(state, record) + at.CARD_EVENTS + (event >> 4)] >> (event & 15) & 1 != 0


@compiled(i64(Words, i64, i64))
def may_hide(state: Any, seat: int, card: int) -> bool:
    """Return whether a seat has space for another secret, and no secret of the same card.

    Args:
        state: words of the game.
        seat: seat of the player.
        card: number of the secret's card.
    """
    zone = secrets(seat)
    return state[zone] < at.SECRET_CAPACITY and not has_card(state, zone, card)


@compiled(none(Words, Words, i64))
def hide(state: Any, table: Any, secret: int) -> None:
    """Add a secret to its owner's hidden secrets, unless there is no space for another secret.

    A secret that prevents lethal damage becomes the player's guardian.
    """
    seat = state[secret + at.OWNER]
    if state[secrets(seat)] == at.SECRET_CAPACITY:
        return
    append(state, secrets(seat), secret)
    state[secret + at.ZONE] = at.IN_SECRET
    number_arrival(state, secret)
    if listens_for(state, table, secret, Event.LETHAL):
        state[player(seat) + at.GUARDIAN] = secret


@compiled(none(Words, Words, i64))
def remove_secret(state: Any, table: Any, secret: int) -> None:
    """Remove a secret from the game, if it is hidden, and update its player's guardian.

    Of several secrets that prevent lethal damage, the youngest becomes the guardian.
    """
    seat = state[secret + at.OWNER]
    zone = secrets(seat)
    place = position_of(state, zone, secret)
    if place < 0:
        return
    take_from_secrets(state, zone, place)
    state[player(seat) + at.GUARDIAN] = 0
    for position in range(state[zone]):
        other = item(state, zone, position)
        if listens_for(state, table, other, Event.LETHAL):
            state[player(seat) + at.GUARDIAN] = other
    send_to_removed(state, secret)


@compiled(none(Words, Words, i64, i64, i64, i64, i64), apart=True)
def push_secrets(
    state: Any, table: Any, event: int, subject: int, amount: int, counters: int, old_aim: int
) -> None:
    """Push tasks for the inactive seat's secrets that react to an event, the oldest secret on top.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        event: the event, a value of `Event`.
        subject: record that the event happened to.
        amount: amount of the event.
        counters: 1 in the pass of texts that counter spells, else 0 (`reacts_in_pass`).
        old_aim: 0, or the target of an attack that the secrets have already been checked against;
            they are checked again only if the attack has another target by then.
    """
    zone = secrets(1 - state[at.ACTIVE])
    # Backwards, since tasks are a stack: the oldest secret is checked first.
    for position in range(state[zone] - 1, -1, -1):
        secret = item(state, zone, position)
        card = card_of(state, secret)
        if listens_for(state, table, secret, event) and reacts_in_pass(
            table, card, event, counters
        ):
            row = table[card + at.CARD_ROWS]
            n_rows = table[card + at.CARD_N_ROWS]
            push_task(state, row, n_rows, event, secret, old_aim, subject, amount)


@compiled(none(Words, Words, i64, i64, i64))
def push_listening_secrets(state: Any, table: Any, event: int, subject: int, amount: int) -> None:
    """Push tasks for the inactive seat's secrets that react to an event.

    Secrets that counter spells are left out, since `push_counters` pushes them. See `push_secrets`
    for the arguments.
    """
    if state[secrets(1 - state[at.ACTIVE])] > 0:
        push_secrets(state, table, event, subject, amount, 0, 0)


@compiled(i64(Words, i64, i64, i64))
def _is_still_there(state: Any, member: int, selector: int, event: int) -> bool:
    """Return whether a secret may act on a member of its group.

    A minion that has died or left the board since the event does not count. When a minion dies or a
    card is played, cast or revealed, members that are in no zone in play count too.

    Args:
        state: words of the game.
        member: record, or member without a record, of the group.
        selector: selector of the group.
        event: event to which the secret reacts.
    """
    if is_in_deck(member) or is_player(member):
        return True
    if is_in_play(state, member):
        return not is_dead(state, member)
    if event in (Event.DEATH, Event.REVEAL, Event.CAST, Event.AFTER_CAST, Event.CARD_PLAYED):
        return True
    return state[member + at.ZONE] != at.IN_REMOVED and selector != Selector.SUBJECT


@compiled(i64(Words, i64))
def _is_still_aimed(state: Any, event: int) -> bool:
    """Return whether the attack or spell that a secret would redirect still takes place."""
    if event == Event.ATTACK:
        attacker = state[at.ATTACKER]
        return is_player(attacker) or is_alive(state, attacker)
    return state[at.IS_COUNTERED] == 0 and (
        is_player(state[at.AIM]) or is_alive(state, state[at.AIM])
    )


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _has_an_effect(state: Any, table: Any, row: int, secret: int, event: int, subject: int) -> bool:
    """Return whether a secret's first row for an event has anything to act on.

    Args:
        state: words of the game; the members of the row's group overwrite those in the work area.
        table: card table of the game's variant.
        row: offset of the row.
        secret: record of the secret.
        event: the event, a value of `Event`.
        subject: record that the event happened to.
    """
    opcode = table[row + at.ROW_OPCODE]
    has_no_room = state[board(state[secret + at.OWNER])] >= table[at.BOARD_LIMIT]
    if has_no_room and opcode in (Opcode.SUMMON, Opcode.CLONE):
        return False
    aims = _has_row(table, card_of(state, secret), event, Opcode.AIM)
    # A secret that first summons a new target is revealed even if the attack no longer takes place.
    if aims and (event == Event.CAST or opcode == Opcode.AIM) and not _is_still_aimed(state, event):
        return False
    if opcode == Opcode.COUNTER and state[at.IS_COUNTERED]:
        return False
    group = table[row + at.ROW_TO]
    gather(state, table, group, secret, 0, subject)
    for k in range(state[at.N_GROUP]):
        if _is_still_there(state, state[at.GROUP + k], table[group + at.GROUP_SELECTOR], event):
            return True
    return False


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _is_triggered(
    state: Any, table: Any, secret: int, event: int, subject: int, amount: int
) -> bool:
    """Return whether a secret's first row for an event applies, holds, and has something to do.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        secret: record of the secret.
        event: the event, a value of `Event`.
        subject: record that the event happened to.
        amount: amount of the event.
    """
    card = card_of(state, secret)
    for k in range(table[card + at.CARD_N_ROWS]):
        row = table[card + at.CARD_ROWS] + at.ROW_SIZE * k
        if table[row + at.ROW_EVENT] == event:
            return (
                concerns(state, table, row, secret, subject)
                and holds(state, table, table[row + at.ROW_WHEN], secret, 0, subject, amount)
                and _has_an_effect(state, table, row, secret, event, subject)
            )
    return False


@compiled(i64(Words, Words, i64))
def _check_secret(state: Any, table: Any, task: int) -> bool:
    """Reveal a task's secret if the task's event triggers it, and return whether it does."""
    secret = state[task + at.TASK_SOURCE]
    event = state[task + at.TASK_EVENT]
    subject = state[task + at.TASK_SUBJECT]
    amount = state[task + at.TASK_AMOUNT]
    is_triggered = _is_triggered(state, table, secret, event, subject, amount)
    if is_triggered:
        remove_secret(state, table, secret)
        emit(state, Event.REVEAL, secret, 0)
    return is_triggered


@compiled(i64(Words, Words, i64), apart=True)
def is_secret_triggered(state: Any, table: Any, task: int) -> bool:
    """Return whether a task is of a secret that the task's event has revealed or reveals now.

    A hidden secret is checked here, and revealed if the event triggers it.
    """
    source = state[task + at.TASK_SOURCE]
    card = card_of(state, source)
    if table[card + at.CARD_KIND] != Kind.SECRET:
        return False
    if state[task + at.TASK_N_ROWS] < table[card + at.CARD_N_ROWS]:
        return True  # the secret has been revealed, since a row has already been carried out
    old_aim = state[task + at.TASK_TARGET]
    if old_aim != 0 and old_aim == state[at.AIM]:
        return False  # the secret was already checked against this attack
    state[task + at.TASK_TARGET] = 0
    return state[source + at.ZONE] == at.IN_SECRET and _check_secret(state, table, task)
