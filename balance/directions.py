"""Directions: which way the numbers of each card may move, by what an experiment says of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from balance.sense import BETTER
from balance.tune import ALL, Way
from sim import Card

TAG = "tag:"
"""How names of tags begin, among those of cards, decks and fields."""

_WAYS: dict[Way, tuple[int, ...]] = {"up": (1,), "down": (-1,), "both": (-1, 1)}


@dataclass(frozen=True)
class Directions:
    """Words of an experiment file, and whose they are.

    The most specific word decides: a card's own before those of its tags, these before those of the
    decks that hold it, then its field's, then the word for all. Of one rank all have to agree.
    Nobody can tell of an amount what betters it, so `buffs` and `nerfs` do not speak of amounts;
    one that no other word speaks of stays as it is.

    Attributes:
        told: words by card id, `tag:TAG`, deck, field, and `all`.
        decks: names of decks, with the ids of their cards.
    """

    told: Mapping[str, Way]
    decks: Mapping[str, Collection[str]]

    def of(self, card: Card, field: str) -> tuple[int, ...]:
        """-1 if a number of a card may fall, and 1 if it may rise."""
        ranks = (
            (card.id,),
            tuple(TAG + tag for tag in card.tags),
            tuple(name for name, cards in self.decks.items() if card.id in cards),
            (field.partition("_")[0],),
            (ALL,),
        )
        words = [[self.told[name] for name in rank if name in self.told] for rank in ranks]
        better = BETTER.get(field)
        ways = _WAYS | ({"buffs": (better,), "nerfs": (-better,)} if better else {})
        for rank in words:
            if told := [ways[word] for word in rank if word in ways]:
                return tuple(sign for sign in (-1, 1) if all(sign in way for way in told))
        return () if any(words) else (-1, 1)
