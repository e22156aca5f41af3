"""The columns of a sheet of cards: which there are, and what stands above them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from sim.cards.card import AMOUNTS, DECK_MARK, FIELDS, title_fault
from sim.cards.notation import words
from sim.cards.vocabulary import Keyword, Kind
from sim.errors import Problems
from sim.files.sheet import Sheet
from sim.files.validation import shown_value

NUMBERS = tuple(field for field in FIELDS if field not in AMOUNTS)  # as cards print them
MORE_NUMBERS = ("spell_damage", "overload")
_MORE = ("hero", "tribe", *MORE_NUMBERS, "target", "target_when", "needs", "options", "tags")
OPTIONAL = ("durability", *_MORE)
"""Columns that are only written if some card has something to say in them."""

COLUMNS = ("id", "name", "kind", *NUMBERS, "keywords", "effects", "tunable", *_MORE)
REQUIRED = ("name", "cost", "attack", "health")

SYNONYMS = {
    "card": "name",
    "card name": "name",
    "mana": "cost",
    "mana cost": "cost",
    "atk": "attack",
    "power": "attack",
    "strength": "attack",
    "hp": "health",
    "life": "health",
    "toughness": "health",
    "type": "kind",
    "card type": "kind",
    "ability": "keywords",
    "abilities": "keywords",
    "keyword abilities": "keywords",
}
"""What other games call a column; it is one only where the column itself is not there."""

COIN = "coin"
"""The kind of the row that is the pool's coin."""

KINDS = {
    **dict.fromkeys(("creature", "unit", "monster", "follower", "ally", "character"), "minion"),
    **dict.fromkeys(("sorcery", "instant", "event", "action", "tactic"), "spell"),
    "equipment": "weapon",
    COIN: "spell",
}
"""What other games call a kind of cards, and what kind of card a coin is."""

_VOCABULARIES = {
    "kind": frozenset({*words(Kind), *KINDS}),
    "keywords": frozenset(words(Keyword)),
}  # a synonym of these often holds other things; it is one if its cells hold nothing else

_ODD_SPACE = re.compile(r"[^\S ]+")  # line ends and the like, which titles in a sheet may hold
_TITLES_WITHIN = 20  # filled rows; a title that comes later is none


@dataclass(frozen=True)
class Column:
    """What a column of a sheet is.

    Attributes:
        sort: `card` for what games know of a card; `note` for a text of the designer's own;
            `deck` for copies in a deck; `untitled`; `wrong` if no note can be called so.
        name: one of `COLUMNS`, or what the note or the deck is called.
        title: what stands above it.
        is_note_too: whether its words are the designer's own, and so are kept besides.
    """

    sort: Literal["card", "note", "deck", "untitled", "wrong"]
    name: str
    title: str
    is_note_too: bool = False

    @property
    def is_misspelt(self) -> bool:
        """Whether the title is nearly that of a column of cards."""
        return self.sort == "card" and word_of(self.title) not in (self.name, *SYNONYMS)


@dataclass(frozen=True)
class Header:
    """The row of titles.

    Attributes:
        row: its number.
        columns: by their place.
        above: numbers of the filled rows above it, which hold no cards.
    """

    row: int
    columns: tuple[Column, ...]
    above: tuple[int, ...] = ()

    @property
    def notes(self) -> list[str]:
        """The titles of all columns that are kept as notes."""
        return [one.title for one in self.columns if one.sort == "note" or one.is_note_too]

    @property
    def missing(self) -> list[str]:
        """Those of `REQUIRED` that are not there."""
        found = {column.name for column in self.columns if column.sort == "card"}
        return [name for name in REQUIRED if name not in found]


def find_header(sheet: Sheet, notes: Collection[str] = ()) -> Header:
    """The titles of a sheet: the first row that has all required columns, else the likeliest one.

    Args:
        sheet: with at least one row.
        notes: words of columns that are notes whatever they resemble.
    """
    headers = list[Header]()
    for index in range(min(len(sheet.rows), _TITLES_WITHIN)):
        headers.append(_header(sheet, index, notes))
        if not headers[-1].missing:
            return headers[-1]
    return min(headers, key=lambda header: len(header.missing))


def check_header(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Note what is wrong with the titles: misspelt, missing, twice or too long for a note."""
    place = sheet.place(header.row)
    for column in header.columns:
        if column.is_misspelt:
            problems.add(
                f"{place}: unknown column {column.title!r}; did you mean {column.name!r}? "
                f'Rename it, or keep it as your own by --note "{column.title}"'
            )
        elif column.sort == "wrong":
            problems.add(
                f"{place}: column {shown_value(column.title)}: {title_fault(column.title)}"
            )
    seen: dict[tuple[str, str], str] = {}
    for column in filter(lambda column: column.title, header.columns):
        earlier = seen.get((column.sort, column.name))
        seen.setdefault((column.sort, column.name), column.title)
        if earlier is None:
            continue
        if earlier.lower() == column.title.lower():
            problems.add(f"{place}: column {column.name!r} is there twice")
        else:
            told = f"{earlier!r} and {column.title!r} both mean {column.name!r}"
            problems.add(f'{place}: columns {told}; keep one as it is by --note "{column.title}"')
    if missing := header.missing:
        plural = "s" if len(missing) > 1 else ""
        titles = ", ".join(shown_value(one.title) for one in header.columns if one.title)
        problems.add(f"{place}: missing column{plural} {', '.join(missing)}; has {titles}")


def _header(sheet: Sheet, index: int, notes: Collection[str]) -> Header:
    number, cells = sheet.rows[index]
    titles = [_ODD_SPACE.sub(" ", cell) for cell in cells]
    below = sheet.rows[index + 1 :]
    known = {word_of(title) for title in titles}
    columns = tuple(
        _column(title, known, [row[place] for _, row in below if place < len(row)], notes)
        for place, title in enumerate(titles)
    )
    return Header(number, columns, tuple(row for row, _ in sheet.rows[:index]))


def _column(
    title: str, known: Collection[str], cells: Sequence[str], notes: Collection[str]
) -> Column:
    word = word_of(title)
    if not title:
        return Column("untitled", "", "")
    if word.startswith(DECK_MARK):
        return Column("deck", title[len(DECK_MARK) :].strip(), title)
    if word in COLUMNS:
        return Column("card", word, title)
    meant = None if word in notes else column_like(title)
    is_about_else = word in SYNONYMS and not _are_known(meant, cells)
    if meant and meant not in known and not is_about_else:
        has_own_words = meant == "kind" and not {cell.lower() for cell in cells}.isdisjoint(KINDS)
        return Column("card", meant, title, has_own_words)
    return Column("wrong" if title_fault(title) else "note", title, title)


def _are_known(column: str | None, cells: Sequence[str]) -> bool:
    """Whether cells hold words that a column knows, if it has a vocabulary.

    Of keywords most are enough: then the others are slips, each to be told at its row.
    """
    vocabulary = _VOCABULARIES.get(column or "")
    if vocabulary is None:
        return True
    told = [word for cell in cells for word in re.split(r"[\s,;]+", cell.lower()) if word]
    n_known = sum(word in vocabulary for word in told)
    return n_known == len(told) or (column == "keywords" and 2 * n_known > len(told))


def column_like(title: str) -> str | None:
    """The column that a title misspells or calls otherwise, if it does.

    It misspells one by one slip, or by two in a longer word.
    """
    word = word_of(title)
    slips = {column: _n_slips(word, column) for column in COLUMNS}
    near = [column for column in COLUMNS if slips[column] <= _slips_allowed(column)]
    return SYNONYMS.get(word) or min(near, key=slips.__getitem__, default=None)


def word_of(title: str) -> str:
    """A title as it is compared: in lower case, and with single spaces."""
    return " ".join(title.lower().split())


def _slips_allowed(column: str) -> int:
    return 2 if len(column) > 5 else int(len(column) > 2)


def _n_slips(word: str, meant: str) -> int:
    """Letters left out, added, changed, or exchanged with the next (optimal string alignment)."""
    rows = [list(range(len(meant) + 1))]
    for i, letter in enumerate(word, start=1):
        row = [i]
        for j, other in enumerate(meant, start=1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == meant[j - 2] and word[i - 2] == other:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
