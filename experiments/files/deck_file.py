"""Decks as files that load."""

from __future__ import annotations

import tomlkit

from sim.cards.deck import Deck


def deck_text(deck: Deck, *comments: str) -> str:
    """The deck as TOML that reads back as an equal deck, below lines of comment."""
    document = tomlkit.document()
    for line in comments:
        document.add(tomlkit.comment(line))
    for key in ("name", "pool", "ruleset", *(["hero"] if deck.hero else [])):
        document[key] = getattr(deck, key)
    cards = tomlkit.table()
    cards.comment("copies of each card; the order numbers the slots")
    cards.update(deck.cards)
    document["cards"] = cards
    return tomlkit.dumps(document)
