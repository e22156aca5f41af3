"""Which cards settings let a deck hold, by the tags that stand for columns of the cards' sheet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.card_tags import TAG_MARK
from balance.settings import Build
from balance.statistics.intervals import Flags
from sim import Deck, Pool


class Tagged:
    """Which cards of a pool have a tag, as settings name it once names are known."""

    def __init__(self, pool: Pool) -> None:
        """Take the cards."""
        self._cards = pool.cards

    def has(self, label: str) -> Flags:
        """``[C]`` which cards have a tag that is given as `tag:TAG`."""
        tag = label.removeprefix(TAG_MARK)
        return np.array([tag in card.tags for card in self._cards])

    def has_any(self, labels: Sequence[str] | str) -> Flags:
        """``[C]`` which cards have one of several."""
        # A column is several labels once names are known (`balance.known_names`).
        several = [labels] if isinstance(labels, str) else labels
        return np.asarray(np.any([self.has(label) for label in several], axis=0))

    def in_deck(self, deck: Deck) -> Flags:
        """``[C]`` which cards a deck has."""
        return np.array([card.id in deck.cards for card in self._cards])

    def near(self, labels: Sequence[str] | str, deck: Deck) -> Flags:
        """``[C]`` which cards have none of some labels, or one that a card of a deck has."""
        several = [labels] if isinstance(labels, str) else labels
        held = self.in_deck(deck)
        near = ~self.has_any(several)
        for label in several:
            has_label = self.has(label)
            if (has_label & held).any():
                near |= has_label
        return np.asarray(near)


def allowed_cards(build: Build, tagged: Tagged, origin: Deck | None) -> Flags | None:
    """``[C]`` cards that decks may hold, an improved deck its own cards in any case."""
    flags = [] if build.only is None else [tagged.has_any(build.only)]
    if origin is not None and build.within is not None:
        flags.append(tagged.near(build.within, origin))
    if not flags:
        return None
    own = tagged.in_deck(origin) if origin is not None else False
    return np.asarray(np.all(flags, axis=0) | own)


def allowed_by(build: Build) -> str:
    """The settings that say which cards decks may hold."""
    said = {"only": build.only, "within": build.within}
    return " and ".join(key for key, told in said.items() if told is not None)


def factions(build: Build, tagged: Tagged) -> Flags | None:
    """``[F, C]`` for each value of a column, the cards that have it and those that have none."""
    within = build.within
    if within is None:
        return None
    several = [within] if isinstance(within, str) else within
    is_free = ~tagged.has_any(several)
    return np.array([tagged.has(label) | is_free for label in several])
