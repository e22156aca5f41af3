"""Cards of Big Two, and the actions that play them, as numbers.

Card 4 r + s has rank r, from three (0) over ace (11) to two (12), and suit s: diamonds, clubs,
hearts, spades. A higher number is a higher card. A set of cards is one number of 52 bits.

Actions are sets of places in the sorted hand, and passing. Their numbers stand for places and not
for cards: action 1 plays the lowest card of any hand. Two to four cards of a rank lie next to each
other, so pairs, triples and fours need only neighbouring places; five cards may lie anywhere. There
are 13 singles, 33 pairs, 31 triples, 1,287 fives and passing: 1,365 actions. Ten fours follow them,
for rules that allow fours without a fifth card. Within a size, actions are ordered by their highest
place, so those that fit a hand of n cards come first.
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
    """Return a card as text, such as `"3d"` for the three of diamonds."""
    return RANKS[card // N_SUITS] + SUITS[card % N_SUITS]


def cards_in(cards: int) -> list[int]:
    """Return the cards of a set, the lowest first."""
    return [card for card in range(N_CARDS) if cards >> card & 1]


def set_of(cards: Iterable[int]) -> int:
    """Return the set of some cards as a number."""
    return sum({1 << int(card) for card in cards})


def set_text(cards: int) -> str:
    """Return a set as text, the lowest card first; a dash for the empty set."""
    return " ".join(map(card_text, cards_in(cards))) or "-"


def read_card(text: str) -> int:
    """Return the card that a text such as `"3d"` or `"10s"` stands for.

    Raises:
        InputError: the text is no card.
    """
    rank = text[:-1].upper().replace("10", "T")
    suit = text[-1:].lower()
    if len(rank) != 1 or rank not in RANKS or suit not in SUITS:
        raise InputError(
            "is no card",
            place=f"card {text!r}",
            value=text,
            remedy=f"give a rank ({' '.join(RANKS)}) and a suit ({' '.join(SUITS)}), such as 3d",
        )
    return N_SUITS * RANKS.index(rank) + SUITS.index(suit)


def read_set(text: str) -> int:
    """Return the set that a text such as `"3d 3c 10s"` stands for.

    Raises:
        InputError: a word of the text is no card, or occurs twice.
    """
    cards = [read_card(word) for word in text.split()]
    for card in cards:
        if cards.count(card) > 1:
            raise InputError(
                f"occurs twice in {text!r}", place=f"card {card_text(card)!r}", value=text
            )
    return set_of(cards)


# --- actions ---

PASS = 0
N_PLACES = 5
"""Number of entries of `PLACES` for each action, the size of the largest sets."""


def _sets_of(size: int) -> list[tuple[int, ...]]:
    """Return the places of all actions of a size, in the order of their numbers."""
    reach = HAND_SIZE if size == N_PLACES else N_SUITS
    sets = combinations(range(HAND_SIZE), size)
    return sorted(
        (places for places in sets if places[-1] - places[0] < reach),
        key=lambda places: places[::-1],
    )


# Fours come last: without them, under most rules, the actions are the first ones of all.
_SETS = {size: _sets_of(size) for size in (1, 2, 3, 5, 4)}
_ALL = [(), *chain(*_SETS.values())]
N_ACTIONS = len(_ALL)

SIZES = np.array([len(places) for places in _ALL])
"""Number of cards that each action plays, shape ``[N_ACTIONS]``."""

PLACES = np.array([[*places, *[0] * (N_PLACES - len(places))] for places in _ALL]).ravel()
"""Places of each action, the lowest first, filled up with 0, shape ``[N_ACTIONS * N_PLACES]``."""

FIRST = np.array([PASS, *(_ALL.index(_SETS[size][0]) for size in range(1, N_PLACES + 1))])
"""Number of the first action of each size, shape ``[6]``."""

FITTING = np.array(
    [[sum(len(places) == size and places[-1] < n for places in _ALL[1:])
      for n in range(HAND_SIZE + 1)]
     for size in range(N_PLACES + 1)]
)  # fmt: skip
"""Number of actions of each size that a hand of n cards can play, shape ``[6, 14]``."""

CHOOSE = np.array([[comb(n, k) for n in range(HAND_SIZE + 1)] for k in range(N_PLACES + 1)])
"""``[6, 14]`` binomial coefficients: the number of ways to choose k of n places.

Fives are numbered by c(e, 5) + c(d, 4) + c(c, 3) + c(b, 2) + a for places a < b < c < d < e.
"""

FIRST_FOUR = int(FIRST[4])
"""Number of actions under rules that do not allow fours without a fifth card."""


def places_of(action: int) -> tuple[int, ...]:
    """Return the places in the sorted hand that an action plays."""
    return _ALL[action]
