"""Big Two written for clarity: sets as lists of cards, every choice of places tried."""

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
    rank: int
    suit: int


def worth_of(
    cards: Sequence[Card], rules: BigTwoRules, straights: Mapping[str, int]
) -> tuple[object, ...] | None:
    """What sets of a size compare by, or `None` for no set; the cards are sorted.

    Args:
        cards: one to five.
        rules: which sets there are.
        straights: places of the straights, from the lowest on, by their ranks in rising order.
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
    """What decides which moves are legal."""

    hand: list[int]
    table: list[int]
    needed: int | None
    alone: bool


PLACES = [places_of(action) for action in range(N_ACTIONS)]
Worth = Callable[[tuple[int, ...]], tuple[object, ...] | None]


def remembering(rules: BigTwoRules) -> Worth:
    """What sets of card numbers compare by; each is told once."""
    in_order = ("".join(sorted(one, key=RANKS.index)) for one in rules.straights)
    straights = {ranks: place for place, ranks in enumerate(in_order)}
    every = [Card(*divmod(card, len(SUITS))) for card in range(52)]
    return cache(lambda cards: worth_of([every[card] for card in cards], rules, straights))


def legal_actions(position: Position, n_actions: int, worth_by: Worth) -> list[int]:
    """The numbers of all legal actions."""
    beaten = worth_by(tuple(position.table)) if position.table else None
    legal = [PASS] if position.table else []
    for action in range(1, n_actions):
        places = PLACES[action]
        if (beaten and len(places) != len(position.table)) or places[-1] >= len(position.hand):
            continue
        played = tuple(position.hand[place] for place in places)
        worth = worth_by(played)
        if worth is None or (beaten and worth <= beaten):
            continue
        if position.needed in (None, *played) and not (position.alone and len(played) > 1):
            legal.append(action)
    return legal


def all_sets(n_cards: int) -> set[tuple[int, ...]]:
    """The places of all sets of one to five cards that a hand of so many may ever play."""
    return {
        places
        for size in (1, 2, 3, 4, 5)
        for places in combinations(range(n_cards), size)
        if size in (1, 5) or places[-1] - places[0] < 4
    }
