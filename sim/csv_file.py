"""Reading the CSV files that people keep in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from sim.errors import InputError
from sim.strict_model import shown_value
from sim.toml_file import read_text

Line = tuple[int, list[str]]
"""The number of a line in its file, counted from 1, and its cells without outer spaces."""

_DELIMITERS = ",;\t"
_WHOLE_NUMBER = re.compile(
    r"([+-]?[0-9]{1,9})(?:[.,]0*)?"
)  # spreadsheets write 3 as 3.0, or as 3,0


def filled_lines(path: Path) -> list[Line]:
    """The lines with something in them; commas, semicolons or tabs stand between cells.

    Raises:
        InputError: the file cannot be read (see `read_text`), or is no CSV (with the line).
    """
    text = read_text(path)
    delimiter = _delimiter(text)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    lines = []
    first = 1  # a cell may hold line ends, so that a card may span lines
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                lines.append((first, cells))
            first = reader.line_num + 1
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
        raise InputError(f"{shown_value(text)} must be a whole number")
    return int(match[1])


def _delimiter(text: str) -> str:
    for line in text.splitlines():
        if line.strip(_DELIMITERS + " "):
            return max(_DELIMITERS, key=line.count)  # the comma wins a tie
    return ","
