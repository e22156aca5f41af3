"""The columns of a sheet of cards: which there are, and what stands above them."""

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
"""Columns that are only written if some card has something to say in them."""

WITH_OWN_WORDS = ("id", "kind", "tribe", "tags")
"""Columns whose cells are kept as notes too, where cards have another word for what they say."""


@dataclass(frozen=True)
class Column:
    """What a column of a sheet is.

    Attributes:
        sort: `card` for what games know of a card; `note` for a text of the designer's own;
            `deck` for copies in a deck; `untitled`; `wrong` if no note can be called so.
        name: one of `COLUMNS`, several joined (`Meaning.column`), or what the note or the deck is
            called.
        title: what stands above it.
        divisor: what its numbers are divided by.
        is_misspelt: whether the title is nearly that of a column of cards, and nobody explained it.
    """

    sort: Literal["card", "note", "deck", "untitled", "wrong"]
    name: str
    title: str
    divisor: int = 1
    is_misspelt: bool = False

    @property
    def meaning(self) -> Meaning:
        """What stands in it, of a card or as a note."""
        if self.sort == "card":
            return Meaning(self.name, self.divisor)
        return Meaning(DECK if self.sort == "deck" else NOTE)

    @property
    def is_deck_by_word(self) -> bool:
        """Whether it is a deck only because somebody said so."""
        return self.sort == "deck" and not self.title.lower().startswith(DECK_MARK)

    @property
    def names(self) -> tuple[str, ...]:
        """Those of `COLUMNS` that it fills."""
        return self.meaning.names


@dataclass(frozen=True)
class Header:
    """The row of titles.

    Attributes:
        row: its number.
        columns: by their place.
        above: numbers of the filled rows above it, which hold no cards.
        needed: those of `COLUMNS` that the cards below cannot do without.
        kinds: the sheet's own words for kinds of cards, with what each means.
    """

    row: int
    columns: tuple[Column, ...]
    above: tuple[int, ...] = ()
    needed: tuple[str, ...] = REQUIRED
    kinds: Mapping[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """The titles of all columns that are kept as notes."""
        return [one.title for one in self.columns if one.sort == "note"]

    @property
    def found(self) -> list[str]:
        """Those of `COLUMNS` that are there."""
        return [name for column in self.columns for name in column.names]

    @property
    def missing(self) -> list[str]:
        """Those of `needed` that are not there."""
        found = self.found
        return [name for name in self.needed if name not in found]

    def place_of(self, name: str) -> int | None:
        """Where one of `COLUMNS` stands."""
        for place, column in enumerate(self.columns):
            if name in column.names:
                return place
        return None


def check_header(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Note what is wrong with the titles: misspelt, twice or too long for a note."""
    place = sheet.place(header.row)
    for column in header.columns:
        if column.is_misspelt:
            problems.add(
                f"{place}: unknown column {column.title!r}; did you mean {column.name!r}? "
                f'Rename it, say so by --column "{column.title}={column.name}", or keep it as '
                f'your own by --note "{column.title}"'
            )
        elif column.sort == "wrong":
            problems.add(
                f"{place}: column {shown_value(column.title)}: {title_fault(column.title)}"
            )
    seen: dict[tuple[str, str], str] = {}
    for column, name in _fillings(header.columns):
        earlier = seen.setdefault((column.sort, name), column.title)
        if earlier is column.title:
            continue
        if earlier.lower() == column.title.lower():
            problems.add(f"{place}: column {name!r} is there twice")
        else:
            both = f"{earlier!r} and {column.title!r} both mean {name!r}"
            problems.add(f'{place}: columns {both}; keep one as it is by --note "{column.title}"')


def _fillings(columns: Iterable[Column]) -> Iterator[tuple[Column, str]]:
    """Each titled column with each name that it goes by."""
    for column in columns:
        if column.title:
            for name in column.names or (column.name,):
                yield column, name
