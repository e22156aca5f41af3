"""Spellings: a card as people write it in a list, by its id or its name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sim.errors import InputError, did_you_mean
from sim.files.validation import shown_value


class Named(Protocol):
    """What has an id and a name, as a `sim.cards.card.Card` has."""

    @property
    def id(self) -> str:
        """The stable key."""

    @property
    def name(self) -> str:
        """What people read."""


class Spellings:
    """What may be written for the cards that there are."""

    def __init__(self, cards: Iterable[Named], where: str = "") -> None:
        """Learn the ids and names of `cards`; `where` is told where one is not there."""
        self._where = where
        self._known: list[str] = []
        self._ids: dict[str, list[str]] = {}
        cards = list(cards)
        for card in cards:
            self._known += [card.id, card.name]
            self._ids.setdefault(card.name.casefold(), []).append(card.id)
        self._ids |= {card.id: [card.id] for card in cards}

    def id_of(self, text: str) -> str:
        """The card that `text` stands for, in any letter case.

        Raises:
            InputError: it stands for none, which names the nearest, or for several.
        """
        if not text:
            raise InputError("column card: must not be blank")
        found = self._ids.get(text) or self._ids.get(text.casefold(), [])
        if not found:
            near = did_you_mean(text, self._known)
            raise InputError(f"no card {shown_value(text)}{self._where}{near}")
        if len(found) > 1:
            named = " and ".join(map(repr, found))
            raise InputError(f"{shown_value(text)} is the name of {named}; give the id")
        return found[0]
