"""Cards out of the rows of a sheet, with all that is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sim.cards.card import Card
from sim.cards.spreadsheet.card_row import CardRow, Unclear
from sim.cards.spreadsheet.cells import note_titles, value_in
from sim.cards.spreadsheet.columns import (
    REQUIRED,
    Column,
    Header,
)
from sim.cards.spreadsheet.unclear import check_kinds, check_large_numbers, check_prose
from sim.errors import InputError, Problems
from sim.files.csv_file import Row
from sim.files.sheet import Sheet
from sim.files.validation import shown_value


class CardRows(NamedTuple):
    """What was found in the rows.

    Attributes:
        cards: those that are right, by their rows.
        row_of: all rows that say who they are, by id.
        coins: the coin, by its row, which is no card of a deck.
        spelt: what else those rows call the card, by id: its name, the sheet's own id.
        without_body: rows of cards that have no body, and `-` or -1 where others have one.
    """

    cards: dict[int, Card]
    row_of: dict[str, int]
    coins: dict[int, Card]
    spelt: dict[str, list[str]]
    without_body: list[int]

    @property
    def coin(self) -> Card | None:
        """The coin, if there is one."""
        return next(iter(self.coins.values()), None)


def read_card_rows(sheet: Sheet, header: Header, problems: Problems) -> CardRows:
    """The cards below the titles of a sheet.

    Args:
        sheet: where they stand.
        header: its titles.
        problems: takes what is wrong.
    """
    found = CardRows({}, {}, {}, {}, [])
    rows_of_coins = list[int]()
    below = [row for row in sheet.rows if row[0] > header.row]
    header = _without_strangers(header, below)
    asked = check_kinds(sheet, header, below, problems)
    large = check_large_numbers(sheet, header, below, problems)
    prose = check_prose(sheet, header, below, problems)
    unclear = Unclear({**header.kinds, **asked}, frozenset(asked), large | prose)
    for number, cells in below:
        row = CardRow(sheet, header, (number, cells), problems, unclear)
        if not row.id:
            continue
        if row.id in found.row_of:
            problems.add(row.second_of(sheet.place(found.row_of[row.id])))
            continue
        found.row_of[row.id] = number
        found.spelt[row.id] = row.others
        if row.is_coin and rows_of_coins:
            row.refuse_second_coin(sheet.place(rows_of_coins[0]))
        if row.is_coin:
            rows_of_coins.append(number)
        card = row.card()
        found.without_body.extend([number] * row.had_nothing)
        if card is not None:
            (found.coins if row.is_coin else found.cards)[number] = card
    _keep_titles(found.cards, header)
    _check_untitled(sheet, header, problems)
    return found


def _without_strangers(header: Header, rows: Sequence[Row]) -> Header:
    """Leave misspelt columns alone where no cell is what they hold; the title says enough."""
    columns = list(header.columns)
    for at, column in enumerate(header.columns):
        cells = [cells[at] for _, cells in rows if at < len(cells) and cells[at]]
        is_needed = not column.is_misspelt or column.name in REQUIRED
        if not is_needed and not any(_is_value(column.name, cell) for cell in cells):
            columns[at] = Column("note", column.title, column.title)
    return replace(header, columns=tuple(columns))


def _is_value(column: str, cell: str) -> bool:
    try:
        value_in(column, cell)
    except InputError:
        return False
    return True


def _keep_titles(cards: dict[int, Card], header: Header) -> None:
    """Let the first card say what the notes of all cards do not: blank columns, and their order."""
    titles = header.notes
    if cards and note_titles(cards.values()) != titles:
        row, first = next(iter(cards.items()))
        notes = {title: first.notes.get(title, "") for title in titles}
        cards[row] = first.model_copy(update={"notes": {**notes, **first.notes}})


def _check_untitled(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Each column without a title is a problem if something stands in it, however often."""
    n_titles = len(header.columns)
    first: dict[int, tuple[int, str]] = {}
    for number, cells in sheet.rows:
        for at, cell in enumerate(cells) if number > header.row else ():
            if cell and (at >= n_titles or header.columns[at].sort == "untitled"):
                first.setdefault(at, (number, cell))
    for at, (number, cell) in sorted(first.items()):
        problems.add(
            f"{sheet.place(number, at)}: {shown_value(cell)} stands in no column; give it a "
            "title, or put a text with commas in quotes"
        )
