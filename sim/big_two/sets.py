"""Strength of sets of cards, as a number: of two sets of the same size, the higher number wins.

The high bits of a strength are the kind of the set. The bits below decide between sets of that
kind. Strength 0 means that the cards may not be played together. The straights and their order are
data: the table `order`, which the rules provide (`sim.big_two.rules.BigTwoRules.order`).
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
"""Names of the kinds of sets, in the order of the kinds' numbers from 0."""

KIND_SHIFT = 24  # a flush by suit needs 22 bits below the kind
ORDER_SIZE = 1 << N_RANKS
"""Size of the table `order`, which has an entry for each set of ranks, as bits.

The bits below `MAY_GROW` describe a straight. The low `PLACE_SHIFT` bits are its top rank, the bits
above them its place in the order of straights, from 1. If the ranks are no straight, all these bits
are 0.
"""

PLACE_SHIFT = 4  # the top rank of a straight needs four bits
MAY_GROW = 1 << 16
"""Bit of an entry of `order`: more cards can make the ranks a set of five other than a flush."""

_STRAIGHT = MAY_GROW - 1  # mask of the part of an entry that describes a straight
# The entry of `order` for the empty set of ranks has another meaning: whether flushes are compared
# by suit first.
FLUSH_BY_SUIT = 0


@compiled(i64(i64, i64))
def _strength_of_kind(kind: int, within: int) -> int:
    """Return the strength of a set as a number with its kind in the high bits.

    Args:
        kind: number of the kind of the set.
        within: number that decides between sets of that kind, below 2 ** `KIND_SHIFT`.
    """
    return (kind << KIND_SHIFT) | within


@compiled(i64(i64, i64, i64, i64, i64, i64))
def _suit_of_rank(rank: int, a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the suit of the card of rank `rank` among five cards of different ranks."""
    card = e
    for other in (a, b, c, d):
        if other >> 2 == rank:
            card = other
    return card & 3


@compiled(i64(Vector, i64, i64, i64, i64, i64))
def strength_of_five(order: Any, a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the strength of five cards; 0 if they may not be played together.

    Args:
        order: order of straights and flushes (`BigTwoRules.order`).
        a: lowest card.
        b: second card.
        c: third card.
        d: fourth card.
        e: highest card.
    """
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
            return _strength_of_kind(kind, (straight >> PLACE_SHIFT) << 2 | suit)
        if not is_flush:
            return 0
        by_rank = high << 16 | fourth << 12 | middle << 8 | second << 4 | low
        suit = a & 3
        by_suit = suit << 20 | by_rank
        return _strength_of_kind(FLUSH, by_suit if order[FLUSH_BY_SUIT] else by_rank << 2 | suit)
    if low == fourth or second == high:
        return _strength_of_kind(FOUR_AND_ONE, middle)
    if (low == middle and fourth == high) or (low == second and middle == high):
        return _strength_of_kind(FULL_HOUSE, middle)
    return 0


@compiled(i64(i64, i64, i64, i64, i64))
def strength_of_few(size: int, a: int, b: int, c: int, d: int) -> int:
    """Return the strength of one to four cards; 0 if they have different ranks.

    Args:
        size: number of cards in the set, 1 to 4; further arguments are ignored.
        a: lowest card.
        b: second card.
        c: third card.
        d: fourth card.
    """
    rank = a >> 2
    if size == 1:
        return _strength_of_kind(SINGLE, a)
    if b >> 2 != rank:
        return 0
    if size == 2:
        return _strength_of_kind(PAIR, b)
    if c >> 2 != rank:
        return 0
    if size == 3:
        return _strength_of_kind(TRIPLE, rank)
    return _strength_of_kind(FOUR, rank) if d >> 2 == rank else 0


@compiled(i64(Vector, i64), from_python=True)
def strength(order: Any, cards: int) -> int:
    """Return the strength of a set of cards of any size; 0 if it may not be played.

    Args:
        order: order of straights and flushes (`BigTwoRules.order`).
        cards: set of cards, as a number of 52 bits.
    """
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
    # The highest card is in `e`. Move the cards to the front, so that the lowest is in `a`.
    for _ in range(5 - size):
        a = b
        b = c
        c = d
        d = e
    return strength_of_few(size, a, b, c, d)


def kind_of(order: Any, cards: int) -> str:
    """Return the name of the kind of a set of cards; `nothing` if it may not be played.

    Args:
        order: order of straights and flushes (`BigTwoRules.order`).
        cards: set of cards.
    """
    return KINDS[strength(order, cards) >> KIND_SHIFT]
