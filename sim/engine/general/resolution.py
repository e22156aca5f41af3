"""Resolution: events trigger effect rows, rows are carried out, the dead are removed.

Rows that an event triggers come before the rows that were pending: after each row, everything that
it caused is carried out before the next row. There is no recursion; pending rows are on a bounded
stack.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Keyword, Opcode
from sim.engine import layout as at
from sim.engine.addresses import call_handler
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import bounded, settle, spend_steps
from sim.engine.general.auras import add_up_spell_damage, refresh_auras
from sim.engine.general.changes import attached_card, attached_to
from sim.engine.general.events import emit, push_own_rows
from sim.engine.general.gathering import gather
from sim.engine.general.groups import card_of, is_dead, is_in_deck, is_in_play, is_player, is_spell
from sim.engine.general.listeners import insert_by_order, notify_listeners
from sim.engine.general.measures import gains_spell_damage, holds, measure, roll
from sim.engine.general.moves import break_weapon, leave_board, send_to_removed
from sim.engine.general.secrets import is_secret_triggered, push_listening_secrets
from sim.engine.streams import load64
from sim.engine.zones import board, item, player

DOUBLING = int(Keyword.DOUBLING)


# --- carrying out one effect row ---


@compiled(none(Words))
def _drop_dead_members(state: Any) -> None:
    """Remove dead records in play from the members in the work area.

    A random pick must not select them. Cards in hands and decks count as neither alive nor dead.
    """
    n_kept = 0
    for k in range(state[at.N_GROUP]):
        member = state[at.GROUP + k]
        if (
            is_in_deck(member)
            or state[member + at.ZONE] != at.IN_PLAY
            or not is_dead(state, member)
        ):
            state[at.GROUP + n_kept] = member
            n_kept += 1
    state[at.N_GROUP] = n_kept


@compiled(none(Words, i64, i64))
def _keep_at_random(state: Any, source: int, n_kept: int) -> None:
    """Keep `n_kept` of the members in the work area, chosen with equal probability.

    All members are kept if they are fewer. The random numbers are those of `source`.
    """
    n_members = state[at.N_GROUP]
    # The first steps of a Fisher-Yates shuffle: one random number per kept member.
    for k in range(min(n_kept, n_members)):
        other = k + roll(state, source, n_members - k)
        member = state[at.GROUP + k]
        state[at.GROUP + k] = state[at.GROUP + other]
        state[at.GROUP + other] = member
    state[at.N_GROUP] = min(n_kept, n_members)


@compiled(none(Words, Words, i64, i64, i64, i64))
def _choose_members(
    state: Any, table: Any, row: int, source: int, target: int, subject: int
) -> None:
    """Write the members that a row acts on to the work area, after its random picks.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        row: offset of the row in the table.
        source: record that the row belongs to.
        target: record that the player chose, or 0.
        subject: record that the event happened to, or 0.
    """
    gather(state, table, table[row + at.ROW_TO], source, target, subject)
    pick = table[row + at.ROW_PICK]
    spare = table[row + at.ROW_SPARE]
    if pick > 0 or spare > 0:
        _drop_dead_members(state)
        _keep_at_random(state, source, pick if pick > 0 else max(state[at.N_GROUP] - spare, 0))


@compiled(i64(Words, Words, i64, i64))
def _spell_damage(state: Any, table: Any, row: int, source: int) -> int:
    """Return the bonus that spell damage adds to a row's damage, 0 for rows without that bonus."""
    if not gains_spell_damage(state, table, row, source):
        return 0
    if state[at.BOARD_CHANGED]:  # an earlier row may have silenced a source of spell damage
        add_up_spell_damage(state, state[source + at.OWNER])
    return state[player(state[source + at.OWNER]) + at.SPELL_DAMAGE]


@compiled(i64(Words, Words, i64, i64))
def _factor(state: Any, table: Any, row: int, source: int) -> int:
    """Return 2 for damage and healing by spells and hero powers of a doubled side, else 1.

    A side is doubled while its player has the keyword `DOUBLING`.
    """
    if state[player(state[source + at.OWNER]) + at.KEYWORDS] & DOUBLING == 0:
        return 1
    opcode = table[row + at.ROW_OPCODE]
    is_magic = is_player(source) or is_spell(table, card_of(state, source))
    return 2 if is_magic and opcode in (Opcode.DAMAGE, Opcode.HEAL) else 1


@compiled(none(Words, Words, i64, i64, i64, i64, i64))
def _act_on_members(
    state: Any, table: Any, row: int, source: int, target: int, amount: int, times: int
) -> None:
    """Call the row's handler for every member in the work area.

    Args:
        state: words of the game, with the members in its work area.
        table: card table of the game's variant.
        row: offset of the row in the table.
        source: record that the row belongs to.
        target: record that the player chose, or 0.
        amount: amount of the row, before its random part.
        times: factor of the row's attack and health.
    """
    handler = load64(table, at.HANDLERS + 4 * table[row + at.ROW_OPCODE])
    doer = target if table[row + at.ROW_BY_TARGET] and target != 0 else source
    amount_to = table[row + at.ROW_AMOUNT_TO]
    state[at.NOW_ATTACK] = bounded(times * table[row + at.ROW_ATTACK])
    state[at.NOW_HEALTH] = bounded(times * table[row + at.ROW_HEALTH])
    for k in range(state[at.N_GROUP]):
        extra = 0
        if amount_to != 0:
            extra = roll(state, source, amount_to - table[row + at.ROW_AMOUNT] + 1)
        state[at.NOW_AMOUNT] = bounded(amount + extra)
        call_handler(handler, state, table, row, doer, state[at.GROUP + k])


@compiled(none(Words, Words, i64, i64, i64, i64, i64))
def _run_row(
    state: Any, table: Any, row: int, source: int, target: int, subject: int, amount: int
) -> None:
    """Carry out one row, if its condition holds.

    Spell damage and doubling increase the number of repetitions of a repeated row, and the amount
    of any other row.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        row: offset of the row in the table.
        source: record that the row belongs to.
        target: record that the player chose, or 0.
        subject: record that the event happened to, or 0.
        amount: amount of the event.
    """
    if not holds(state, table, table[row + at.ROW_WHEN], source, target, subject, amount):
        return
    times = 1
    if table[row + at.ROW_TIMES] != 0:
        times = measure(state, table, table[row + at.ROW_TIMES], source, target, subject, amount)
    extra = _spell_damage(state, table, row, source)
    factor = _factor(state, table, row, source)
    n_times = table[row + at.ROW_REPEAT]
    strength = times * table[row + at.ROW_AMOUNT]
    if n_times > 1:
        n_times = factor * (n_times + extra)
    else:
        strength = factor * (strength + extra)
    for _ in range(n_times):
        if state[at.RESULT] == at.FAULTED:
            return
        _choose_members(state, table, row, source, target, subject)
        spend_steps(state, table, 1 + state[at.N_GROUP])
        _act_on_members(state, table, row, source, target, strength, times)


# --- carrying out all pending rows ---


@compiled(none(Words, Words))
def _run_next(state: Any, table: Any) -> None:
    """Carry out the next row of the task on top of the stack, and update auras.

    A reaction is dropped if its source has left play, unless the source is a secret that the event
    triggers. A row for another event than the task's is skipped.
    """
    spend_steps(state, table, 1)
    task = at.TASKS + at.TASK_SIZE * (state[at.N_TASKS] - 1)
    row = state[task + at.TASK_ROW]
    event = state[task + at.TASK_EVENT]
    source = state[task + at.TASK_SOURCE]
    # Up to DEATHRATTLE, rows are the source's own text, which does not need the source in play.
    is_reaction = event > Event.DEATHRATTLE and not is_in_play(state, source)
    if is_reaction and not is_secret_triggered(state, table, task):
        state[at.N_TASKS] -= 1
        return
    target = state[task + at.TASK_TARGET]
    subject = state[task + at.TASK_SUBJECT]
    amount = state[task + at.TASK_AMOUNT]
    state[task + at.TASK_ROW] += at.ROW_SIZE
    state[task + at.TASK_N_ROWS] -= 1
    if state[task + at.TASK_N_ROWS] <= 0:
        state[at.N_TASKS] -= 1
    if table[row + at.ROW_EVENT] != event:
        return
    state[at.DEATHS_DUE] = 1
    state[at.ROW_AT_WORK] = row
    _run_row(state, table, row, source, target, subject, amount)
    refresh_auras(state, table)
    if table[at.DEATHS] == 0:
        settle(state)


@compiled(none(Words, Words))
def _run_tasks(state: Any, table: Any) -> None:
    """Carry out pending rows and the reactions to them until none is left or the game is over."""
    notify_listeners(state, table)
    while state[at.N_TASKS] > 0 and state[at.RESULT] == at.RUNNING:
        _run_next(state, table)
        notify_listeners(state, table)


@compiled(none(Words, Words, i64))
def _push_deathrattles(state: Any, table: Any, minion: int) -> None:
    """Push a dead minion's deathrattles, its own above those of its attachments.

    A silenced minion has no deathrattles of its own.
    """
    for k in range(state[at.N_ATTACHED] - 1, -1, -1):
        if attached_to(state, k) == minion:
            push_own_rows(state, table, attached_card(state, k), Event.DEATHRATTLE, minion, 0)
    if state[minion + at.STATUS] & at.IS_SILENCED == 0:
        push_own_rows(state, table, card_of(state, minion), Event.DEATHRATTLE, minion, 0)


@compiled(i64(Words, Words))
def _remove_dead(state: Any, table: Any) -> bool:
    """Remove all dead minions and broken weapons, and push reactions to the deaths.

    For each dead minion, its deathrattles are carried out before the secrets that react to its
    death.

    Returns:
        Whether a minion died.
    """
    state[at.DEATHS_DUE] = 0
    state[at.N_GROUP] = 0
    for seat in range(2):
        for position in range(state[board(seat)]):
            minion = item(state, board(seat), position)
            if is_dead(state, minion):
                insert_by_order(state, minion)
                state[minion + at.LAST_RANK] = position
        weapon = state[player(seat) + at.WEAPON]
        if weapon != 0 and state[weapon + at.HEALTH] <= 0:
            break_weapon(state, seat)
    n_dead = state[at.N_GROUP]
    if n_dead == 0:
        return False
    for k in range(n_dead):
        minion = state[at.GROUP + k]
        leave_board(state, minion)
        send_to_removed(state, minion)
        emit(state, Event.DEATH, minion, 0)
    # Backwards, since tasks are a stack: the oldest of the dead comes first.
    for k in range(n_dead - 1, -1, -1):
        minion = state[at.GROUP + k]
        if state[at.HEARD] >> Event.DEATH & 1:
            push_listening_secrets(state, table, Event.DEATH, minion, 0)
        if state[minion + at.HEARS] >> Event.DEATHRATTLE & 1:
            _push_deathrattles(state, table, minion)
    return True


def resolve_all(state: Any, table: Any, action: int) -> int:
    """Carry out all pending rows and remove the dead until nothing is pending; return 0.

    The rules call this function through its address (`resolve` in `events.py`), so `action` is
    unused.
    """
    while True:
        if state[at.N_TASKS] > 0 or state[at.N_EVENTS] > 0:
            refresh_auras(state, table)
            _run_tasks(state, table)
        if (
            state[at.RESULT] != at.RUNNING
            or state[at.DEATHS_DUE] == 0
            or not _remove_dead(state, table)
        ):
            refresh_auras(state, table)
            if state[at.RESULT] != at.RUNNING or state[at.DEATHS_DUE] == 0:
                break  # otherwise the loss of an aura has killed a minion: remove it next
    # If deaths are applied after the whole action, two dead players draw here.
    settle(state)
    state[at.N_TASKS] = state[at.N_EVENTS] = 0  # a game that has ended leaves pending rows
    return 0
