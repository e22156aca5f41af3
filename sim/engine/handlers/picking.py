"""Which card a row brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.faults import spend_steps
from sim.engine.general.groups import card_of, has_card
from sim.engine.general.measures import roll
from sim.engine.zones import board, player

LOOKS_IN_A_STEP = 16  # cards of a long list that cost as much as one step


@compiled(i64(Words, i64, i64))
def card_of_row(table: Any, row: int, k: int) -> int:
    """The k-th card that a row names; of one alone there is no list."""
    argument = table[row + at.ROW_ARGUMENT]
    return argument if table[row + at.ROW_N_CARDS] <= 1 else table[argument + k]


@compiled(i64(Words, Words, i64, i64))
def pick_card(state: Any, table: Any, row: int, source: int) -> int:
    """The card that a row names, or one at random of several."""
    n_cards = table[row + at.ROW_N_CARDS]
    return card_of_row(table, row, roll(state, source, n_cards) if n_cards > 1 else 0)


def _picker(fits: Callable[[Any, Any, int, int], int]) -> Callable[[Any, Any, int, int, int], int]:
    """What picks one at random of a row's cards that fit a seat or a class, or `BLANK`."""

    @compiled(i64(Words, Words, i64, i64, i64))
    def pick(state: Any, table: Any, row: int, source: int, whom: int) -> int:
        n_cards = table[row + at.ROW_N_CARDS]
        n_fit = 0
        spend_steps(state, table, n_cards // LOOKS_IN_A_STEP)
        for k in range(n_cards):
            n_fit += fits(state, table, whom, card_of_row(table, row, k))
        left = roll(state, source, n_fit) if n_fit > 0 else 0
        for k in range(n_cards):
            card = card_of_row(table, row, k)
            if fits(state, table, whom, card):
                if left == 0:
                    return card
                left -= 1
        return at.BLANK

    return pick


@compiled(i64(Words, Words, i64, i64))
def _is_absent(state: Any, table: Any, seat: int, card: int) -> bool:
    return not has_card(state, board(seat), card)


@compiled(i64(Words, Words, i64, i64))
def _is_of_hero(state: Any, table: Any, hero: int, card: int) -> bool:
    return table[at.CARDS + at.CARD_SIZE * card + at.CARD_HERO] == hero


pick_absent_card = _picker(_is_absent)  # one that a seat does not have on its board
_pick_card_of_hero = _picker(_is_of_hero)


@compiled(i64(Words, Words, i64, i64))
def pick_enemy_card(state: Any, table: Any, row: int, source: int) -> int:
    """One at random of the row's cards that are of the enemy's class, or `BLANK`."""
    enemy = player(1 - state[source + at.OWNER])
    if state[enemy + at.CARD] == at.BLANK:
        return at.BLANK
    return _pick_card_of_hero(
        state, table, row, source, table[card_of(state, enemy) + at.CARD_HERO]
    )
