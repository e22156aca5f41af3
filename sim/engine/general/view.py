"""The general view: any game as numbers in 0..1.

What stands where, and by what each value is divided, is written down once, in
`sim.observation.general_view`; the functions here write whole numbers in that order and divide at
the end. The view's words (`sim.engine.layout.VIEW_*`) say how many places there are; actions have a
module of their own, `view_actions`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.cards.vocabulary import BODY_KEYWORDS, Keyword, Kind
from sim.engine.addresses import address_of
from sim.engine.compiled import MARK, RULE, SEE, Floats, Words, compiled, i64, none
from sim.engine.general.choices import list_legal
from sim.engine.general.groups import card_of
from sim.engine.general.view_actions import from_engine, mark, to_engine
from sim.engine.layout import (
    ACTIVE,
    ARMOR,
    ATTACK,
    ATTACK_WITH,
    BLANK,
    BOARD_LIMIT,
    CARD,
    CARD_ATTACK,
    CARD_COST,
    CARD_HEALTH,
    CARD_KEYWORDS,
    CARD_KIND,
    CARD_OF_SLOT,
    CARD_OVERLOAD,
    CARD_SIZE,
    CARD_SPELL_DAMAGE,
    CARDS,
    CHOICE_PHASE,
    CHOICES,
    COST,
    FATIGUE,
    HEALTH,
    IS_FROZEN,
    IS_MARKED,
    IS_NEW,
    IS_SILENCED,
    KEYWORDS,
    MANA,
    MANA_CAP,
    MAX_HEALTH,
    N_CARDS_LEFT,
    N_MINIONS_PLAYED,
    N_PLAYED,
    OVERLOAD_LOCKED,
    OVERLOAD_OWED,
    PHASE,
    PLAY,
    POSITION_MASK,
    POWER_USED,
    READY,
    RESULT,
    RUNNING,
    SOURCE_SHIFT,
    SPELL_DAMAGE,
    SPELL_POWER,
    STATUS,
    TURN,
    VIEW_CHOICES,
    VIEW_CODES,
    VIEW_HAND_PLACES,
    VIEW_N_VALUES,
    VIEW_SCALES,
    WEAPON,
)
from sim.engine.listing import list_actions, listed
from sim.engine.zones import board, hand, item, player, secrets
from sim.ruleset import N_SEATS

N_PHASES = 3
N_KEYWORDS = len(BODY_KEYWORDS)
IMMUNE = int(Keyword.IMMUNE)
# An option is played as its card, and no hand holds a power: the kinds of cards in hands.
N_HAND_KINDS = 4
MINION, SPELL, WEAPON_KIND = int(Kind.MINION), int(Kind.SPELL), int(Kind.WEAPON)
CARD_VALUES = 7 + N_HAND_KINDS + N_KEYWORDS  # of a place in the hand
PLAYABLE = N_HAND_KINDS + 3  # among them
MINION_VALUES = 8 + N_KEYWORDS  # of a place on a board
PLAYER_VALUES = 24


@compiled(i64(Floats, i64, i64, i64))
def _write_bits(values: Any, at: int, bits: int, n_bits: int) -> int:
    """Write the lowest bits of a number, the lowest first; returns where the next value goes."""
    for bit in range(n_bits):
        values[at + bit] = (bits >> bit) & 1
    return at + n_bits


@compiled(i64(Words, i64, Floats, i64), apart=True)
def _see_player(state: Any, seat: int, values: Any, at: int) -> int:
    """Write what everybody knows of a player; returns where the next value goes."""
    leader = player(seat)
    weapon = state[leader + WEAPON]
    values[at] = state[leader + HEALTH]
    values[at + 1] = state[leader + MAX_HEALTH]
    values[at + 2] = state[leader + ARMOR]
    values[at + 3] = state[leader + ATTACK]
    values[at + 4] = state[leader + READY]
    values[at + 5] = (state[leader + STATUS] & IS_FROZEN) != 0
    values[at + 6] = (state[leader + KEYWORDS] & IMMUNE) != 0
    values[at + 7] = state[weapon + ATTACK] if weapon else 0
    values[at + 8] = state[weapon + HEALTH] if weapon else 0
    values[at + 9] = state[leader + POWER_USED]
    values[at + 10] = state[leader + MANA]
    values[at + 11] = state[leader + MANA_CAP]
    values[at + 12] = state[leader + OVERLOAD_OWED]
    values[at + 13] = state[leader + OVERLOAD_LOCKED]
    values[at + 14] = state[leader + N_PLAYED]
    values[at + 15] = state[leader + SPELL_DAMAGE]
    values[at + 16] = state[leader + N_MINIONS_PLAYED]
    values[at + 17] = state[leader + FATIGUE]
    values[at + 18] = state[leader + N_CARDS_LEFT]
    values[at + 19] = state[hand(seat)]
    values[at + 20] = state[board(seat)]
    values[at + 21] = weapon != 0
    values[at + 22] = state[leader + CARD] != BLANK
    values[at + 23] = state[secrets(seat)]
    return at + PLAYER_VALUES


@compiled(none(Words, i64, Floats, i64))
def _see_printed(table: Any, card: int, values: Any, at: int) -> None:
    """Write what is printed on a card and never changes, and its kind."""
    kind = table[card + CARD_KIND]
    for k in range(N_HAND_KINDS):
        values[at + k] = kind == k
    if kind > WEAPON_KIND:  # a secret
        values[at + N_HAND_KINDS - 1] = 1
    values[at + N_HAND_KINDS + 5] = table[card + CARD_SPELL_DAMAGE]
    values[at + N_HAND_KINDS + 6] = table[card + CARD_OVERLOAD]


@compiled(i64(Words, Words, i64, Floats, i64), apart=True)
def _see_card(state: Any, table: Any, record: int, values: Any, at: int) -> int:
    """Write a card of the own hand, but for whether it is playable."""
    _see_printed(table, card_of(state, record), values, at)
    values[at + N_HAND_KINDS] = state[record + COST]
    values[at + N_HAND_KINDS + 1] = state[record + ATTACK]
    values[at + N_HAND_KINDS + 2] = state[record + HEALTH]
    values[at + N_HAND_KINDS + 4] = (state[record + STATUS] & IS_MARKED) != 0
    bits = state[record + KEYWORDS]
    return _write_bits(values, at + CARD_VALUES - N_KEYWORDS, bits, N_KEYWORDS)


@compiled(i64(Words, i64, Floats, i64), apart=True)
def _see_choice(table: Any, card: int, values: Any, at: int) -> int:
    """Write a card that can be chosen, in the form of a card of the hand."""
    _see_printed(table, card, values, at)
    values[at + N_HAND_KINDS] = table[card + CARD_COST]
    values[at + N_HAND_KINDS + 1] = table[card + CARD_ATTACK]
    values[at + N_HAND_KINDS + 2] = table[card + CARD_HEALTH]
    values[at + PLAYABLE] = 1
    bits = table[card + CARD_KEYWORDS]
    return _write_bits(values, at + CARD_VALUES - N_KEYWORDS, bits, N_KEYWORDS)


@compiled(i64(Words, Words, i64, Floats, i64), apart=True)
def _see_minion(state: Any, table: Any, minion: int, values: Any, at: int) -> int:
    status = state[minion + STATUS]
    values[at] = state[minion + ATTACK]
    values[at + 1] = state[minion + HEALTH]
    values[at + 2] = state[minion + MAX_HEALTH]
    values[at + 3] = state[minion + READY]
    values[at + 4] = (status & IS_FROZEN) != 0
    values[at + 5] = (status & IS_SILENCED) != 0
    values[at + 6] = (status & IS_NEW) != 0
    values[at + 7] = state[minion + SPELL_POWER]
    return _write_bits(values, at + 8, state[minion + KEYWORDS], N_KEYWORDS)


@compiled(i64(Words, Words, i64))
def _text(state: Any, view: Any, record: int) -> int:
    """The number of the text that a record has, 0 if it has none, or none any more."""
    if state[record + CARD] == BLANK or state[record + STATUS] & IS_SILENCED:
        return 0
    return view[VIEW_CODES + state[record + CARD]]


@compiled(i64(Words, i64))
def _n_choices(state: Any, n_places: int) -> int:
    """How many cards the seat to move can choose from."""
    return min(state[CHOICES], n_places) if state[PHASE] == CHOICE_PHASE else 0


@compiled(i64(Words, i64))
def _choice(state: Any, k: int) -> int:
    """The number of the k-th card to choose from."""
    slot = state[CHOICES + 1 + k]
    return state[player(state[ACTIVE]) + CARD_OF_SLOT + slot]


@compiled(none(Words, Words, Words, Floats, i64))
def _mark_playable(state: Any, table: Any, view: Any, values: Any, first: int) -> None:
    """Mark the cards of the hand that some legal action uses; `first` is the hand's first value."""
    for k in range(list_actions(state, table)):
        action = listed(state, k)
        if action >= PLAY and action < ATTACK_WITH and state[PHASE] != CHOICE_PHASE:
            source = (action >> SOURCE_SHIFT) & POSITION_MASK
            values[first + CARD_VALUES * source + PLAYABLE] = 1


@compiled(i64(Words, Words, Words, Floats, i64), apart=True)
def _see_zones(state: Any, table: Any, view: Any, values: Any, at: int) -> int:
    """Write hand, boards and choices."""
    seat = state[ACTIVE]
    for position in range(state[hand(seat)]):
        record = item(state, hand(seat), position)
        _see_card(state, table, record, values, at + CARD_VALUES * position)
    if state[RESULT] == RUNNING:
        _mark_playable(state, table, view, values, at)
    at += CARD_VALUES * view[VIEW_HAND_PLACES]
    for turn in range(N_SEATS):
        zone = board(1 - seat if turn else seat)
        for position in range(state[zone]):
            minion = item(state, zone, position)
            _see_minion(state, table, minion, values, at + MINION_VALUES * position)
        at += MINION_VALUES * table[BOARD_LIMIT]
    for k in range(_n_choices(state, view[VIEW_CHOICES])):
        card = CARDS + CARD_SIZE * _choice(state, k)
        _see_choice(table, card, values, at + CARD_VALUES * k)
    return at + CARD_VALUES * view[VIEW_CHOICES]


@compiled(none(Words, Words, Words, Floats, i64), apart=True)
def _see_texts(state: Any, table: Any, view: Any, values: Any, at: int) -> None:
    """Write the numbers of all texts: hand, boards, weapons, powers, choices."""
    seat = state[ACTIVE]
    for position in range(state[hand(seat)]):
        values[at + position] = _text(state, view, item(state, hand(seat), position))
    at += view[VIEW_HAND_PLACES]
    for turn in range(N_SEATS):
        zone = board(1 - seat if turn else seat)
        for position in range(state[zone]):
            values[at + position] = _text(state, view, item(state, zone, position))
        at += table[BOARD_LIMIT]
    for turn in range(N_SEATS):
        leader = player(1 - seat if turn else seat)
        weapon = state[leader + WEAPON]
        values[at + turn] = _text(state, view, weapon) if weapon else 0
        power = state[leader + CARD]
        values[at + N_SEATS + turn] = view[VIEW_CODES + power] if power != BLANK else 0
    at += 2 * N_SEATS
    for k in range(_n_choices(state, view[VIEW_CHOICES])):
        values[at + k] = view[VIEW_CODES + _choice(state, k)]


def see(state: Any, table: Any, view: Any, values: Any) -> None:
    """Write what the seat to move sees: ``[n_values]``, see `general_view.columns`."""
    n_values, seat = view[VIEW_N_VALUES], state[ACTIVE]
    for at in range(n_values):
        values[at] = 0
    values[state[PHASE]] = 1
    values[N_PHASES] = state[TURN]
    values[N_PHASES + 1] = seat
    at = _see_player(state, seat, values, N_PHASES + 2)
    at = _see_player(state, 1 - seat, values, at)
    at = _see_zones(state, table, view, values, at)
    _see_texts(state, table, view, values, at)
    scales = view[VIEW_SCALES]
    for at in range(n_values):
        scale = view[scales + at]
        if scale:
            values[at] = min(max(values[at], 0), scale) / scale


@cache
def _addresses() -> tuple[int, ...]:
    translators = (to_engine, RULE), (from_engine, RULE)
    kinds = ((see, SEE), (mark, MARK), *translators, (list_legal, RULE))
    return tuple(address_of(entry, signature) for entry, signature in kinds)


def view_entry_words() -> npt.NDArray[np.int16]:
    """The addresses of the view's functions as words, from `sim.engine.layout.VIEW_SEE` on."""
    return np.array(_addresses(), dtype="<u8").view(np.int16)
