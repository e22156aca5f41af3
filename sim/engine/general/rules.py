"""Entry functions of the general rules, which the engine calls by their addresses.

Their parts in this module are playing a card and using the hero power. Each entry is a function of
(state, table, action). The entries are compiled when a table first needs them (`entry_words`), once
for the whole engine.
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
from sim.engine.general.listeners import push_counters
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
    """Spend the mana for a card of the hand, and count the card as played.

    A spell uses up the discount for the next spell, and a secret also that for the next secret.
    """
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
        state[at.LAST_PLAYED] = 1 + state[card + at.CARD]  # not for secrets, which stay hidden
    slot = state[card + at.SLOT]
    # A card that another card made has its maker's slot. Playing it is no play of the maker.
    if slot < DECK_CAPACITY and state[leader + at.CARD_OF_SLOT + slot] == state[card + at.CARD]:
        state[at.SEEN + DECK_CAPACITY * seat + slot] |= at.SEEN_PLAYED


@compiled(none(Words, Words, i64))
def _announce(state: Any, table: Any, card: int) -> None:
    """Add a played card's overload to the mana its owner owes, and emit the event of the play."""
    owes = table[card_of(state, card) + at.CARD_OVERLOAD]
    add(state, player(state[card + at.OWNER]) + at.OVERLOAD_OWED, owes)
    emit(state, Event.CARD_PLAYED, card, 0)


@compiled(i64(Words, i64, i64))
def _target_if_same(state: Any, target: int, serial: int) -> int:
    """Return the target if it is in play and still the chosen record, else 0.

    Args:
        state: words of the game.
        target: record that the player chose, or 0.
        serial: serial number of the record at the time of the choice.
    """
    is_same = is_in_play(state, target) and state[target + at.SERIAL] == serial
    return target if is_same else NO_RECORD


@compiled(none(Words, Words, i64, i64, i64))
def _cast(state: Any, table: Any, card: int, text: int, target: int) -> None:
    """Cast a spell or secret: carry out its text between the reactions before and after it.

    The order is: reactions that counter spells, other reactions to the cast, the text, reactions to
    the completed cast. A reaction before the text may redirect the spell. A secret is hidden
    instead of carried out. A countered spell has no effect and causes no further reactions.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        card: record of the spell.
        text: offset of the card that holds its text.
        target: record that the player chose, or 0.
    """
    serial = state[target + at.SERIAL]
    state[at.AIM] = target
    state[at.IS_COUNTERED] = 0
    push_counters(state, table, card)
    if state[at.N_TASKS] > 0:
        resolve(state, table)
    if state[at.RESULT] == at.RUNNING and state[at.IS_COUNTERED] == 0:
        _announce(state, table, card)
        emit(state, Event.CAST, card, 0)
        resolve_if_heard(state, table)
        if state[at.AIM] == target:
            state[at.AIM] = _target_if_same(state, target, serial)
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
    """Play a minion: put it on the board, carry out its battlecry, and emit its arrival.

    The minion is on the board before other cards react to its play. A minion that leaves during its
    battlecry does not arrive. If the board is full, the minion is lost after its battlecry.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        seat: active seat, 0 or 1.
        card: record of the minion.
        text: offset of the card that holds its battlecry.
        target: record that the player chose, or 0.
        place: 1 + position on the board, 0 for the right end.
    """
    # A reaction may transform or remove the target; the serial number reveals that later.
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
        push_own_rows(state, table, text, Event.PLAY, card, _target_if_same(state, target, serial))
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
    """Take a card from the hand, pay for it, and carry out its effects.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        seat: active seat, 0 or 1.
        action: number of the legal action that plays the card.
    """
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
        push_own_rows(state, table, text, Event.PLAY, card, _target_if_same(state, target, serial))
        finish(state, table)


@compiled(none(Words, Words, i64, i64), apart=True)
def use_power(state: Any, table: Any, seat: int, action: int) -> None:
    """Pay for the hero power and carry out its effects."""
    leader = player(seat)
    card = card_of(state, leader)
    state[leader + at.MANA] -= state[leader + at.COST]
    state[leader + at.POWER_USED] = 1
    state[at.LAST_PLAYED] = 1 + state[leader + at.CARD]
    state[at.PREVIOUS] = 0
    push_own_rows(state, table, card, Event.PLAY, leader, target_record(state, action))
    resolve(state, table)


# --- entry functions, which the engine calls by address ---


def begin_game(state: Any, table: Any, action: int) -> int:
    """Begin the mulligan, or the first turn, after the opening hands are dealt; return 0."""
    begin(state, table)
    free_removed(state)
    refresh_readiness(state, table)
    return 0


def refresh_position(state: Any, table: Any, action: int) -> int:
    """Update auras, costs and readiness of a position that the caller has set up; return 0."""
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW
    resolve(state, table)
    refresh_readiness(state, table)
    state[at.N_LISTED] = 0
    return 0


@compiled(i64(Words, Words, i64))
def _is_legal(state: Any, table: Any, action: int) -> bool:
    """Return whether an action is legal, by the quick checks of the common cases first."""
    return (
        (action == at.END_TURN and state[at.PHASE] == at.MAIN_PHASE)
        or was_listed(state, action)
        or call_rule(load64(table, at.LEGAL), state, table, action) != 0
    )


def act(state: Any, table: Any, action: int) -> int:
    """Carry out one action of the active seat and return 0.

    An illegal action sets `FAULT_ILLEGAL`. It ends the turn or the mulligan instead, or takes the
    first offered card in a choice.
    """
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
    """Return the addresses of all entry functions as words of a table, from `layout.BEGIN` on."""
    entries = (begin_game, act, legal, refresh_position, resolve_all, list_legal)
    return as_words(address_of(entry, RULE) for entry in entries)
