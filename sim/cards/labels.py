"""Labels of cards: a column of their sheet with a value, as `Rarity: mythic` or `tag: rare`.

Every column can be named: the designer's own, which pools keep as notes; tags; and the keys of
cards that games read. A cell that holds several values, such as `Wok; Tea`, gives the card one
label for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sim.cards.card import AMOUNTS, Card
from sim.cards.names import field_titles
from sim.cards.spreadsheet.identifiers import card_id_from_name
from sim.errors import InputError
from sim.files.validation import NAME_LENGTH_MAX
from sim.names import Names, lowered

TAG = "tag"
"""The column of tags, as labels spell it."""

_SEVERAL = re.compile(r"[;,/|\n]")  # separates the values of one cell, such as two factions
_KEPT_LISTS = {"tags": TAG, "keywords": "keyword"}
_KEPT_WORDS = ("kind", "hero", "tribe")
_TITLE_MAX = 2 * NAME_LENGTH_MAX  # characters: accents may be characters of their own
_TEXT_MIN = 41  # a cell this long is prose, no value that groups cards; chosen by hand, not tuned


class Label(NamedTuple):
    """A column and one of its values, in the sheet's first spelling of each.

    Attributes:
        column: title of the column.
        value: the value.
    """

    column: str
    value: str

    def __str__(self) -> str:
        return f"{self.column}: {self.value}"


class Labels:
    """The labels of some cards, with the cards that have each."""

    def __init__(self, cards: Sequence[Card]) -> None:
        """Read the columns of `cards`."""
        self._columns: dict[str, dict[str, list[int]]] = {}  # positions by title and value
        spelt: dict[tuple[str, ...], str] = {}  # the first spelling of each title and value
        for position, card in enumerate(cards):
            for title, text in _cells_of(card):
                column = spelt.setdefault((lowered(title),), title)
                value = spelt.setdefault((lowered(title), lowered(text)), text)
                holders = self._columns.setdefault(column, {}).setdefault(value, [])
                if position not in holders:
                    holders.append(position)
                self._names = Names(
                    "column", {title: self._titles(title) for title in self._columns}
                )

    @property
    def columns(self) -> Names:
        """The columns that have values."""
        return self._names

    def values(self, column: str) -> dict[str, list[int]]:
        """Return the positions of the cards that have each value of a column."""
        return self._columns[column]

    def split(self, text: str) -> tuple[str, str] | None:
        """Return the column and the rest of a text `COLUMN: VALUE`; `None` for any other text."""
        for place, sign in enumerate(text[:_TITLE_MAX]):
            if sign == ":" and (column := self._names.get(text[:place])) is not None:
                return column, text[place + 1 :].strip()
        return None

    def find(self, column: str, value: str) -> Label:
        """Return the label of a known column and a value in any spelling.

        Raises:
            InputError: no card has that value; names the nearest, or the column that has it.
        """
        values = self._columns[column]
        names = Names(f"value of {column!r}", [*values], _none_has(column))
        if (known := names.get(value)) is not None:
            return Label(column, known)
        other = next((label for label in self.having(value) if label.column != column), None)
        if other is not None:
            raise InputError(
                f"{_none_has(column)} {value!r}",
                value=value,
                limit=tuple(values),
                remedy=f'{_the(other.column)} has it: write "{other}"',
            )
        raise names.unknown_name_error(value)

    def having(self, value: str) -> list[Label]:
        """Return the labels of all columns that have a value, in any spelling of it."""
        return [
            Label(column, known)
            for column, held in self._columns.items()
            for known in Names("value", [*held]).matches(value)
        ]

    def _titles(self, column: str) -> tuple[str, ...]:
        """Return further names of a column that are not titles of other columns."""
        own = {lowered(title) for title in self._columns}
        titles = (f"{column}s", *field_titles(_COLUMN_OF.get(column, column)))
        return tuple(title for title in titles if lowered(title) not in own)


def tag_of(label: Label, taken: Sequence[str]) -> str:
    """Return a tag for the cards with a label, different from those `taken`."""
    made = card_id_from_name(f"{label.column} {label.value}") or "column"
    tag = made
    number = 1
    while tag in taken:
        number += 1
        tag = f"{made}_{number}"
    return tag


_COLUMN_OF = {item: column for column, item in _KEPT_LISTS.items()}
"""Columns with lists in their cells, by the word that labels have for one item of a list."""


def _is_key_of_cards(column: str) -> bool:
    return column in (*_COLUMN_OF, *_KEPT_WORDS)


def _the(column: str) -> str:
    return column if _is_key_of_cards(column) else f"column {column!r}"


def _none_has(column: str) -> str:
    return f"no card has {column}" if _is_key_of_cards(column) else f"{_the(column)} has no"


def _cells_of(card: Card) -> Iterator[tuple[str, str]]:
    """Yield each value of a card with the title of its column; keys of cards first."""
    for column, item in _KEPT_LISTS.items():
        yield from ((item, value) for value in getattr(card, column))
    for column in _KEPT_WORDS:
        if value := getattr(card, column):
            yield column, value
    for field in card.fields:
        if field not in AMOUNTS:
            yield field, str(card.number(field))
    for title, text in card.notes.items():
        whole = text.strip()
        if whole and len(whole) < _TEXT_MIN:
            # The whole cell is a value too, since the designer may use `Wok; Tea` as one.
            parts = [part.strip() for part in _SEVERAL.split(whole)]
            yield from ((title, part) for part in dict.fromkeys([whole, *filter(None, parts)]))
