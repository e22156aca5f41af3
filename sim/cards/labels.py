"""Labels of cards: a spreadsheet column with a value, such as `Rarity: mythic` or `tag: rare`.

Columns are the titles of notes, tags, and the cards' kinds, heroes, tribes, keywords and printed
numbers. If a note holds several values, such as `Wok; Tea`, the card has one label for each value
and one for the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sim.cards.card import Card
from sim.cards.fields import AMOUNTS, field_titles
from sim.cards.identifiers import card_id_from_name
from sim.errors import InputError
from sim.files.validation import NAME_LENGTH_MAX
from sim.names import Names, lowered

TAG = "tag"
"""Name of the column of tags in labels."""

_SEVERAL = re.compile(r"[;,/|\n]")  # separators of several values in a cell, such as two factions
_KEPT_LISTS = {"tags": TAG, "keywords": "keyword"}
_KEPT_WORDS = ("kind", "hero", "tribe")
_TITLE_MAX = 2 * NAME_LENGTH_MAX  # characters; twice, since an accent may count as a character
_TEXT_MIN = 41  # characters; a cell this long is prose and no label; chosen by hand, not tuned


class Label(NamedTuple):
    """Label of a card: a column and one of its values, both in their first spelling in the sheet.

    Attributes:
        column: title of the column, such as `Rarity`.
        value: text of the value, such as `mythic`.
    """

    column: str
    value: str

    def __str__(self) -> str:
        return f"{self.column}: {self.value}"


class Labels:
    """Index of the labels of a sequence of cards: the positions of the cards with each label."""

    def __init__(self, cards: Sequence[Card]) -> None:
        """Index the labels of `cards`; titles and values match regardless of case and spaces."""
        self._columns: dict[str, dict[str, list[int]]] = {}  # positions of cards by title and value
        spelt: dict[tuple[str, ...], str] = {}  # first spelling of each title and value
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
        """Names of the columns with at least one value, which can be looked up in any spelling."""
        return self._names

    def values(self, column: str) -> dict[str, list[int]]:
        """Return the positions of the cards with each value of a column, in their original order.

        Args:
            column: one of `columns`, in its first spelling.
        """
        return self._columns[column]

    def split(self, text: str) -> tuple[str, str] | None:
        """Return the column and the value's text of a label `COLUMN: VALUE`.

        The column is returned in its first spelling. The first colon that follows the name of a
        known column is the separator, since titles may contain colons. Return `None` if the text
        does not begin with a known column and a colon.
        """
        for place, sign in enumerate(text[:_TITLE_MAX]):
            if sign == ":" and (column := self._names.get(text[:place])) is not None:
                return column, text[place + 1 :].strip()
        return None

    def find(self, column: str, value: str) -> Label:
        """Return the label for a value of a column.

        Args:
            column: one of `columns`, in its first spelling.
            value: the value in any spelling.

        Raises:
            InputError: no card has that value in the column; the message names another column with
                the value, or a similar value.
        """
        values = self._columns[column]
        names = Names(f"{column!r} value", [*values], _absence_words(column))
        if (known := names.get(value)) is not None:
            return Label(column, known)
        other = next((label for label in self.having(value) if label.column != column), None)
        if other is not None:
            raise InputError(
                f"{_absence_words(column)} {value!r}, but {_column_words(other.column)} does",
                value=value,
                limit=tuple(values),
                remedy=f'write "{other}"',
            )
        raise names.unknown_name_error(value)

    def having(self, value: str) -> list[Label]:
        """Return the label of each column that has a value, which may be in any spelling."""
        return [
            Label(column, known)
            for column, held in self._columns.items()
            for known in Names("value", [*held]).matches(value)
        ]

    def _titles(self, column: str) -> tuple[str, ...]:
        """Return alternative names of a column, such as its plural, that name no other column."""
        own = {lowered(title) for title in self._columns}
        titles = (f"{column}s", *field_titles(_COLUMN_OF.get(column, column)))
        return tuple(title for title in titles if lowered(title) not in own)


def tag_of(label: Label, taken: Sequence[str]) -> str:
    """Return a tag made from a label, with a number appended if the tag is in `taken`."""
    made = card_id_from_name(f"{label.column} {label.value}") or "column"
    tag = made
    number = 1
    while tag in taken:
        number += 1
        tag = f"{made}_{number}"
    return tag


_COLUMN_OF = {item: column for column, item in _KEPT_LISTS.items()}
"""Keys of cards that hold lists, by the column name that labels use for one item of the list."""


def _is_key_of_cards(column: str) -> bool:
    return column in (*_COLUMN_OF, *_KEPT_WORDS)


def _column_words(column: str) -> str:
    return repr(column) if _is_key_of_cards(column) else f"column {column!r}"


def _absence_words(column: str) -> str:
    return (
        f"no card has {column}"
        if _is_key_of_cards(column)
        else f"{_column_words(column)} has no value"
    )


def _cells_of(card: Card) -> Iterator[tuple[str, str]]:
    """Yield the column and the value of each label of a card: keys of the card, then notes.

    A note of `_TEXT_MIN` or more characters is prose and gives no label.
    """
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
            # The whole cell is also a value, since the designer may mean `Wok; Tea` as one value.
            parts = [part.strip() for part in _SEVERAL.split(whole)]
            yield from ((title, part) for part in dict.fromkeys([whole, *filter(None, parts)]))
