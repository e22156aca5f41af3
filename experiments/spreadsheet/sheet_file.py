"""Reading and writing of spreadsheet files by their endings, with cells as text."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.spreadsheet.json_rows import json_rows
from experiments.spreadsheet.json_sheet import json_text_of
from experiments.spreadsheet.ods_reader import read_ods
from experiments.spreadsheet.ods_writer import ods_bytes
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.workbook import read_workbook, write_workbook
from sim.errors import InputError, error_place
from sim.files.atomic_file import write_atomically
from sim.files.csv_file import csv_text, lines_of, text_of
from sim.files.whole_file import read_bytes


class SheetFile(NamedTuple):
    """Content of a spreadsheet file.

    Attributes:
        sheets: tables of the file, in order.
        remark: remark for the user on the guessed encoding; `""` if the encoding is certain.
    """

    sheets: tuple[Sheet, ...]
    remark: str = ""


def is_workbook(path: Path) -> bool:
    """Return whether a path ends in `.xlsx` or `.xlsm`, in upper or lower case."""
    return path.suffix.lower() in (".xlsx", ".xlsm")


def is_json(path: Path) -> bool:
    """Return whether a path ends in `.json`, in upper or lower case."""
    return path.suffix.lower() == ".json"


def is_ods(path: Path) -> bool:
    """Return whether a path ends in `.ods`, in upper or lower case."""
    return path.suffix.lower() == ".ods"


def has_sheets(path: Path) -> bool:
    """Return whether a file of this name may have several tables: a workbook or an `.ods` file."""
    return is_workbook(path) or is_ods(path)


def read_sheets(path: Path) -> SheetFile:
    """Read the tables of a workbook or `.ods` file, or the single table of a JSON or CSV file.

    Args:
        path: path of the file. The ending determines the format; files with unknown endings are
            read as CSV.

    Raises:
        InputError: the file cannot be read, is not valid in its format, or has a format that is not
            supported; or it is a workbook and openpyxl is not installed.
    """
    if is_workbook(path):
        return SheetFile(read_workbook(path))
    if is_ods(path):
        return SheetFile(read_ods(path))
    if is_json(path):
        return SheetFile((Sheet(json_rows(path), is_json=True),))
    if path.suffix.lower() in _OTHERS:
        read_bytes(path)  # reports a missing file before the wrong ending
        raise InputError(
            f"files ending in {path.suffix} cannot be read",
            place=path,
            value=path.suffix,
            limit=SHEET_ENDINGS,
            remedy="save the table as .xlsx or .csv",
        )
    text, remark = text_of(path)
    return SheetFile((Sheet(lines_of(text, path)),), remark)


SHEET_ENDINGS = (".csv", ".tsv", ".xlsx", ".xlsm", ".ods")
"""Endings of spreadsheet files, by which commands distinguish them from experiments."""

_OTHERS = (".fods", ".numbers", ".gsheet", ".pdf", ".doc", ".docx", ".xlsb", ".html")
"""Endings of files that may contain tables but are refused, since they cannot be read."""


def write_sheets(path: Path, tables: Mapping[str, Sequence[Sequence[str | int]]]) -> None:
    """Write tables to a spreadsheet file: all if it may have several, else only the first.

    Args:
        path: path of the file; the ending selects a workbook, `.ods`, JSON, or else CSV.
        tables: rows of cells by title of the sheet.

    Raises:
        InputError: `path` cannot be written; or it is a workbook and openpyxl is not installed.
    """
    if is_workbook(path):
        write_workbook(path, tables)
    elif is_ods(path):
        write_atomically(path, ods_bytes(tables))
    elif is_json(path):
        with error_place(path):
            write_atomically(path, json_text_of(next(iter(tables.values()))))
    else:
        text = csv_text(next(iter(tables.values())))
        # Without a byte order mark, Excel reads UTF-8 as cp1252.
        mark = "" if text.isascii() else codecs.BOM_UTF8.decode()
        write_atomically(path, mark + text)
