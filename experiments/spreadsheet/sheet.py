"""Table of a spreadsheet file, with cells as text, and the texts of values in cells."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any

from experiments.spreadsheet.json_rows import TITLES_ROW
from sim.errors import InputError
from sim.files.csv_file import Row
from sim.files.limits import CELLS_MAX

NO_VALUE = "the formula has no saved value; open the file in a spreadsheet program and save it"
"""Fault of a cell with a formula if the file does not contain its result."""

_EXACT_MAX = 1e15  # below this limit, a double represents every whole number exactly


@dataclass(frozen=True)
class Sheet:
    """Table of a spreadsheet file.

    Attributes:
        rows: numbers and cells of the rows with at least one filled or faulty cell.
        title: title of the sheet in its workbook; `""` for CSV and JSON files.
        is_hidden: whether the workbook hides the sheet.
        faults: reason why a cell has no value, by row number and position in the row from 0.
        joined: range of cells merged across columns, such as `"B3:D3"`, by number of each row in
            it.
        is_json: whether the rows are the objects of a JSON file.
    """

    rows: list[Row]
    title: str = ""
    is_hidden: bool = False
    faults: Mapping[tuple[int, int], str] = field(default_factory=dict)
    joined: Mapping[int, str] = field(default_factory=dict)
    is_json: bool = False

    def place(self, row: int, column: int | None = None) -> str:
        """Return the place of a row or cell for messages, such as `"sheet 'Cards', cell C3"`.

        Places in CSV files are lines, and places in JSON files are entries.

        Args:
            row: number of the row.
            column: position of the cell in the row, from 0; `None` for the whole row. It is used
                only for workbooks.
        """
        if self.is_json:
            return "the keys" if row == TITLES_ROW else f"entry {row}"
        if not self.title:
            return f"line {row}"
        where = f"row {row}" if column is None else f"cell {column_letters(column)}{row}"
        return f"sheet {self.title!r}, {where}"


def column_letters(column: int) -> str:
    """Return the letters of a spreadsheet column by its position from 0: 0 is `A`, 26 is `AA`."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, len(ascii_uppercase))
        letters = ascii_uppercase[letter] + letters
    return letters


def rows_of(texts: Mapping[tuple[int, int], str]) -> list[Row]:
    """Return the rows of a sheet, padded with blank cells on the left.

    Args:
        texts: text of each filled or faulty cell, by row number from 1 and position from 0.

    Raises:
        InputError: the rows have more than `CELLS_MAX` cells.
    """
    rows: dict[int, list[str]] = {}
    n_cells = 0
    for (number, place), text in sorted(texts.items()):
        cells = rows.setdefault(number, [])
        n_cells += place + 1 - len(cells)
        if n_cells > CELLS_MAX:
            raise InputError(
                f"more than {CELLS_MAX:,} cells up to row {number}, including blank ones",
                limit=CELLS_MAX,
                remedy="delete the columns to the right of the cards",
            )
        cells += [""] * (place - len(cells)) + [text]
    return list(rows.items())


_SPELT: dict[type, Callable[[Any], str]] = {
    bool: lambda value: str(value).upper(),
    float: lambda value: (
        str(int(value)) if value.is_integer() and abs(value) < _EXACT_MAX else repr(value)
    ),
    datetime.datetime: lambda value: value.isoformat(sep=" ").removesuffix(" 00:00:00"),
}


def text_of_value(value: object) -> str:
    """Return the value of a cell as the text that a CSV file would have."""
    if value is None:
        return ""
    spelt = _SPELT.get(type(value), str)(value)
    return spelt.strip()


def number_in(text: str) -> int | float | None:
    """Return the number that a text represents; `None` if the text is not exactly a number.

    The number, written as a cell, must give the same text again, and be less than `_EXACT_MAX`.
    """
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if text_of_value(number) == text and abs(number) < _EXACT_MAX:
            return number
    return None
