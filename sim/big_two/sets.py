"""Sets of cards: their kind and strength as one number, of which the higher beats the lower.

Only sets of one size meet. A number is the kind, in its high bits, and then what decides among
sets of that kind; 0 is no set that may be played. Which five ranks make a straight, and which
straight is the higher, are data: `order`, a table that the rules fill (`sim.big_two.rules`).
"""

from __future__ import annotations

from typing import Any

from sim.big_two.cards import N_CARDS, N_RANKS
from sim.engine.compiled import Vector, compiled, i64

SINGLE = 1
PAIR = 2
TRIPLE = 3
FOUR = 4
STRAIGHT = 5
FLUSH = 6
FULL_HOUSE = 7
FOUR_AND_ONE = 8
STRAIGHT_FLUSH = 9
KINDS = (
    *("nothing", "single", "pair", "triple", "four"),
    *("straight", "flush", "full house", "four and one", "straight flush"),
)
"""What people call the kinds."""

KIND_SHIFT = 24
ORDER_SIZE = 1 << N_RANKS
"""Of `order`: for every set of ranks 0, or which straight it is, from 1 on, and its top rank."""

PLACE_SHIFT = 4  # of the straight's place, above its top rank
MAY_GROW = 1 << 16
"""Set in `order` for ranks of which more cards may still make a set of five, suits aside."""

_STRAIGHT = MAY_GROW - 1
FLUSH_BY_SUIT = 0  # where `order` says, for no ranks, whether flushes go by suit first


@compiled(i64(i64, i64))
def _number(kind: int, within: int) -> int:
    return (kind << KIND_SHIFT) | within


@compiled(i64(i64, i64, i64, i64, i64, i64))
def _suit_of_rank(rank: int, a: int, b: int, c: int, d: int, e: int) -> int:
    """The suit of the one card of a rank among five."""
    card = e
    for other in (a, b, c, d):
        if other >> 2 == rank:
            card = other
    return card & 3


@compiled(i64(Vector, i64, i64, i64, i64, i64))
def strength_of_five(order: Any, a: int, b: int, c: int, d: int, e: int) -> int:
    """The number of five cards, which are told in rising order."""
    low = a >> 2
    second = b >> 2
    middle = c >> 2
    fourth = d >> 2
    high = e >> 2
    if low < second < middle < fourth < high:
        ranks = 1 << low | 1 << second | 1 << middle | 1 << fourth | 1 << high
        straight = order[ranks] & _STRAIGHT
        is_flush = ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3 == 0
        if straight:
            kind = STRAIGHT_FLUSH if is_flush else STRAIGHT
            suit = _suit_of_rank(straight & ((1 << PLACE_SHIFT) - 1), a, b, c, d, e)
            return _number(kind, (straight >> PLACE_SHIFT) << 2 | suit)
        if not is_flush:
            return 0
        by_rank = high << 16 | fourth << 12 | middle << 8 | second << 4 | low
        suit = a & 3
        by_suit = suit << 20 | by_rank
        return _number(FLUSH, by_suit if order[FLUSH_BY_SUIT] else by_rank << 2 | suit)
    if low == fourth or second == high:
        return _number(FOUR_AND_ONE, middle)
    if (low == middle and fourth == high) or (low == second and middle == high):
        return _number(FULL_HOUSE, middle)
    return 0


@compiled(i64(i64, i64, i64, i64, i64))
def strength_of_few(size: int, a: int, b: int, c: int, d: int) -> int:
    """The number of one to four cards, told in rising order; those beyond `size` do not count."""
    rank = a >> 2
    if size == 1:
        return _number(SINGLE, a)
    if b >> 2 != rank:
        return 0
    if size == 2:
        return _number(PAIR, b)
    if c >> 2 != rank:
        return 0
    if size == 3:
        return _number(TRIPLE, rank)
    return _number(FOUR, rank) if d >> 2 == rank else 0


@compiled(i64(Vector, i64), from_python=True)
def strength(order: Any, cards: int) -> int:
    """The number of any set of cards; 0 if it may not be played."""
    size = 0
    a = 0
    b = 0
    c = 0
    d = 0
    e = 0
    for card in range(N_CARDS):
        if (cards >> card) & 1:
            size += 1
            a = b
            b = c
            c = d
            d = e
            e = card
    if size == 5:
        return strength_of_five(order, a, b, c, d, e)
    if size == 0 or size > 5:
        return 0
    for _ in range(5 - size):
        a = b
        b = c
        c = d
        d = e
    return strength_of_few(size, a, b, c, d)


def kind_of(order: Any, cards: int) -> str:
    """What people call the kind of a set of cards."""
    return KINDS[strength(order, cards) >> KIND_SHIFT]
