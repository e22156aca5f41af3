"""Reading of all rows of a sheet as cards, with a report of all problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from experiments.spreadsheet.card_row import CardRow, Unclear
from experiments.spreadsheet.cells import note_titles, value_in
from experiments.spreadsheet.columns import Column, Header
from experiments.spreadsheet.meanings import REQUIRED
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.unclear import check_kinds, check_large_numbers, check_prose
from sim.cards.card import Card
from sim.errors import InputError, Problems
from sim.files.csv_file import Row
from sim.value_error import shown_value


class CardRows(NamedTuple):
    """Cards read from the rows of a sheet.

    Attributes:
        cards: each card without problems, by row number; coins are not included.
        row_of: row number of each card by id, including coins and cards with problems.
        coins: each coin without problems, by row number; a valid sheet has at most one.
        spelt: the sheet's texts for name and id of each card, by the card's id.
        without_body: numbers of the rows with a placeholder, such as `-` or -1, for a number that
            cards of their kind do not have.
    """

    cards: dict[int, Card]
    row_of: dict[str, int]
    coins: dict[int, Card]
    spelt: dict[str, list[str]]
    without_body: list[int]

    @property
    def coin(self) -> Card | None:
        """The first coin without problems; `None` if the sheet has no such coin."""
        return next(iter(self.coins.values()), None)


def read_card_rows(sheet: Sheet, header: Header, problems: Problems) -> CardRows:
    """Read the rows below the titles of a sheet as cards.

    Args:
        sheet: sheet with one card per row.
        header: row of titles of the sheet.
        problems: collector to which all problems of the rows are added.
    """
    rows = CardRows({}, {}, {}, {}, [])
    rows_of_coins = list[int]()
    below = [row for row in sheet.rows if row[0] > header.row]
    header = _without_false_columns(header, below)
    # These checks report unclear words and columns once for the sheet, so that no row repeats them.
    asked = check_kinds(sheet, header, below, problems)
    large = check_large_numbers(sheet, header, below, problems)
    prose = check_prose(sheet, header, below, problems)
    unclear = Unclear({**header.kinds, **asked}, frozenset(asked), large | prose)
    for number, cells in below:
        row = CardRow(sheet, header, (number, cells), problems, unclear)
        if not row.id:
            continue
        if row.id in rows.row_of:
            problems.add_error(row.repeated_id_error(sheet.place(rows.row_of[row.id])))
            continue
        rows.row_of[row.id] = number
        rows.spelt[row.id] = row.others
        if row.is_coin and rows_of_coins:
            row.refuse_second_coin(sheet.place(rows_of_coins[0]))
        if row.is_coin:
            rows_of_coins.append(number)
        card = row.card()
        rows.without_body.extend([number] * row.had_nothing)
        if card is not None:
            (rows.coins if row.is_coin else rows.cards)[number] = card
    _keep_titles(rows.cards, header)
    _check_untitled(sheet, header, problems)
    return rows


def _without_false_columns(header: Header, rows: Sequence[Row]) -> Header:
    """Return a header in which misspelt columns without any fitting cell are notes.

    The titles of these columns are already reported; otherwise each row would also report its cell.
    Required columns are not changed.
    """
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
    """Replace the first card by a copy with a note for each note column of the sheet, in order.

    Missing notes are blank. This preserves the titles of columns that are blank in all rows, and
    the order of the columns. Nothing is changed if the cards' notes have all titles in order.
    """
    titles = header.notes
    if cards and note_titles(cards.values()) != titles:
        row, first = next(iter(cards.items()))
        notes = {title: first.notes.get(title, "") for title in titles}
        cards[row] = first.model_copy(update={"notes": {**notes, **first.notes}})


def _check_untitled(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Report each column that has no title but a filled cell below the titles, once per column."""
    n_titles = len(header.columns)
    first: dict[int, tuple[int, str]] = {}
    for number, cells in sheet.rows:
        for at, cell in enumerate(cells) if number > header.row else ():
            if cell and (at >= n_titles or header.columns[at].sort == "untitled"):
                first.setdefault(at, (number, cell))
    for at, (number, cell) in sorted(first.items()):
        problems.add(
            f"{shown_value(cell)} is in a column without a title",
            place=sheet.place(number, at),
            value=cell,
            remedy="give the column a title; or, if a comma has split a text, put the text "
            "in quotes",
        )
