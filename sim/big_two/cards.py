"""Cards of Big Two, and the actions that play them, as numbers.

Card 4 r + s has rank r, from three (0) over ace (11) to two (12), and suit s: diamonds (0), clubs,
hearts, spades (3). A higher number is a higher card. A set of cards is a number of 52 bits, of
which bit k is set if card k is in the set.

An action is passing, or a set of places in the sorted hand. An action number therefore refers to
places and not to cards: action 1 plays the lowest card of any hand. Cards of equal rank are next to
each other, so the places of pairs, triples and fours are close together; five cards may have any
places. The actions are passing, 13 singles, 33 pairs, 31 triples and 1,287 fives, 1,365 in total.
Ten fours follow, for rules that allow fours without a fifth card. Actions of one size are ordered
by their highest place, so actions that fit a hand of n cards come first.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from math import comb

import numpy as np
import numpy.typing as npt

from sim.errors import InputError

RANKS = "3456789TJQKA2"
SUITS = "dchs"
N_CARDS = 52
N_RANKS = 13
N_SUITS = 4
N_SEATS = 4
HAND_SIZE = 13
DECK = (1 << N_CARDS) - 1
"""Set of all 52 cards."""


def card_text(card: int) -> str:
    """Return the text of a card, such as `"3d"` for the three of diamonds."""
    return RANKS[card // N_SUITS] + SUITS[card % N_SUITS]


def cards_in(cards: int) -> list[int]:
    """Return the numbers of the cards in a set, from the lowest to the highest."""
    return [card for card in range(N_CARDS) if cards >> card & 1]


def set_of(cards: Iterable[int]) -> int:
    """Return the set of the given card numbers; repeated numbers count once."""
    return sum({1 << int(card) for card in cards})


def set_text(cards: int) -> str:
    """Return a set as text in rising order, such as `"3d 3c"`; `"-"` for the empty set."""
    return " ".join(map(card_text, cards_in(cards))) or "-"


def read_card(text: str) -> int:
    """Return the number of the card with a text such as `"3d"` or `"10s"`, in any letter case.

    Raises:
        InputError: the text is not a rank and a suit.
    """
    rank = text[:-1].upper().replace("10", "T")
    suit = text[-1:].lower()
    if len(rank) != 1 or rank not in RANKS or suit not in SUITS:
        raise InputError(
            "there is no such card",
            place=f"card {text!r}",
            value=text,
            remedy=f"give a rank ({' '.join(RANKS)}) and a suit ({' '.join(SUITS)}), such as 3d",
        )
    return N_SUITS * RANKS.index(rank) + SUITS.index(suit)


def read_set(text: str) -> int:
    """Return the set of the cards in a text such as `"3d 3c 10s"`; `""` is the empty set.

    Raises:
        InputError: a word of the text is not a card, or a card occurs twice.
    """
    cards = [read_card(word) for word in text.split()]
    for card in cards:
        if cards.count(card) > 1:
            raise InputError(
                f"occurs twice in {text!r}", place=f"card {card_text(card)!r}", value=text
            )
    return set_of(cards)


# --- actions: passing, or places of cards in the sorted hand ---

PASS = 0
"""Number of the action that passes."""

N_PLACES = 5
"""Size of the largest sets, which is also the number of entries of `PLACES` for each action."""


def _sets_of(size: int) -> list[tuple[int, ...]]:
    """Return the places of each action that plays `size` cards, in the order of their numbers.

    Four or fewer cards must have equal ranks, so only places that are close together are included.
    """
    reach = HAND_SIZE if size == N_PLACES else N_SUITS
    sets = combinations(range(HAND_SIZE), size)
    return sorted(
        (places for places in sets if places[-1] - places[0] < reach),
        key=lambda places: places[::-1],
    )


# Fours come last, so that rules without them have the same action numbers as rules with them.
_SETS = {size: _sets_of(size) for size in (1, 2, 3, 5, 4)}
_ALL = [(), *chain(*_SETS.values())]
N_ACTIONS = len(_ALL)

SIZES = np.array([len(places) for places in _ALL])
"""Number of cards that each action plays, shape ``[N_ACTIONS]``."""

PLACES: npt.NDArray[np.int64] = np.array(
    [[*places, *[0] * (N_PLACES - len(places))] for places in _ALL]
).ravel()
"""Places of each action in rising order, padded with 0, shape ``[N_ACTIONS * N_PLACES]``."""

FIRST = np.array([PASS, *(_ALL.index(_SETS[size][0]) for size in range(1, N_PLACES + 1))])
"""Number of the first action of each size from 0 (passing) to 5, shape ``[6]``."""

FITTING = np.array(
    [[sum(len(places) == size and places[-1] < n for places in _ALL[1:])
      for n in range(HAND_SIZE + 1)]
     for size in range(N_PLACES + 1)]
)  # fmt: skip
"""Number of actions that fit a hand, by size of the set and cards in hand, shape ``[6, 14]``."""

CHOOSE = np.array([[comb(n, k) for n in range(HAND_SIZE + 1)] for k in range(N_PLACES + 1)])
"""Binomial coefficients: entry [k, n] is the number of ways to choose k of n, shape ``[6, 14]``.

The number of a five with places a < b < c < d < e, counted from the first five, is
C(e, 5) + C(d, 4) + C(c, 3) + C(b, 2) + a.
"""

FIRST_FOUR = int(FIRST[4])
"""Number of the first four, which is the number of actions under rules without such fours."""


def places_of(action: int) -> tuple[int, ...]:
    """Return the places in the sorted hand that an action plays, in rising order."""
    return _ALL[action]
