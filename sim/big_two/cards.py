"""Cards of Big Two: 52 of them, as numbers, as bits of a set, and as text.

Card 4 r + s has rank r, from three (0) over ace (11) to two (12), and suit s: diamonds, clubs,
hearts, spades. So a higher number is a higher card, and a set of cards is one number of 52 bits.
"""

from __future__ import annotations

from collections.abc import Iterable

from sim.errors import InputError

RANKS = "3456789TJQKA2"
SUITS = "dchs"
N_CARDS, N_RANKS, N_SUITS = 52, 13, 4
N_SEATS, HAND_SIZE = 4, 13
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
    rank, suit = text[:-1].upper().replace("10", "T"), text[-1:].lower()
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
