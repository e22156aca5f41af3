"""The columns of a sheet of cards, and the row of their titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from sim.cards.card import DECK_MARK, title_fault
from sim.cards.spreadsheet.meanings import (
    COLUMNS,
    DECK,
    MORE,
    MORE_NUMBERS,
    NOTE,
    NUMBERS,
    REQUIRED,
    Meaning,
)
from sim.cards.spreadsheet.titles import column_like, word_of
from sim.cards.spreadsheet.words import (
    COIN,
    KINDS,
    SYNONYMS,
)
from sim.errors import Problems
from sim.files.sheet import Sheet
from sim.files.validation import shown_value

__all__ = [
    "COIN", "COLUMNS", "KINDS", "MORE_NUMBERS", "NUMBERS", "OPTIONAL", "REQUIRED", "SYNONYMS",
    "Column", "Header", "check_header", "column_like", "word_of",
]  # fmt: skip

OPTIONAL = ("durability", *MORE)
"""Columns that are written only if they are filled for some card."""

WITH_OWN_WORDS = ("id", "kind", "tribe", "tags")
"""Columns with cells that are kept as notes too, where cards have another word for the content."""


@dataclass(frozen=True)
class Column:
    """One column of a sheet.

    Attributes:
        sort: `card` for a key of cards; `note` for a text of the designer's own; `deck` for copies
            in a deck; `untitled`; `wrong` if its title cannot be that of a note.
        name: one of `COLUMNS`, several joined (`Meaning.column`), or the name of the note or deck.
        title: the title above it.
        divisor: divisor of its numbers.
        is_misspelt: whether the title is close to that of a column of cards, and was not explained.
    """

    sort: Literal["card", "note", "deck", "untitled", "wrong"]
    name: str
    title: str
    divisor: int = 1
    is_misspelt: bool = False

    @property
    def meaning(self) -> Meaning:
        """The meaning of its cells."""
        if self.sort == "card":
            return Meaning(self.name, self.divisor)
        return Meaning(DECK if self.sort == "deck" else NOTE)

    @property
    def is_deck_by_word(self) -> bool:
        """Whether it is a deck by an option of the designer, not by its title."""
        return self.sort == "deck" and not self.title.lower().startswith(DECK_MARK)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of `COLUMNS` that its cells fill."""
        return self.meaning.names


@dataclass(frozen=True)
class Header:
    """The row of titles of a sheet.

    Attributes:
        row: number of the row.
        columns: the columns, from left to right.
        above: numbers of the filled rows above it, which hold no cards.
        needed: the columns of `COLUMNS` that the cards below must have.
        kinds: the sheet's own words for kinds of cards, with the kind that each means.
    """

    row: int
    columns: tuple[Column, ...]
    above: tuple[int, ...] = ()
    needed: tuple[str, ...] = REQUIRED
    kinds: Mapping[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """The titles of all columns that are kept as notes."""
        return [column.title for column in self.columns if column.sort == "note"]

    @property
    def found(self) -> list[str]:
        """The columns of `COLUMNS` that exist."""
        return [name for column in self.columns for name in column.names]

    @property
    def missing(self) -> list[str]:
        """The columns of `needed` that do not exist."""
        present = self.found
        return [name for name in self.needed if name not in present]

    def place_of(self, name: str) -> int | None:
        """Return the position of one of `COLUMNS`, from 0; `None` if it does not exist."""
        for place, column in enumerate(self.columns):
            if name in column.names:
                return place
        return None


def check_header(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Report titles that are misspelt, occur twice, or cannot be those of notes.

    Args:
        sheet: the cards.
        header: its titles.
        problems: collects the problems found.
    """
    place = sheet.place(header.row)
    for column in header.columns:
        if column.is_misspelt:
            problems.add(
                f"unknown column {column.title!r}",
                place=place,
                value=column.title,
                limit=column.name,
                remedy=f"did you mean {column.name!r}? Rename it, say so by "
                f'--column "{column.title}={column.name}", or keep it as your own by '
                f'--note "{column.title}"',
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
                remedy=f'keep one as your own by --note "{column.title}"',
            )


def _fillings(columns: Iterable[Column]) -> Iterator[tuple[Column, str]]:
    """Yield each titled column with each of `COLUMNS` that it fills, or with its own name."""
    for column in columns:
        if column.title:
            for name in column.names or (column.name,):
                yield column, name
