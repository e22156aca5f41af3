"""Opening of the file of a table of results: its format, its encoding, and its titles."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

from experiments.observed.results_table import ResultsTable, encoding_error
from experiments.spreadsheet.sheet_file import has_sheets, read_sheets
from sim.errors import InputError, system_error_place
from sim.files.csv_file import delimiter_of, refuse_other_format
from sim.files.limits import too_many_error
from sim.files.whole_file import missing_file_error

_HEAD = 2**16  # bytes from which encoding, separator and titles are determined
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # Excel writes it
_COLUMNS_MAX = 1_000  # a table of results has a few dozen columns at most
_JSON = ("{", "[")  # first characters of JSON


def open_table(path: Path) -> ResultsTable:
    """Return the table of results in a file, after reading its titles.

    Args:
        path: path of a CSV file of any size, or of a workbook.

    Raises:
        InputError: the file is missing, not a regular file, empty, or neither a CSV file nor a
            workbook.
    """
    _check_regular(path)
    if has_sheets(path):
        return _open_workbook(path)
    with system_error_place(path, "read"), path.open("rb") as file:
        head = file.read(_HEAD)
    refuse_other_format(head, path)
    encoding = "utf-16" if head.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    text = _decoded(head, encoding, path)
    if text.lstrip().startswith(_JSON):
        raise InputError("is JSON, not a table", place=path, remedy="save it as CSV")
    lines = text.splitlines()
    separator = _SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    after = 1 if separator else 0
    filled = [k for k, line in enumerate(lines) if k >= after and line.strip(",;\t| ")]
    if not filled:
        raise _empty_error(path)
    delimiter = separator[1] if separator else delimiter_of(lines[filled[0]])
    titles = _cells_of(lines[filled[0]], delimiter)
    return ResultsTable(
        path, _checked_titles(titles, path), delimiter, encoding, first_row=filled[0] + 2
    )


def _check_regular(path: Path) -> None:
    """Check that a path is a regular file, which can be read in chunks and has an end.

    Raises:
        InputError: the path is missing, a folder, a pipe or a device.
    """
    try:
        is_there = path.exists()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", place=path) from None
    if not is_there:
        raise missing_file_error(path)
    if path.is_dir():
        raise InputError("is a folder, not a file", place=path)
    if not path.is_file():
        raise InputError(
            "is a pipe or a device, not a file",
            place=path,
            remedy="save the table in a file, which may have any size",
        )


def _open_workbook(path: Path) -> ResultsTable:
    """Return the table in the first filled visible sheet of a workbook.

    Raises:
        InputError: the workbook cannot be read, or has no filled cell.
    """
    sheets = [sheet for sheet in read_sheets(path).sheets if sheet.rows and not sheet.is_hidden]
    if not sheets:
        raise _empty_error(path)
    (number, titles), *rows = sheets[0].rows
    return ResultsTable(
        path, _checked_titles(titles, path), first_row=number + 1, cells=tuple(rows)
    )


def _decoded(head: bytes, encoding: str, path: Path) -> str:
    """Return the text of the beginning of a file, without a character that is cut at its end.

    Raises:
        InputError: the bytes are not text in the encoding, or contain zeros.
    """
    text = head.decode(encoding, errors="replace")
    if "\0" in text:
        raise InputError("is not a text file", place=path, remedy="save the table as CSV")
    # The head may end within a character, which takes at most four bytes.
    if "\N{REPLACEMENT CHARACTER}" in text[:-3]:
        raise encoding_error(path)
    return text


def _cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of the line of titles."""
    return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]


def _checked_titles(titles: Sequence[str], path: Path) -> tuple[str, ...]:
    """Return the titles of a table.

    Raises:
        InputError: there are too many titles.
    """
    if len(titles) > _COLUMNS_MAX:
        raise too_many_error(len(titles), "columns", _COLUMNS_MAX).with_fields(place=path)
    return tuple(titles)


def _empty_error(path: Path) -> InputError:
    """Return the error for a file without a filled line."""
    return InputError(
        "is empty",
        place=path,
        remedy="add a line of titles, such as player_a,player_b,winner, and a line for each game",
    )
