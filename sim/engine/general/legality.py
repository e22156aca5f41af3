"""Legality: what the active seat may do under the general rules."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Kind
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import MINION, card_of
from sim.engine.general.measures import holds
from sim.engine.general.secrets import may_hide
from sim.engine.general.targets import (
    is_guarded,
    is_open,
    is_right_target,
    may_attack,
    target_record,
)
from sim.engine.listing import NO_RECORD
from sim.engine.zones import board, hand, item, player

SPELL, SECRET = int(Kind.SPELL), int(Kind.SECRET)
IS_MAGIC = 1


@compiled(i64(i64))
def source_of(action: int) -> int:
    """The position of the card or attacker that an action uses."""
    return (action >> at.SOURCE_SHIFT) & at.POSITION_MASK


@compiled(i64(Words, i64, i64))
def text_of(table: Any, card: int, option: int) -> int:
    """Offset of the card whose text counts: its own, or that of the option chosen; 0 if none."""
    return table[card + at.CARD_TEXTS + option]


@compiled(i64(Words, Words, i64, i64, i64))
def has_what_it_needs(state: Any, table: Any, card: int, text: int, record: int) -> bool:
    """Whether the conditions of a card and of the option chosen hold."""
    if table[card + at.CARD_KIND] == SECRET and not may_hide(
        state, state[at.ACTIVE], state[record + at.CARD]
    ):
        return False
    if not holds(state, table, table[card + at.CARD_NEEDS], record, 0, 0, 0):
        return False
    return text == card or holds(state, table, table[text + at.CARD_NEEDS], record, 0, 0, 0)


@compiled(i64(Words, Words, i64))
def can_pay_and_place(state: Any, table: Any, record: int) -> bool:
    """Whether a card of the active seat's hand can be paid for, and its body has room."""
    seat = state[at.ACTIVE]
    if state[record + at.COST] > state[player(seat) + at.MANA]:
        return False
    if state[board(seat)] < table[at.BOARD_LIMIT] or table[at.FULL_BOARD] == 0:
        return True
    return table[card_of(state, record) + at.CARD_KIND] != MINION


@compiled(i64(Words, Words, i64))
def _may_play(state: Any, table: Any, action: int) -> bool:
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
    if place > 0 and (kind != MINION or place > state[board(seat)] + 1):
        return False
    if not has_what_it_needs(state, table, card, text, record):
        return False
    return is_right_target(state, table, text, record, kind == SPELL, action)


@compiled(i64(Words, Words))
def may_use_power(state: Any, table: Any) -> bool:
    """Whether the hero power can be used at all; `is_right_target` says upon whom."""
    leader = player(state[at.ACTIVE])
    if (
        table[at.HERO_POWERS] == 0
        or state[leader + at.CARD] == at.BLANK
        or state[leader + at.POWER_USED]
    ):
        return False
    card = card_of(state, leader)
    if state[leader + at.COST] > state[leader + at.MANA]:
        return False
    return has_what_it_needs(state, table, card, card, leader)


@compiled(i64(Words, Words, i64))
def _may_attack(state: Any, table: Any, action: int) -> bool:
    seat = state[at.ACTIVE]
    source, code = source_of(action), action & at.POSITION_MASK
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
    if not is_open(state, defender, is_guarded(state, 1 - seat)):
        return False
    return may_attack(state, attacker, defender)


@compiled(i64(Words, i64))
def _may_answer(state: Any, action: int) -> bool:
    """Whether an action answers a mulligan (a card to replace, or the end) or a choice."""
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
    """Whether the active seat may take `action` now."""
    if state[at.PHASE] != at.MAIN_PHASE:
        return _may_answer(state, action)
    if action == at.END_TURN:
        return True
    if action >= at.USE_POWER:
        leader = player(state[at.ACTIVE])
        return may_use_power(state, table) and is_right_target(
            state, table, card_of(state, leader), leader, IS_MAGIC, action
        )
    if action >= at.ATTACK_WITH:
        return _may_attack(state, table, action)
    return action >= at.PLAY and _may_play(state, table, action)
