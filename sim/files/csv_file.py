"""The CSV files that people keep in a spreadsheet: reading and writing them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from sim.errors import InputError
from sim.files.sheet import Row
from sim.files.toml_file import read_text
from sim.files.validation import shown_value

Line = Row
"""The number of a line in its file, counted from 1, and its cells without outer spaces."""

_DELIMITERS = ",;\t"
_WHOLE_NUMBER = re.compile(
    r"([+-]?[0-9]{1,9})(?:[.,]0*)?"
)  # spreadsheets write 3 as 3.0, or as 3,0
_NUMBER = re.compile(r"[+-]?(([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[+-]?[0-9]+)?|inf)", re.IGNORECASE)
_SEPARATOR_LINE = re.compile(r'\s*"?sep=([,;\t])"?[;,]*\r?\n', re.IGNORECASE)  # Excel's own
_QUOTED = re.compile(r'"[^"]*"')
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*")
_FORMULA = re.compile(r"'*[=+@\t\r-]")  # how a cell begins that may not stand as it is


def escaped(text: str) -> str:
    """`text` so that no spreadsheet takes it for a formula: with `'` before `=`, `+`, `-`, `@`.

    So do tabs and carriage returns begin formulas for some; numbers stay as they are. Text that
    begins like an escaped one gets one more `'`, so that `unescaped` gives back any text.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unescaped(cell: str) -> str:
    """The text that `escaped` was given; an apostrophe before anything else stays."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV with commas and line feeds; text is escaped (see `escaped`).

    Titles are in quotes where one holds what others put between cells.
    """
    lines = []
    quoting: Literal[0, 1]
    for number, row in enumerate(rows):
        line = io.StringIO(newline="")
        # With this end of lines, a carriage return in a cell is quoted too.
        cells = [escaped(value) if isinstance(value, str) else value for value in row]
        is_title = number == 0 and any(
            mark in str(cell) for cell in cells for mark in _DELIMITERS[1:]
        )
        quoting = csv.QUOTE_ALL if is_title else csv.QUOTE_MINIMAL
        csv.writer(line, lineterminator="\r\n", quoting=quoting).writerow(cells)
        lines.append(line.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)


def csv_rows(text: str) -> list[list[str]]:
    """The cells of what `csv_text` made, as they were before.

    Raises:
        csv.Error: it is no CSV.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    return [[unescaped(cell) for cell in row] for row in reader]


def filled_lines(path: Path) -> list[Line]:
    """The lines of a UTF-8 file with something in them, see `lines_of`.

    Raises:
        InputError: the file cannot be read (see `read_text`), or is no CSV (with the line).
    """
    return lines_of(read_text(path), path)


def lines_of(text: str, path: Path) -> list[Line]:
    """The lines with something in them; commas, semicolons or tabs stand between cells.

    A first line `sep=;`, by which Excel tells itself what stands there, is heeded.

    Args:
        text: CSV.
        path: where it comes from, for messages.

    Raises:
        InputError: it is no CSV (with the line).
    """
    told = _SEPARATOR_LINE.match(text)
    begin = told.end() if told else 0
    reader = csv.reader(
        io.StringIO(text[begin:], newline=""),
        delimiter=told[1] if told else _delimiter(text),
        skipinitialspace=True,
        strict=True,
    )
    lines = []
    n_before = text[:begin].count("\n")
    first = 1 + n_before  # a cell may hold line ends, so that a card may span lines
    try:
        for row in reader:
            cells = [unescaped(cell.strip()) for cell in row]
            if any(cells):
                lines.append((first, cells))
            first = reader.line_num + 1 + n_before
    except csv.Error as error:
        raise InputError(f"{path}: line {first}: not valid CSV: {error}") from None
    return lines


def whole_number(text: str) -> int:
    """The number in a cell.

    Raises:
        InputError: it is none.
    """
    match = _WHOLE_NUMBER.fullmatch(text)
    if match is None:
        is_date = "is a date, " if _DATE.fullmatch(text) else ""
        raise InputError(f"{shown_value(text)} {is_date}must be a whole number")
    return int(match[1])


def _delimiter(text: str) -> str:
    """What stands most often in the first line of a table; above it may be a line that is none."""
    unquoted = _QUOTED.sub("", text)
    filled = [line for line in unquoted.splitlines() if line.strip(_DELIMITERS + " ")]
    first = filled[0] if filled else ""
    titles = next((line for line in filled if max(map(line.count, _DELIMITERS)) > 2), first)
    return max(_DELIMITERS, key=titles.count)  # the comma wins a tie
