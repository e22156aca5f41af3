"""Legality of one action, written independently of the engine's list of legal actions."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Kind
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import card_of, is_selected
from sim.engine.general.legality import (
    can_pay_and_place,
    chooses,
    has_what_it_needs,
    is_guard,
    is_open,
    may_attack,
    may_take,
    may_use_power,
    source_of,
    target_record,
    text_of,
)
from sim.engine.listing import NO_RECORD
from sim.engine.zones import board, hand, item, player

IS_MAGIC = 1


@compiled(i64(Words, Words, i64, i64, i64, i64))
def _may_choose(
    state: Any, table: Any, group: int, source: int, is_magic: int, record: int
) -> bool:
    """Return whether the card `source` may target `record`."""
    return is_selected(state, table, group, source, record) and may_take(
        state, table, group, source, is_magic, record
    )


@compiled(i64(Words, Words, i64, i64, i64), apart=True)
def _has_choice(state: Any, table: Any, group: int, source: int, is_magic: int) -> bool:
    """Return whether the card has any character that it may target."""
    for seat in range(2):
        if _may_choose(state, table, group, source, is_magic, player(seat)):
            return True
        for position in range(state[board(seat)]):
            minion = item(state, board(seat), position)
            if _may_choose(state, table, group, source, is_magic, minion):
                return True
    return False


@compiled(i64(Words, Words, i64, i64, i64, i64), apart=True)
def _is_right_target(
    state: Any, table: Any, card: int, source: int, is_magic: int, action: int
) -> bool:
    """Return whether an action has a target that the card allows, or none where it takes none.

    Args:
        state: the game.
        table: card table of its variant.
        card: offset of the card, or of its option, that holds the text.
        source: record that is played.
        is_magic: whether it is a spell or a hero power.
        action: action of the active seat.
    """
    wants_nobody = action & at.POSITION_MASK == at.AT_NOBODY
    if not chooses(state, table, card, source):
        return wants_nobody
    group = table[card + at.CARD_TARGET]
    if wants_nobody:
        must = table[card + at.CARD_TARGET_MODE] == at.MUST_CHOOSE
        return not must and not _has_choice(state, table, group, source, is_magic)
    record = target_record(state, action)
    return record != NO_RECORD and _may_choose(state, table, group, source, is_magic, record)


@compiled(i64(Words, i64))
def _is_guarded(state: Any, seat: int) -> bool:
    """Return whether a side has a minion with visible taunt."""
    for position in range(state[board(seat)]):
        if is_guard(state, item(state, board(seat), position)):
            return True
    return False


@compiled(i64(Words, Words, i64))
def _may_play(state: Any, table: Any, action: int) -> bool:
    """Return whether the active seat may play a card by this action."""
    seat = state[at.ACTIVE]
    if source_of(action) >= state[hand(seat)]:
        return False
    record = item(state, hand(seat), source_of(action))
    card = card_of(state, record)
    text = text_of(table, card, (action >> at.OPTION_SHIFT) & at.OPTION_MASK)
    if text == 0 or not can_pay_and_place(state, table, record):
        return False
    kind = table[card + at.CARD_KIND]
    place = (action >> at.PLACE_SHIFT) & at.PLACE_MASK
    if place > 0 and (kind != Kind.MINION or place > state[board(seat)] + 1):
        return False
    if not has_what_it_needs(state, table, card, text, record):
        return False
    return _is_right_target(state, table, text, record, kind == Kind.SPELL, action)


@compiled(i64(Words, Words, i64))
def _may_attack(state: Any, table: Any, action: int) -> bool:
    """Return whether the active seat may attack by this action."""
    seat = state[at.ACTIVE]
    source = source_of(action)
    code = action & at.POSITION_MASK
    if source == at.BY_PLAYER:
        attacker = player(seat)
    elif source < state[board(seat)]:
        attacker = item(state, board(seat), source)
    else:
        return False
    defender = target_record(state, action)
    if state[attacker + at.READY] <= 0 or defender == NO_RECORD or code == at.AT_OWN_PLAYER:
        return False
    if state[defender + at.OWNER] == seat:
        return False
    if not is_open(state, defender, _is_guarded(state, 1 - seat)):
        return False
    return may_attack(state, attacker, defender)


@compiled(i64(Words, i64))
def _may_answer(state: Any, action: int) -> bool:
    """Return whether an action answers a mulligan (a card to replace, or the end) or a choice."""
    source = source_of(action)
    if not at.PLAY <= action < at.ATTACK_WITH:
        return action == at.END_TURN and state[at.PHASE] != at.CHOICE_PHASE
    if state[at.PHASE] == at.CHOICE_PHASE:
        return source < state[at.CHOICES]
    cards = hand(state[at.ACTIVE])
    return (
        source < state[cards] and state[item(state, cards, source) + at.STATUS] & at.IS_MARKED == 0
    )


@compiled(i64(Words, Words, i64), apart=True)
def may_act(state: Any, table: Any, action: int) -> bool:
    """Return whether the active seat may take `action` now."""
    if state[at.PHASE] != at.MAIN_PHASE:
        return _may_answer(state, action)
    if action == at.END_TURN:
        return True
    if action >= at.USE_POWER:
        leader = player(state[at.ACTIVE])
        return may_use_power(state, table) and _is_right_target(
            state, table, card_of(state, leader), leader, IS_MAGIC, action
        )
    if action >= at.ATTACK_WITH:
        return _may_attack(state, table, action)
    return action >= at.PLAY and _may_play(state, table, action)
