"""Reference implementation of Big Two: sets are lists of cards, and all places are tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

from sim.big_two.cards import N_ACTIONS, PASS, RANKS, SUITS, places_of
from sim.big_two.rules import BigTwoRules

FIVES = ("straight", "flush", "full house", "four and one", "straight flush")


class Card(NamedTuple):
    """A card.

    Attributes:
        rank: rank from 0, the three, to 12, the two.
        suit: suit from 0, diamonds, to 3, spades.
    """

    rank: int
    suit: int


def strength_of(
    cards: Sequence[Card], rules: BigTwoRules, straights: Mapping[str, int]
) -> tuple[object, ...] | None:
    """Return the key by which sets of one size compare; `None` for cards that are no set.

    Args:
        cards: one to five cards in rising order.
        rules: the rules.
        straights: place of each straight from the lowest on, by its ranks in rising order.
    """
    ranks = Counter(card.rank for card in cards)
    sizes = sorted(ranks.values())
    if len(cards) < 5:
        if len(ranks) > 1 or (len(cards) == 4 and not rules.fours_alone):
            return None
        return cards[-1].rank, cards[-1].suit if len(cards) < 3 else 0
    shown = "".join(RANKS[card.rank] for card in cards)
    is_flush = len({card.suit for card in cards}) == 1
    if shown in straights:
        place = straights[shown]
        (top,) = (card for card in cards if RANKS[card.rank] == rules.straights[place][-1])
        kind = "straight flush" if is_flush else "straight"
        return FIVES.index(kind), place, top.suit
    if is_flush:
        by_rank = [card.rank for card in reversed(cards)]
        by_suit = rules.flushes == "suit"
        suit = cards[0].suit
        return FIVES.index("flush"), (suit, by_rank) if by_suit else (by_rank, suit)
    many = max(ranks, key=lambda rank: ranks[rank])
    if sizes == [2, 3]:
        return FIVES.index("full house"), many
    return (FIVES.index("four and one"), many) if sizes == [1, 4] else None


@dataclass(frozen=True)
class Position:
    """The part of a game that decides which moves are legal.

    Attributes:
        hand: cards of the active seat in rising order.
        table: cards to beat; empty if the seat leads.
        needed: card that the first lead must hold, if any.
        alone: whether that card must be led alone.
    """

    hand: list[int]
    table: list[int]
    needed: int | None
    alone: bool


PLACES = [places_of(action) for action in range(N_ACTIONS)]
Strength = Callable[[tuple[int, ...]], tuple[object, ...] | None]


def strength_by(rules: BigTwoRules) -> Strength:
    """Return the function that maps a set of card numbers to its key, with a cache."""
    in_order = ("".join(sorted(ranks, key=RANKS.index)) for ranks in rules.straights)
    straights = {ranks: place for place, ranks in enumerate(in_order)}
    all_cards = [Card(*divmod(card, len(SUITS))) for card in range(52)]
    return cache(lambda cards: strength_of([all_cards[card] for card in cards], rules, straights))


def legal_actions(position: Position, n_actions: int, strength: Strength) -> list[int]:
    """Return the numbers of all legal actions.

    Args:
        position: the position.
        n_actions: number of actions under the rules.
        strength: returns the key of a set (`strength_by`).
    """
    beaten = strength(tuple(position.table)) if position.table else None
    legal = [PASS] if position.table else []
    for action in range(1, n_actions):
        places = PLACES[action]
        if (beaten and len(places) != len(position.table)) or places[-1] >= len(position.hand):
            continue
        played = tuple(position.hand[place] for place in places)
        key = strength(played)
        if key is None or (beaten and key <= beaten):
            continue
        if position.needed in (None, *played) and not (position.alone and len(played) > 1):
            legal.append(action)
    return legal


def all_sets(n_cards: int) -> set[tuple[int, ...]]:
    """Return the places of all sets that a hand may ever play.

    Args:
        n_cards: number of cards in the hand.
    """
    return {
        places
        for size in (1, 2, 3, 4, 5)
        for places in combinations(range(n_cards), size)
        if size in (1, 5) or places[-1] - places[0] < 4
    }
