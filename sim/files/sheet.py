"""Spreadsheet files: the cells of CSV, as spreadsheets write it, and of workbooks, as text."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

from sim.files.atomic_file import write_atomically
from sim.files.csv_file import Row, csv_text, lines_of, text_of

WORKBOOK_ENDINGS = (".xlsx", ".xlsm")


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


class SheetFile(NamedTuple):
    """What is in a file.

    Attributes:
        sheets: its tables, at least one.
        remark: what the reader should know of how it was read; `""` for nothing.
    """

    sheets: tuple[Sheet, ...]
    remark: str = ""


def is_workbook(path: Path) -> bool:
    """Whether a file's name says that it is one."""
    return path.suffix.lower() in WORKBOOK_ENDINGS


def read_sheets(path: Path) -> SheetFile:
    """The tables of a `.xlsx` file, or the one of a CSV file in whatever encoding Excel likes.

    Raises:
        InputError: the file is missing, or not what its name says; or openpyxl is not installed.
    """
    if is_workbook(path):
        from sim.files.workbook import read_workbook  # noqa: PLC0415 (few need it)

        return SheetFile(read_workbook(path))
    text, remark = text_of(path)
    return SheetFile((Sheet(lines_of(text, path)),), remark)


def write_sheets(path: Path, tables: Mapping[str, Sequence[Sequence[str | int]]]) -> None:
    """Write tables by title to a `.xlsx` file, or the first of them as CSV.

    Raises:
        InputError: `path` cannot be written; or openpyxl is not installed.
    """
    if is_workbook(path):
        from sim.files.workbook import write_workbook  # noqa: PLC0415 (few need it)

        write_workbook(path, tables)
    else:
        text = csv_text(next(iter(tables.values())))
        mark = "" if text.isascii() else codecs.BOM_UTF8.decode()  # else Excel takes it for cp1252
        write_atomically(path, mark + text)
