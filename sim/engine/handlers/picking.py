"""Choice of the card that a row gives or summons, by its place in the row's list or at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.faults import spend_steps
from sim.engine.general.groups import card_of, has_card
from sim.engine.general.measures import roll
from sim.engine.zones import board, player

# Number of cards examined per counted step of resolution. Chosen by hand, not measured.
LOOKS_IN_A_STEP = 16


@compiled(i64(Words, i64, i64))
def card_of_row(table: Any, row: int, k: int) -> int:
    """Return the number of the k-th card that a row names; a single card has no list."""
    argument = table[row + at.ROW_ARGUMENT]
    return argument if table[row + at.ROW_N_CARDS] <= 1 else table[argument + k]


@compiled(i64(Words, Words, i64, i64))
def pick_card(state: Any, table: Any, row: int, source: int) -> int:
    """Return the number of the card that a row names, or of a random card if it names several."""
    n_cards = table[row + at.ROW_N_CARDS]
    return card_of_row(table, row, roll(state, source, n_cards) if n_cards > 1 else 0)


def _picker(fits: Callable[[Any, Any, int, int], int]) -> Callable[[Any, Any, int, int, int], int]:
    """Return a function that picks a random card of a row's list among those that pass a test.

    Args:
        fits: test of (state, table, key, card), where `key` is a seat or a hero.

    Returns:
        A function of (state, table, row, source, key) that returns the number of a card, or `BLANK`
        if no card passes.
    """

    @compiled(i64(Words, Words, i64, i64, i64))
    def pick(state: Any, table: Any, row: int, source: int, key: int) -> int:
        n_cards = table[row + at.ROW_N_CARDS]
        n_fit = 0
        spend_steps(state, table, n_cards // LOOKS_IN_A_STEP)
        for k in range(n_cards):
            n_fit += fits(state, table, key, card_of_row(table, row, k))
        # Two passes instead of a list of candidates, since compiled code has no memory of its own.
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
    """Return whether no minion on a seat's board has the card number `card`."""
    return not has_card(state, board(seat), card)


@compiled(i64(Words, Words, i64, i64))
def _is_of_hero(state: Any, table: Any, hero: int, card: int) -> bool:
    """Return whether the card number `card` belongs to a hero's class."""
    return table[at.CARDS + at.CARD_SIZE * card + at.CARD_HERO] == hero


pick_absent_card: Callable[[Any, Any, int, int, int], int] = _picker(_is_absent)
"""Function that picks a random card of a row's list that is not on a seat's board.

It returns `BLANK` if all cards of the list are on that board.
"""

_pick_card_of_hero = _picker(_is_of_hero)


@compiled(i64(Words, Words, i64, i64))
def pick_enemy_card(state: Any, table: Any, row: int, source: int) -> int:
    """Return the number of a random card of a row's list that belongs to the enemy's class.

    It returns `BLANK` if the list has no such card or the enemy has no hero power.
    """
    enemy = player(1 - state[source + at.OWNER])
    if state[enemy + at.CARD] == at.BLANK:
        return at.BLANK
    return _pick_card_of_hero(
        state, table, row, source, table[card_of(state, enemy) + at.CARD_HERO]
    )
