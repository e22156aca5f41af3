"""The entries of the general rules, which the engine calls by their addresses, and what they start.

That is what playing a card, using the hero power and attacking set in motion. Each entry is a
function of (state, table, action). They are compiled when a table first needs them
(`entry_words`), once for the whole engine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sim.cards.vocabulary import Event, Kind
from sim.engine import layout as at
from sim.engine.addresses import address_of, as_words, call_rule
from sim.engine.compiled import RULE, Words, compiled, i64, none
from sim.engine.faults import add
from sim.engine.general.attacks import attack
from sim.engine.general.auras import refresh_readiness
from sim.engine.general.choices import legal, list_legal
from sim.engine.general.events import emit, finish, push_own_rows, resolve, resolve_if_heard
from sim.engine.general.groups import card_of, is_in_play, is_spell
from sim.engine.general.legality import source_of, target_record, text_of
from sim.engine.general.listeners import let_counters_look
from sim.engine.general.moves import (
    free_removed,
    insert_on_board,
    send_to_removed,
    take_choice,
    wield,
)
from sim.engine.general.resolution import resolve_all
from sim.engine.general.secrets import hide
from sim.engine.general.turns import begin, end_mulligan, end_turn, mark_for_replacement
from sim.engine.listing import NO_RECORD, was_listed
from sim.engine.streams import load64
from sim.engine.zones import board, hand, player, take_from_hand
from sim.ruleset import DECK_CAPACITY


@compiled(none(Words, Words, i64, i64))
def _pay(state: Any, table: Any, seat: int, card: int) -> None:
    """Spend the mana for a card of the hand, and note that it was played."""
    leader = player(seat)
    printed = card_of(state, card)
    state[leader + at.MANA] -= state[card + at.COST]
    state[leader + at.N_PLAYED] += 1
    state[leader + at.N_MINIONS_PLAYED] += table[printed + at.CARD_KIND] == Kind.MINION
    if is_spell(table, printed):
        state[leader + at.NEXT_SPELL] = 0
    if table[printed + at.CARD_KIND] == Kind.SECRET:
        state[leader + at.NEXT_SECRET] = 0
    else:
        state[at.LAST_PLAYED] = 1 + state[card + at.CARD]  # which nobody may know of a secret
    slot = state[card + at.SLOT]
    if slot < DECK_CAPACITY and state[leader + at.CARD_OF_SLOT + slot] == state[card + at.CARD]:
        state[at.SEEN + DECK_CAPACITY * seat + slot] |= (
            at.SEEN_PLAYED
        )  # not what others made or gave


@compiled(none(Words, Words, i64))
def _announce(state: Any, table: Any, card: int) -> None:
    """A card is played: what it overloads is owed, and all who hear of it may react."""
    owes = table[card_of(state, card) + at.CARD_OVERLOAD]
    add(state, player(state[card + at.OWNER]) + at.OVERLOAD_OWED, owes)
    emit(state, Event.CARD_PLAYED, card, 0)


@compiled(i64(Words, i64, i64))
def _if_unmoved(state: Any, target: int, serial: int) -> int:
    """The target, if it is still what was chosen, in play; else nobody.

    Args:
        state: the game.
        target: what the player chose, 0 for nobody.
        serial: its serial number at that time.
    """
    is_same = is_in_play(state, target) and state[target + at.SERIAL] == serial
    return target if is_same else NO_RECORD


@compiled(none(Words, Words, i64, i64, i64))
def _cast(state: Any, table: Any, card: int, text: int, target: int) -> None:
    """A spell: those who may counter it, those who hear of it before, its text, those after.

    Who hears of it before may aim it at another. A secret is hidden instead. One that is
    countered does nothing at all, and nobody hears of it.
    """
    serial = state[target + at.SERIAL]
    state[at.AIM] = target
    state[at.IS_COUNTERED] = 0
    let_counters_look(state, table, card)
    if state[at.N_TASKS] > 0:
        resolve(state, table)
    if state[at.RESULT] == at.RUNNING and state[at.IS_COUNTERED] == 0:
        _announce(state, table, card)
        emit(state, Event.CAST, card, 0)
        resolve_if_heard(state, table)
        if state[at.AIM] == target:
            state[at.AIM] = _if_unmoved(state, target, serial)
    if state[at.RESULT] == at.RUNNING and state[at.IS_COUNTERED] == 0:
        if table[card_of(state, card) + at.CARD_KIND] == Kind.SECRET:
            hide(state, table, card)
        else:
            push_own_rows(state, table, text, Event.PLAY, card, state[at.AIM])
        finish(state, table)
        if state[at.RESULT] == at.RUNNING:
            emit(state, Event.AFTER_CAST, card, 0)
            resolve_if_heard(state, table)
    state[at.AIM] = 0
    if state[card + at.ZONE] != at.IN_SECRET:
        send_to_removed(state, card)


@compiled(none(Words, Words, i64, i64, i64, i64, i64))
def _summon_from_hand(
    state: Any, table: Any, seat: int, card: int, text: int, target: int, place: int
) -> None:
    """A minion: it arrives, its battlecry, and then it has arrived. Without room it dies.

    It has its place before anybody hears that it was played. Who takes it away during its
    battlecry keeps it from having arrived.
    """
    serial = state[target + at.SERIAL]
    has_room = state[board(seat)] < table[at.BOARD_LIMIT]
    if has_room:
        right_end = state[board(seat)]
        insert_on_board(state, card, min(place - 1, right_end) if place > 0 else right_end, 0)
    _announce(state, table, card)
    resolve_if_heard(state, table)
    if has_room and state[at.RESULT] == at.RUNNING and is_in_play(state, card):
        emit(state, Event.SUMMON, card, 0)
        resolve_if_heard(state, table)
    if state[at.RESULT] == at.RUNNING:
        push_own_rows(state, table, text, Event.PLAY, card, _if_unmoved(state, target, serial))
        finish(state, table)
    if not has_room:
        send_to_removed(state, card)
        return
    is_there = is_in_play(state, card) and state[card + at.OWNER] == seat
    if state[at.RESULT] == at.RUNNING and is_there:
        emit(state, Event.AFTER_SUMMON, card, 0)
        emit(state, Event.ARRIVAL, card, 0)
        resolve_if_heard(state, table)


@compiled(none(Words, Words, i64, i64))
def play_card(state: Any, table: Any, seat: int, action: int) -> None:
    """Pay for a card, take it from the hand, and let it do what it does."""
    target = target_record(state, action)
    card = take_from_hand(state, hand(seat), source_of(action))
    state[card + at.ZONE] = at.IN_NO_ZONE
    printed = card_of(state, card)
    text = text_of(table, printed, (action >> at.OPTION_SHIFT) & at.OPTION_MASK)
    state[at.PREVIOUS] = 0
    _pay(state, table, seat, card)
    if table[printed + at.CARD_KIND] == Kind.MINION:
        place = (action >> at.PLACE_SHIFT) & at.PLACE_MASK
        _summon_from_hand(state, table, seat, card, text, target, place)
        return
    if is_spell(table, printed):
        _cast(state, table, card, text, target)
        return
    serial = state[target + at.SERIAL]
    _announce(state, table, card)
    resolve_if_heard(state, table)
    if state[at.RESULT] != at.RUNNING:
        send_to_removed(state, card)
    else:
        wield(state, seat, card)
        push_own_rows(state, table, text, Event.PLAY, card, _if_unmoved(state, target, serial))
        finish(state, table)


@compiled(none(Words, Words, i64, i64), apart=True)
def use_power(state: Any, table: Any, seat: int, action: int) -> None:
    """Pay for the hero power and let it do what it does."""
    leader = player(seat)
    card = card_of(state, leader)
    state[leader + at.MANA] -= state[leader + at.COST]
    state[leader + at.POWER_USED] = 1
    state[at.LAST_PLAYED] = 1 + state[leader + at.CARD]
    state[at.PREVIOUS] = 0
    push_own_rows(state, table, card, Event.PLAY, leader, target_record(state, action))
    resolve(state, table)


# --- the entries ---


def begin_game(state: Any, table: Any, action: int) -> int:
    """The mulligan, or the first turn; the opening hands are dealt."""
    begin(state, table)
    free_removed(state)
    refresh_readiness(state, table)
    return 0


def bring_up_to_date(state: Any, table: Any, action: int) -> int:
    """Auras, costs and readiness of a position that was written by hand."""
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW
    resolve(state, table)
    refresh_readiness(state, table)
    state[at.N_LISTED] = 0
    return 0


@compiled(i64(Words, Words, i64))
def _is_legal(state: Any, table: Any, action: int) -> bool:
    """Whether an action may be carried out: the usual ones prove it quickly."""
    return (
        (action == at.END_TURN and state[at.PHASE] == at.MAIN_PHASE)
        or was_listed(state, action)
        or call_rule(load64(table, at.LEGAL), state, table, action) != 0
    )


def act(state: Any, table: Any, action: int) -> int:
    """Carry out one action of the active seat; an illegal one ends the turn and is reported."""
    seat = state[at.ACTIVE]
    if not _is_legal(state, table, action):
        state[at.FAULT] |= at.FAULT_ILLEGAL
        action = at.PLAY if state[at.PHASE] == at.CHOICE_PHASE else at.END_TURN
    if state[at.PHASE] == at.CHOICE_PHASE:
        state[at.PHASE] = at.MAIN_PHASE
        take_choice(state, table, seat, source_of(action))
        resolve(state, table)
    elif state[at.PHASE] != at.MAIN_PHASE:
        if action == at.END_TURN:
            end_mulligan(state, table, seat)
        else:
            mark_for_replacement(state, seat, source_of(action))
    elif action == at.END_TURN:
        end_turn(state, table, seat)
    elif action >= at.USE_POWER:
        use_power(state, table, seat, action)
    elif action >= at.ATTACK_WITH:
        attack(state, table, seat, action)
    else:
        play_card(state, table, seat, action)
    free_removed(state)
    if state[at.RESULT] != at.FAULTED:
        state[at.N_STEPS] = state[at.ROW_AT_WORK] = 0
    refresh_readiness(state, table)
    state[at.N_LISTED] = 0
    return 0


def entry_words() -> npt.NDArray[np.int16]:
    """The addresses of all entries as words of a table, from `sim.engine.layout.BEGIN` on."""
    # As the table has them.
    entries = (begin_game, act, legal, bring_up_to_date, resolve_all, list_legal)
    return as_words(address_of(entry, RULE) for entry in entries)
