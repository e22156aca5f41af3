"""The card that a row brings: by its place in the row's list, or at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.faults import spend_steps
from sim.engine.general.groups import card_of, has_card
from sim.engine.general.measures import roll
from sim.engine.zones import board, player

LOOKS_IN_A_STEP = 16  # cards of a long list that count as one step; chosen by hand, not measured


@compiled(i64(Words, i64, i64))
def card_of_row(table: Any, row: int, k: int) -> int:
    """Return the k-th card that a row names; a single card is stored without a list."""
    argument = table[row + at.ROW_ARGUMENT]
    return argument if table[row + at.ROW_N_CARDS] <= 1 else table[argument + k]


@compiled(i64(Words, Words, i64, i64))
def pick_card(state: Any, table: Any, row: int, source: int) -> int:
    """Return the card that a row names, or a random one of several."""
    n_cards = table[row + at.ROW_N_CARDS]
    return card_of_row(table, row, roll(state, source, n_cards) if n_cards > 1 else 0)


def _picker(fits: Callable[[Any, Any, int, int], int]) -> Callable[[Any, Any, int, int, int], int]:
    """Return a function that picks a random card of a row's list among those that pass a test.

    Args:
        fits: test of (state, table, key, card), where `key` is a seat or a hero.

    Returns:
        A function of (state, table, row, source, key) to the number of a card, or `BLANK` if none
        passes.
    """

    @compiled(i64(Words, Words, i64, i64, i64))
    def pick(state: Any, table: Any, row: int, source: int, key: int) -> int:
        n_cards = table[row + at.ROW_N_CARDS]
        n_fit = 0
        spend_steps(state, table, n_cards // LOOKS_IN_A_STEP)
        for k in range(n_cards):
            n_fit += fits(state, table, key, card_of_row(table, row, k))
        left = roll(state, source, n_fit) if n_fit > 0 else 0
        for k in range(n_cards):
            card = card_of_row(table, row, k)
            if fits(state, table, key, card):
                if left == 0:
                    return card
                left -= 1
        return at.BLANK

    return pick


@compiled(i64(Words, Words, i64, i64))
def _is_absent(state: Any, table: Any, seat: int, card: int) -> bool:
    """Return whether no minion on a seat's board has this card number."""
    return not has_card(state, board(seat), card)


@compiled(i64(Words, Words, i64, i64))
def _is_of_hero(state: Any, table: Any, hero: int, card: int) -> bool:
    """Return whether a card belongs to a hero's class."""
    return table[at.CARDS + at.CARD_SIZE * card + at.CARD_HERO] == hero


pick_absent_card = _picker(_is_absent)
"""Pick a random card of a row's list that a seat does not have on its board, or `BLANK`."""

_pick_card_of_hero = _picker(_is_of_hero)


@compiled(i64(Words, Words, i64, i64))
def pick_enemy_card(state: Any, table: Any, row: int, source: int) -> int:
    """Return a random card of a row's list that belongs to the enemy's class, or `BLANK`."""
    enemy = player(1 - state[source + at.OWNER])
    if state[enemy + at.CARD] == at.BLANK:
        return at.BLANK
    return _pick_card_of_hero(
        state, table, row, source, table[card_of(state, enemy) + at.CARD_HERO]
    )
