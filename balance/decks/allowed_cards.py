"""Cards that the settings permit in a deck, by tags that stand for columns of the card sheet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.card_tags import TAG_MARK
from balance.settings import Build
from balance.statistics.intervals import Flags
from sim import Deck, Pool


class Tagged:
    """Tags of a pool's cards, by the labels that settings use after names are resolved."""

    def __init__(self, pool: Pool) -> None:
        """Take the cards of a pool."""
        self._cards = pool.cards

    def has(self, label: str) -> Flags:
        """Return which cards have a tag, shape [C].

        Args:
            label: the tag, as `tag:TAG`.
        """
        tag = label.removeprefix(TAG_MARK)
        return np.array([tag in card.tags for card in self._cards])

    def has_any(self, labels: Sequence[str] | str) -> Flags:
        """Return which cards have at least one of some tags, shape [C].

        Args:
            labels: tags as `tag:TAG`, or a single one.
        """
        # The resolution of names (`balance.known_names`) replaces a column by all its tags.
        several = [labels] if isinstance(labels, str) else labels
        return np.asarray(np.any([self.has(label) for label in several], axis=0))

    def in_deck(self, deck: Deck) -> Flags:
        """Return which cards are in a deck, shape [C]."""
        return np.array([card.id in deck.cards for card in self._cards])

    def near(self, labels: Sequence[str] | str, deck: Deck) -> Flags:
        """Return which cards have none of the labels, or one that a card of a deck has too.

        Args:
            labels: tags as `tag:TAG`, such as the factions, or a single one.
            deck: the deck.

        Returns:
            Flags, shape [C].
        """
        several = [labels] if isinstance(labels, str) else labels
        held = self.in_deck(deck)
        near = ~self.has_any(several)
        for label in several:
            has_label = self.has(label)
            if (has_label & held).any():
                near |= has_label
        return np.asarray(near)


def allowed_cards(build: Build, tagged: Tagged, origin: Deck | None) -> Flags | None:
    """Return the cards that decks may hold, shape [C]; `None` if the settings permit all.

    Args:
        build: settings of the build, of which `only` and `within` count.
        tagged: tags of the pool's cards.
        origin: the deck to improve, which may keep its own cards in any case; `None` for a new
            deck.
    """
    flags = [] if build.only is None else [tagged.has_any(build.only)]
    if origin is not None and build.within is not None:
        flags.append(tagged.near(build.within, origin))
    if not flags:
        return None
    own = tagged.in_deck(origin) if origin is not None else False
    return np.asarray(np.all(flags, axis=0) | own)


def allowed_by(build: Build) -> str:
    """Return the names of the settings that restrict the cards, for messages."""
    restrictions = {"only": build.only, "within": build.within}
    return " and ".join(key for key, value in restrictions.items() if value is not None)


def factions(build: Build, tagged: Tagged) -> Flags | None:
    """Return the cards that a deck of each faction may hold; `None` without the setting `within`.

    Args:
        build: settings of the build, of which `within` counts.
        tagged: tags of the pool's cards.

    Returns:
        One row for each faction: the cards with its tag and those with no faction's tag, shape [F,
            C].
    """
    within = build.within
    if within is None:
        return None
    several = [within] if isinstance(within, str) else within
    is_free = ~tagged.has_any(several)
    return np.array([tagged.has(label) | is_free for label in several])
