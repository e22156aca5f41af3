"""A sheet: the cells of a spreadsheet as text, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase

Row = tuple[int, list[str]]
"""The number of a row in its sheet, counted from 1, and its cells without outer spaces."""


@dataclass(frozen=True)
class Sheet:
    """One table of a file.

    Attributes:
        rows: those with something in them.
        title: of the sheet in its workbook; `""` for a file that is one table.
        is_hidden: whether the workbook does not show it.
        faults: why a cell has no value, by its row's number and its place in the row from 0.
        joined: by a row's number, those of its cells that are one across columns, `"B3:D3"`.
    """

    rows: list[Row]
    title: str = ""
    is_hidden: bool = False
    faults: Mapping[tuple[int, int], str] = field(default_factory=dict)
    joined: Mapping[int, str] = field(default_factory=dict)

    def place(self, row: int, column: int | None = None) -> str:
        """What people find a row by, or a cell: `"line 3"`, or `"sheet 'Cards', cell C3"`."""
        if not self.title:
            return f"line {row}"
        where = f"row {row}" if column is None else f"cell {column_letters(column)}{row}"
        return f"sheet {self.title!r}, {where}"


def column_letters(column: int) -> str:
    """What spreadsheets call a column, counted from 0: `"A"`, `"Z"`, `"AA"`."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, len(ascii_uppercase))
        letters = ascii_uppercase[letter] + letters
    return letters
