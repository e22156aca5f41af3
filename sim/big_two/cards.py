"""Cards of Big Two, and the actions that play them, as numbers.

Card 4 r + s has rank r, from three (0) over ace (11) to two (12), and suit s: diamonds, clubs,
hearts, spades. So a higher number is a higher card, and a set of cards is one number of 52 bits.

Actions are sets of places in the hand, which is sorted, and passing. Their numbers stand for
places, not for cards: action 1 is the lowest card of any hand. Two to four cards of a rank lie side
by side, so that only neighbouring places make pairs, triples and fours; five cards may lie
anywhere. That is 13 singles, 33 pairs, 31 triples, 1,287 fives and passing: 1,365 actions, and ten
fours behind them for rules that know fours alone. Within a size, sets come by their highest place,
so that those that fit a hand of n cards are the first ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from math import comb

import numpy as np

from sim.errors import InputError

RANKS = "3456789TJQKA2"
SUITS = "dchs"
N_CARDS = 52
N_RANKS = 13
N_SUITS = 4
N_SEATS = 4
HAND_SIZE = 13
DECK = (1 << N_CARDS) - 1
"""The set of all cards."""


def card_text(card: int) -> str:
    """`"3d"` for the diamond three."""
    return RANKS[card // N_SUITS] + SUITS[card % N_SUITS]


def cards_in(cards: int) -> list[int]:
    """The cards of a set, lowest first."""
    return [card for card in range(N_CARDS) if cards >> card & 1]


def set_of(cards: Iterable[int]) -> int:
    """The set of these cards."""
    return sum({1 << int(card) for card in cards})


def set_text(cards: int) -> str:
    """The cards of a set as text, lowest first; a dash for none."""
    return " ".join(map(card_text, cards_in(cards))) or "-"


def read_card(text: str) -> int:
    """The card that a text such as `"3d"` or `"10s"` stands for.

    Raises:
        InputError: it stands for none.
    """
    rank = text[:-1].upper().replace("10", "T")
    suit = text[-1:].lower()
    if len(rank) != 1 or rank not in RANKS or suit not in SUITS:
        raise InputError(
            f"card {text!r}: is none; a rank ({' '.join(RANKS)}) and a suit ({' '.join(SUITS)}) "
            "such as 3d"
        )
    return N_SUITS * RANKS.index(rank) + SUITS.index(suit)


def read_set(text: str) -> int:
    """The set that a text such as `"3d 3c 10s"` stands for.

    Raises:
        InputError: one of its words is no card, or stands there twice.
    """
    cards = [read_card(word) for word in text.split()]
    for card in cards:
        if cards.count(card) > 1:
            raise InputError(f"card {card_text(card)!r}: stands twice in {text!r}")
    return set_of(cards)


# --- actions ---

PASS = 0
N_PLACES = 5
"""Entries of `PLACES` for each action."""


def _sets_of(size: int) -> list[tuple[int, ...]]:
    """The places of all actions of a size, in their order."""
    reach = HAND_SIZE if size == N_PLACES else N_SUITS
    sets = combinations(range(HAND_SIZE), size)
    return sorted((one for one in sets if one[-1] - one[0] < reach), key=lambda one: one[::-1])


_SETS = {size: _sets_of(size) for size in (1, 2, 3, 5, 4)}
_ALL = [(), *chain(*_SETS.values())]
N_ACTIONS = len(_ALL)

SIZES = np.array([len(one) for one in _ALL])
"""``[N_ACTIONS]`` how many cards each action plays."""

PLACES = np.array([[*one, *[0] * (N_PLACES - len(one))] for one in _ALL]).ravel()
"""``[N_ACTIONS * N_PLACES]`` the places of each action, lowest first."""

FIRST = np.array([PASS, *(_ALL.index(_SETS[size][0]) for size in range(1, N_PLACES + 1))])
"""``[6]`` the first action of each size."""

FITTING = np.array(
    [[sum(len(one) == size and one[-1] < n for one in _ALL[1:]) for n in range(HAND_SIZE + 1)]
     for size in range(N_PLACES + 1)]
)  # fmt: skip
"""``[6, 14]`` how many actions of each size a hand of so many cards has room for."""

CHOOSE = np.array([[comb(n, k) for n in range(HAND_SIZE + 1)] for k in range(N_PLACES + 1)])
"""``[6, 14]`` in how many ways k of n places can be chosen: fives come in the order of
c(e, 5) + c(d, 4) + c(c, 3) + c(b, 2) + a for the places a < b < c < d < e."""

FIRST_FOUR = int(FIRST[4])
"""How many actions there are without fours alone."""


def places_of(action: int) -> tuple[int, ...]:
    """The places in the sorted hand whose cards an action plays."""
    return _ALL[action]
