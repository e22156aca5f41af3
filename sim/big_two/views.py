"""What one seat sees of a game, compiled: zeros and ones, of which observers take the first ones.

1. Its hand by places, in the order of which actions speak: of each card its rank, its suit, whether
   two, three and four of the rank are held, and whether five of the suit are.
2. The cards to be beaten, their kind, and which of the seats after this one played them; all zero
   for who leads.
3. Of each seat after this one: at least how many cards it holds, and whether it has passed.
4. Which cards are gone: this seat's, then those of the seats after it.
"""

from __future__ import annotations

from typing import Any

from sim.big_two import layout as to
from sim.big_two.cards import HAND_SIZE, N_CARDS, N_RANKS, N_SEATS, N_SUITS
from sim.big_two.play import count_cards
from sim.big_two.sets import KIND_SHIFT, KINDS
from sim.engine.compiled import FloatBlock, Vector, compiled, i64, none

_OTHERS = N_SEATS - 1
_SUIT, _ALIKE, _FIVE_SUITED = N_RANKS, N_RANKS + N_SUITS, N_RANKS + N_SUITS + 3
_PLACE_SIZE = _FIVE_SUITED + 1

TABLE = HAND_SIZE * _PLACE_SIZE
_KIND = TABLE + N_CARDS
_OWNER = _KIND + len(KINDS) - 1

COUNTS = _OWNER + _OTHERS
_PASSED = COUNTS + _OTHERS * HAND_SIZE

GONE = _PASSED + _OTHERS

N_VALUES = GONE + N_SEATS * N_CARDS
"""Of all four parts; `TABLE`, `COUNTS` and `GONE` are where the second to fourth begin."""

_SUITED = sum(1 << card for card in range(0, N_CARDS, N_SUITS))


@compiled(none(FloatBlock, i64, i64))
def _mark_cards(values: Any, first: int, cards: int) -> None:
    """Write ones for the cards of a set."""
    card = 0
    while cards:
        values[first + card] = cards & 1
        cards >>= 1
        card += 1


@compiled(none(FloatBlock, i64, i64))
def _see_hand(values: Any, first: int, hand: int) -> None:
    place = 0
    for card in range(N_CARDS):
        if (hand >> card) & 1:
            at, rank, suit = first + place * _PLACE_SIZE, card >> 2, card & 3
            values[at + rank] = values[at + _SUIT + suit] = 1
            for more in range(1, count_cards((hand >> (rank << 2)) & 15)):
                values[at + _ALIKE + more - 1] = 1
            values[at + _FIVE_SUITED] = count_cards((hand >> suit) & _SUITED) >= 5
            place += 1


@compiled(none(Vector, i64, i64, FloatBlock, i64))
def _see_table(games: Any, at: int, seat: int, values: Any, first: int) -> None:
    if games[at + to.TABLE]:
        _mark_cards(values, first + TABLE, games[at + to.TABLE])
        values[first + _KIND + (games[at + to.BEATEN] >> KIND_SHIFT) - 1] = 1
        after = (games[at + to.OWNER] - seat) % N_SEATS
        if after:
            values[first + _OWNER + after - 1] = 1


@compiled(none(Vector, i64, i64, FloatBlock, i64))
def _see_others(games: Any, at: int, seat: int, values: Any, first: int) -> None:
    for after in range(1, N_SEATS):
        other = (seat + after) % N_SEATS
        counted = first + COUNTS + (after - 1) * HAND_SIZE
        for card in range(count_cards(games[at + to.HANDS + other])):
            values[counted + card] = 1
        values[first + _PASSED + after - 1] = (games[at + to.PASSED] >> other) & 1


@compiled(none(Vector, Vector, Vector, FloatBlock, i64), from_python=True)
def see_games(games: Any, rows: Any, seats: Any, values: Any, n_values: int) -> None:
    """Write what one seat sees of each of some games.

    Args:
        games: ``[G * GAME_SIZE]`` words.
        rows: ``[B]`` which games.
        seats: ``[B]`` who looks, whether or not it is to move.
        values: ``[B * n_values]`` overwritten.
        n_values: how many of the view's values; where one of its parts ends.
    """
    for k in range(len(rows)):
        at, seat, first = to.GAME_SIZE * rows[k], seats[k], n_values * k
        for value in range(n_values):
            values[first + value] = 0
        _see_hand(values, first, games[at + to.HANDS + seat])
        _see_table(games, at, seat, values, first)
        if n_values > COUNTS:
            _see_others(games, at, seat, values, first)
        for after in range(N_SEATS if n_values > GONE else 0):
            gone = games[at + to.GONE + (seat + after) % N_SEATS]
            _mark_cards(values, first + GONE + after * N_CARDS, gone)
