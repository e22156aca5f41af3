"""Deck list as a file or a text spells it, before its names are matched to the cards of a pool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Reading(NamedTuple):
    """Possible meaning of a line of a deck list.

    Attributes:
        copies: number of copies as written, which may be out of range.
        name: name or id of the card as written.
    """

    copies: int
    name: str


@dataclass(frozen=True)
class WrittenCard:
    """Entry of a deck list.

    Attributes:
        place: place of the entry for messages, such as `"line 3"`.
        readings: possible meanings, at least one, in order of precedence: several only if a part of
            the line may be a part of the name or not, such as a set in brackets.
        plain: the meaning that is most likely if the names of the cards are not known.
        is_counted: whether the list gives the number of copies.
        may_be_heading: whether the line is a heading unless a card has exactly its name, as in
            `Trees (3)`.
    """

    place: str
    readings: tuple[Reading, ...]
    plain: Reading
    is_counted: bool = True
    may_be_heading: bool = False


@dataclass(frozen=True)
class WrittenDeck:
    """Deck list as a file or a text spells it.

    Attributes:
        name: name of the deck; `""` if the list names none.
        hero: hero or class of the deck; `""` if the list names none.
        code: deck code that stands for the cards; `""` if the list has none.
        cards: entries of the deck, in order; empty if there is a code.
        left_out: remarks on parts of the list that are not in the deck, such as a sideboard.
    """

    name: str = ""
    hero: str = ""
    code: str = ""
    cards: tuple[WrittenCard, ...] = ()
    left_out: tuple[str, ...] = ()
