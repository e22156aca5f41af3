"""Columns of a sheet of cards, the row of their titles, and checks of the titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from experiments.spreadsheet.meanings import (
    DECK,
    MORE,
    NOTE,
    REQUIRED,
    Meaning,
)
from experiments.spreadsheet.sheet import Sheet
from sim.cards.card import DECK_MARK, title_fault
from sim.errors import Problems
from sim.value_error import shown_value

OPTIONAL = ("durability", *MORE)
"""Columns that an export omits if they are blank for all cards."""

WITH_OWN_WORDS = ("id", "kind", "tribe", "tags")
"""Columns with texts that an import also keeps as notes if the card's value differs from them."""


@dataclass(frozen=True)
class Column:
    """Column of a sheet with its meaning.

    Attributes:
        sort: `card` for keys of cards; `note` for the designer's own texts; `deck` for copies in a
            deck; `untitled`; `wrong` for a note with a title that notes cannot have.
        name: keys of cards as `Meaning.column`, or the name of the note or deck.
        title: text of the title cell, without line breaks; `""` for an untitled column.
        divisor: number by which the column's numbers are divided.
        is_misspelt: whether the title is similar to a known title of `name` and the designer has
            not explained the column, so that the import reports it.
    """

    sort: Literal["card", "note", "deck", "untitled", "wrong"]
    name: str
    title: str
    divisor: int = 1
    is_misspelt: bool = False

    @property
    def meaning(self) -> Meaning:
        """Meaning of the column's cells, as options and pool files express it."""
        if self.sort == "card":
            return Meaning(self.name, self.divisor)
        return Meaning(DECK if self.sort == "deck" else NOTE)

    @property
    def is_deck_by_word(self) -> bool:
        """Whether the column is a deck although its title does not begin with `deck:`."""
        return self.sort == "deck" and not self.title.lower().startswith(DECK_MARK)

    @property
    def names(self) -> tuple[str, ...]:
        """Names in `COLUMNS` that the cells fill; `()` for notes and decks."""
        return self.meaning.names


@dataclass(frozen=True)
class Header:
    """Row of titles of a sheet, with the meaning of each column.

    Attributes:
        row: number of the row in the file.
        columns: columns from left to right.
        above: numbers of the filled rows above the titles, which are not cards.
        needed: names in `COLUMNS` that the sheet must have.
        kinds: kind of card by the sheet's own word for it.
    """

    row: int
    columns: tuple[Column, ...]
    above: tuple[int, ...] = ()
    needed: tuple[str, ...] = REQUIRED
    kinds: Mapping[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """Titles of all columns of notes, from left to right."""
        return [column.title for column in self.columns if column.sort == "note"]

    @property
    def found(self) -> list[str]:
        """Names in `COLUMNS` that the sheet has, from left to right."""
        return [name for column in self.columns for name in column.names]

    @property
    def missing(self) -> list[str]:
        """Names in `needed` that the sheet does not have."""
        present = self.found
        return [name for name in self.needed if name not in present]

    def place_of(self, name: str) -> int | None:
        """Return the position, from 0, of the first column that fills a key of cards.

        Args:
            name: one of `COLUMNS`; if the sheet does not have it, `None` is returned.
        """
        for place, column in enumerate(self.columns):
            if name in column.names:
                return place
        return None


def check_header(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Report titles that are misspelt, that notes cannot have, or that fill a key a second time.

    Args:
        sheet: sheet with the titles, for places in messages.
        header: row of titles of the sheet.
        problems: collector to which the problems are added.
    """
    place = sheet.place(header.row)
    for column in header.columns:
        if column.is_misspelt:
            problems.add(
                f"unknown column {column.title!r}",
                place=place,
                value=column.title,
                limit=column.name,
                remedy=f"did you mean {column.name!r}? Rename the column, or use "
                f'--column "{column.title}={column.name}", or use --note "{column.title}" to keep '
                "it as a note",
            )
        elif column.sort == "wrong":
            problems.add(
                title_fault(column.title),
                place=f"{place}: column {shown_value(column.title)}",
                value=column.title,
            )
    seen: dict[tuple[str, str], str] = {}
    for column, name in _fillings(header.columns):
        earlier = seen.setdefault((column.sort, name), column.title)
        if earlier is column.title:
            continue
        if earlier.lower() == column.title.lower():
            problems.add(
                f"column {name!r} occurs twice", place=place, value=name, remedy="keep one"
            )
        else:
            problems.add(
                f"columns {earlier!r} and {column.title!r} both mean {name!r}",
                place=place,
                value=column.title,
                remedy=f'use --note "{column.title}" to keep one of them as a note',
            )


def _fillings(columns: Iterable[Column]) -> Iterator[tuple[Column, str]]:
    """Yield each titled column with each name in `COLUMNS` that it fills.

    Columns that fill none, such as notes, are yielded once, with their own name.
    """
    for column in columns:
        if column.title:
            for name in column.names or (column.name,):
                yield column, name
