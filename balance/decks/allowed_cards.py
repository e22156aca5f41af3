"""Cards that the settings permit in a deck, by tags (columns of the card sheet)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.cards.card_tags import TAG_MARK
from balance.settings.tables import Build
from balance.statistics.intervals import Flags
from sim import Deck, Pool


class Tagged:
    """Lookup of the cards of a pool by their tags.

    A label is a tag in the form `tag:TAG`, as settings contain it after names are resolved.
    """

    def __init__(self, pool: Pool) -> None:
        """Prepare the lookup.

        Args:
            pool: pool with the ``C`` cards.
        """
        self._cards = pool.cards

    def has(self, label: str) -> Flags:
        """Return whether each card has a tag, shape [C].

        Args:
            label: label of the tag, in the form `tag:TAG`.
        """
        tag = label.removeprefix(TAG_MARK)
        return np.array([tag in card.tags for card in self._cards])

    def has_any(self, labels: Sequence[str] | str) -> Flags:
        """Return whether each card has at least one of several tags, shape [C].

        Args:
            labels: one label or several, in the form `tag:TAG`.
        """
        # The resolution of names (`balance.cards.known_names`) replaces a column by all its tags.
        all_labels = [labels] if isinstance(labels, str) else labels
        return np.asarray(np.any([self.has(label) for label in all_labels], axis=0))

    def in_deck(self, deck: Deck) -> Flags:
        """Return whether each card of the pool is in a deck, shape [C]."""
        return np.array([card.id in deck.cards for card in self._cards])

    def near(self, labels: Sequence[str] | str, deck: Deck) -> Flags:
        """Return whether each card has none of the labels, or shares one with a card of a deck.

        Args:
            labels: one label or several, in the form `tag:TAG`, such as those of the factions.
            deck: deck with which the cards are compared.

        Returns:
            Flags, shape [C].
        """
        all_labels = [labels] if isinstance(labels, str) else labels
        held = self.in_deck(deck)
        near = ~self.has_any(all_labels)
        for label in all_labels:
            has_label = self.has(label)
            if (has_label & held).any():
                near |= has_label
        return np.asarray(near)


def allowed_cards(build: Build, tagged: Tagged, origin: Deck | None) -> Flags | None:
    """Return whether the settings permit each card in a deck, shape [C].

    Args:
        build: settings of the build, of which `only` and `within` count; `within` counts only if
            there is an original deck.
        tagged: tags of the pool's cards.
        origin: deck to improve, which may always keep its cards; `None` for a new deck.

    Returns:
        Flags of the cards; `None` if the settings do not restrict the cards.
    """
    flags = [] if build.only is None else [tagged.has_any(build.only)]
    if origin is not None and build.within is not None:
        flags.append(tagged.near(build.within, origin))
    if not flags:
        return None
    own = tagged.in_deck(origin) if origin is not None else False
    return np.asarray(np.all(flags, axis=0) | own)


def allowed_by(build: Build) -> str:
    """Return the names of the settings that restrict the cards, joined by "and".

    Args:
        build: settings of the build, of which `only` and `within` count.
    """
    restrictions = {"only": build.only, "within": build.within}
    return " and ".join(key for key, value in restrictions.items() if value is not None)


def factions(build: Build, tagged: Tagged) -> Flags | None:
    """Return whether a deck of each faction may hold each card, shape [F, C].

    A deck of a faction may hold the cards with the faction's tag, and the cards without any
    faction's tag.

    Args:
        build: settings of the build, in which `within` lists the tags of the factions.
        tagged: tags of the pool's cards.

    Returns:
        Flags with one row for each faction; `None` if the setting `within` is not set.
    """
    within = build.within
    if within is None:
        return None
    all_labels = [within] if isinstance(within, str) else within
    is_free = ~tagged.has_any(all_labels)
    return np.array([tagged.has(label) | is_free for label in all_labels])
