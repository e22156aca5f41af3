"""General view: observations of any game as quantities in 0..1 and numbers of texts.

The order and the scale of the values are declared once, in `sim.observation.general_view`. The
functions of this module write whole numbers in that order and divide at the end. The view's words
(`sim.engine.layout.VIEW_*`) contain the numbers of places. Action numbers are defined in
`view_actions`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sim.cards.vocabulary import BODY_KEYWORDS, Keyword, Kind
from sim.engine import layout as at
from sim.engine.addresses import address_of, as_words
from sim.engine.compiled import MARK, RULE, SEE, Floats, Words, compiled, i64, none
from sim.engine.general.groups import card_of
from sim.engine.general.view_actions import from_engine, mark, to_engine
from sim.engine.listing import list_actions, listed
from sim.engine.zones import board, hand, item, player
from sim.ruleset import N_SEATS

N_PHASES = 3
N_KEYWORDS = len(BODY_KEYWORDS)
IMMUNE = int(Keyword.IMMUNE)
# Number of kinds of cards in hands. Options and hero powers are never in a hand.
N_HAND_KINDS = 4
CARD_VALUES = 7 + N_HAND_KINDS + N_KEYWORDS  # number of values of a place in the hand
PLAYABLE = N_HAND_KINDS + 3  # position, among a card's values, of the mark of a playable card
MINION_VALUES = 8 + N_KEYWORDS  # number of values of a place on a board
# Words of a player's block, in the order of the values. `_see_player` overwrites values that are
# only a part of their word or belong to the weapon; the comments below name these values.
_PLAYER_WORDS = (
    *(at.HEALTH, at.MAX_HEALTH, at.ARMOR, at.ATTACK, at.READY),
    *(at.STATUS, at.KEYWORDS, at.WEAPON, at.WEAPON),  # frozen, immune, attack, durability
    *(at.POWER_USED, at.MANA, at.MANA_CAP, at.OVERLOAD_OWED, at.OVERLOAD_LOCKED, at.N_PLAYED),
    *(at.SPELL_DAMAGE, at.N_MINIONS_PLAYED, at.FATIGUE, at.N_CARDS_LEFT, at.HAND, at.BOARD),
    *(at.WEAPON, at.CARD, at.SECRETS),  # has a weapon, has a hero power, number of secrets
)
PLAYER_VALUES = len(_PLAYER_WORDS)


@compiled(none(Floats, i64, i64))
def _write_keywords(values: Any, start: int, keywords: int) -> None:
    """Write 1 for each keyword of a minion that is set, else 0, in the order of their bits.

    Args:
        values: values of the observation, changed in place.
        start: offset of the first keyword's value.
        keywords: bits of `Keyword`.
    """
    for bit in range(N_KEYWORDS):
        values[start + bit] = (keywords >> bit) & 1


@compiled(i64(Words, i64, Floats, i64), apart=True)
def _see_player(state: Any, seat: int, values: Any, start: int) -> int:
    """Write the public values of a player and return the offset of the next value.

    Args:
        state: words of the game.
        seat: seat of the player.
        values: values of the observation, changed in place.
        start: offset of the player's first value.
    """
    leader = player(seat)
    weapon = state[leader + at.WEAPON]
    for k, word in enumerate(_PLAYER_WORDS):
        values[start + k] = state[leader + word]
    values[start + 5] = (state[leader + at.STATUS] & at.IS_FROZEN) != 0
    values[start + 6] = (state[leader + at.KEYWORDS] & IMMUNE) != 0
    values[start + 7] = state[weapon + at.ATTACK] if weapon else 0
    values[start + 8] = state[weapon + at.HEALTH] if weapon else 0
    values[start + 21] = weapon != 0
    values[start + 22] = state[leader + at.CARD] != at.BLANK
    return start + PLAYER_VALUES


@compiled(none(Words, i64, i64, i64, i64, i64, Floats, i64), apart=True)
def _see_any_card(
    table: Any,
    card: int,
    cost: int,
    attack: int,
    health: int,
    keywords: int,
    values: Any,
    start: int,
) -> None:
    """Write the values of a card: its changeable numbers as given, and its printed numbers.

    Args:
        table: card table.
        card: offset of the card in the table.
        cost: current cost.
        attack: current attack.
        health: current health.
        keywords: current keywords, bits of `Keyword`.
        values: values of the observation, changed in place.
        start: offset of the card's first value.
    """
    kind = table[card + at.CARD_KIND]
    for k in range(N_HAND_KINDS):
        values[start + k] = kind == k
    if kind > Kind.WEAPON:  # only secrets have a later number among the kinds of cards in hands
        values[start + N_HAND_KINDS - 1] = 1
    values[start + N_HAND_KINDS] = cost
    values[start + N_HAND_KINDS + 1] = attack
    values[start + N_HAND_KINDS + 2] = health
    values[start + N_HAND_KINDS + 5] = table[card + at.CARD_SPELL_DAMAGE]
    values[start + N_HAND_KINDS + 6] = table[card + at.CARD_OVERLOAD]
    _write_keywords(values, start + CARD_VALUES - N_KEYWORDS, keywords)


@compiled(none(Words, Words, i64, Floats, i64))
def _see_card(state: Any, table: Any, record: int, values: Any, start: int) -> None:
    """Write the values of a card of the own hand, except whether it is playable.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        record: record of the card.
        values: values of the observation, changed in place.
        start: offset of the card's first value.
    """
    _see_any_card(
        table,
        card_of(state, record),
        state[record + at.COST],
        state[record + at.ATTACK],
        state[record + at.HEALTH],
        state[record + at.KEYWORDS],
        values,
        start,
    )
    values[start + N_HAND_KINDS + 4] = (state[record + at.STATUS] & at.IS_MARKED) != 0


@compiled(none(Words, i64, Floats, i64))
def _see_choice(table: Any, card: int, values: Any, start: int) -> None:
    """Write the values of a card that can be chosen, in the form of a playable card of the hand.

    Args:
        table: card table of the game's variant.
        card: offset of the card in the table.
        values: values of the observation, changed in place.
        start: offset of the card's first value.
    """
    _see_any_card(
        table,
        card,
        table[card + at.CARD_COST],
        table[card + at.CARD_ATTACK],
        table[card + at.CARD_HEALTH],
        table[card + at.CARD_KEYWORDS],
        values,
        start,
    )
    values[start + PLAYABLE] = 1


@compiled(none(Words, i64, Floats, i64), apart=True)
def _see_minion(state: Any, minion: int, values: Any, start: int) -> None:
    """Write the values of a minion on a board, from offset `start` of the observation."""
    status = state[minion + at.STATUS]
    values[start] = state[minion + at.ATTACK]
    values[start + 1] = state[minion + at.HEALTH]
    values[start + 2] = state[minion + at.MAX_HEALTH]
    values[start + 3] = state[minion + at.READY]
    values[start + 4] = (status & at.IS_FROZEN) != 0
    values[start + 5] = (status & at.IS_SILENCED) != 0
    values[start + 6] = (status & at.IS_NEW) != 0
    values[start + 7] = state[minion + at.SPELL_POWER]
    _write_keywords(values, start + 8, state[minion + at.KEYWORDS])


@compiled(i64(Words, Words, i64))
def _text(state: Any, view: Any, record: int) -> int:
    """Return the number of a record's text, or 0 if it has none or is silenced."""
    if state[record + at.CARD] == at.BLANK or state[record + at.STATUS] & at.IS_SILENCED:
        return 0
    return view[at.VIEW_CODES + state[record + at.CARD]]


@compiled(i64(Words, i64))
def _n_choices(state: Any, n_places: int) -> int:
    """Return the number of cards that the active seat can choose from, at most `n_places`.

    It is 0 if no choice is in progress.
    """
    return min(state[at.CHOICES], n_places) if state[at.PHASE] == at.CHOICE_PHASE else 0


@compiled(i64(Words, i64))
def _choice(state: Any, k: int) -> int:
    """Return the card number of the k-th card to choose from."""
    slot = state[at.CHOICES + 1 + k]
    return state[player(state[at.ACTIVE]) + at.CARD_OF_SLOT + slot]


@compiled(none(Words, Words, Floats, i64))
def _mark_playable(state: Any, table: Any, values: Any, first: int) -> None:
    """Mark each card of the hand that a legal action plays.

    In a mulligan, cards that can be replaced are marked. In a choice, none is marked.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        values: values of the observation, changed in place.
        first: offset of the first value of the hand.
    """
    for k in range(list_actions(state, table)):
        action = listed(state, k)
        if action >= at.PLAY and action < at.ATTACK_WITH and state[at.PHASE] != at.CHOICE_PHASE:
            source = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
            values[first + CARD_VALUES * source + PLAYABLE] = 1


@compiled(i64(Words, Words, Words, Floats, i64), apart=True)
def _see_zones(state: Any, table: Any, view: Any, values: Any, start: int) -> int:
    """Write the values of hand, boards and choices, and return the offset of the next value.

    Cards that can be played are marked only while the game is running.

    Args:
        state: words of the game; its work area is overwritten.
        table: card table of the game's variant.
        view: words of the view.
        values: values of the observation, changed in place.
        start: offset of the hand's first value.
    """
    seat = state[at.ACTIVE]
    for position in range(state[hand(seat)]):
        record = item(state, hand(seat), position)
        _see_card(state, table, record, values, start + CARD_VALUES * position)
    if state[at.RESULT] == at.RUNNING:
        _mark_playable(state, table, values, start)
    start += CARD_VALUES * view[at.VIEW_HAND_PLACES]
    for turn in range(N_SEATS):
        zone = board(1 - seat if turn else seat)
        for position in range(state[zone]):
            minion = item(state, zone, position)
            _see_minion(state, minion, values, start + MINION_VALUES * position)
        start += MINION_VALUES * table[at.BOARD_LIMIT]
    for k in range(_n_choices(state, view[at.VIEW_CHOICES])):
        card = at.CARDS + at.CARD_SIZE * _choice(state, k)
        _see_choice(table, card, values, start + CARD_VALUES * k)
    return start + CARD_VALUES * view[at.VIEW_CHOICES]


@compiled(none(Words, Words, Words, Floats, i64), apart=True)
def _see_texts(state: Any, table: Any, view: Any, values: Any, start: int) -> None:
    """Write the numbers of all texts: hand, boards, weapons, powers, choices.

    Args:
        state: words of the game.
        table: card table of the game's variant.
        view: words of the view.
        values: values of the observation, changed in place.
        start: offset of the first text.
    """
    seat = state[at.ACTIVE]
    for position in range(state[hand(seat)]):
        values[start + position] = _text(state, view, item(state, hand(seat), position))
    start += view[at.VIEW_HAND_PLACES]
    for turn in range(N_SEATS):
        zone = board(1 - seat if turn else seat)
        for position in range(state[zone]):
            values[start + position] = _text(state, view, item(state, zone, position))
        start += table[at.BOARD_LIMIT]
    for turn in range(N_SEATS):
        leader = player(1 - seat if turn else seat)
        weapon = state[leader + at.WEAPON]
        values[start + turn] = _text(state, view, weapon) if weapon else 0
        power = state[leader + at.CARD]
        values[start + N_SEATS + turn] = view[at.VIEW_CODES + power] if power != at.BLANK else 0
    start += 2 * N_SEATS
    for k in range(_n_choices(state, view[at.VIEW_CHOICES])):
        values[start + k] = view[at.VIEW_CODES + _choice(state, k)]


def see(state: Any, table: Any, view: Any, values: Any) -> None:
    """Write the observation of the active seat, as `general_view.columns` describes it.

    Values with a scale are clipped to 0..scale and divided by the scale.

    Args:
        state: words of a game; its work area is overwritten.
        table: card table of the game's variant.
        view: words of the view.
        values: the observation, overwritten, shape ``[n_values]``.
    """
    n_values = view[at.VIEW_N_VALUES]
    seat = state[at.ACTIVE]
    for word in range(n_values):
        values[word] = 0
    values[state[at.PHASE]] = 1
    values[N_PHASES] = state[at.TURN]
    values[N_PHASES + 1] = seat
    start = _see_player(state, seat, values, N_PHASES + 2)
    start = _see_player(state, 1 - seat, values, start)
    start = _see_zones(state, table, view, values, start)
    _see_texts(state, table, view, values, start)
    scales = view[at.VIEW_SCALES]
    for word in range(n_values):
        scale = view[scales + word]
        if scale:
            values[word] = min(max(values[word], 0), scale) / scale


def view_entry_words() -> npt.NDArray[np.int16]:
    """Return the addresses of the view's functions as words, from `layout.VIEW_SEE` on."""
    entries = (see, SEE), (mark, MARK), (to_engine, RULE), (from_engine, RULE)
    return as_words(address_of(entry, signature) for entry, signature in entries)
