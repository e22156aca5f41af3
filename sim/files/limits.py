"""Limits of files (length, depth, number of values), checked before the text is parsed.

Parsers are recursive, and a file of a few kilobytes can make them use gigabytes of memory. A text
is therefore scanned once, in time linear in its length, before it is parsed.
"""

from __future__ import annotations

import re
from typing import Final

from sim.errors import InputError

FILE_MIB_MAX: Final = 64
"""Maximum size of a file in MiB; it stops the reading of devices and pipes without end."""

TOML_MIB_MAX: Final = 8
"""Maximum size of a TOML text in MiB.

A pool of 10,000 cards has a third of it. Reading 8 MiB of blank lines takes 3 s.
"""

DEPTH_MAX: Final = 32
"""Maximum number of nested levels of lists and tables.

It is four times the number in any file of this package. Parsers, models and messages recurse
several times per level, and Python permits about a thousand recursions in total.
"""

VALUES_MAX: Final = 500_000
"""Maximum number of values in a TOML file.

A pool of 10,000 cards with effects has 300,000 values. The most expensive file within the limit,
with cards without any key, takes 0.9 GB until it is refused.
"""

JSON_VALUES_MAX: Final = 2_000_000
"""Maximum number of values in a JSON file.

A run writes at most a few dozen values per matchup, and 200 decks have 20,000 matchups. Two million
objects take 0.6 GB.
"""


CELLS_MAX: Final = 1_000_000
"""Maximum number of cells in a table: 10,000 cards in 100 columns, which take 0.2 GB."""

ARCHIVE_MIB_MAX: Final = 768
"""Maximum size of an archive of arrays in MiB; the largest contains a learner's replay buffer."""

# A workbook is an archive of XML; openpyxl uses about 400 bytes for each cell, and a workbook with
# formulas is opened twice.
WORKBOOK_CELLS_MAX: Final = 500_000  # enough for 10,000 cards in 50 columns
WORKBOOK_ELEMENTS_MAX: Final = 3_000_000  # up to four per cell, with space for styles and texts
UNPACKED_MIB_MAX: Final = 256  # includes pictures; sheets with the most cells have 40 MiB of XML
PARTS_MAX: Final = 10_000  # sheets, pictures and lists of parts; a usual workbook has a dozen

# In these patterns a string without an end extends to the end of the text. Parsers stop there as
# well, and searching for an end from each further quote would take quadratic time.
_BASIC = r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?|"(?:[^"\\\n]|\\.)*+"?'
_LITERAL = r"'''(?:[^']|'(?!''))*+(?:'{3,5})?|'[^'\n]*+'?"
_TOML = re.compile(rf"(?:{_BASIC}|{_LITERAL}|#[^\n]*+)|([][{{}}.=,])", re.DOTALL)
_JSON = re.compile(r'"(?:[^"\\]|\\.)*+"?|([][{},])', re.DOTALL)


def check_toml_text(text: str) -> None:
    """Raise an error if a TOML text exceeds the limits of length, depth or number of values.

    Raises:
        InputError: the text is longer than `TOML_MIB_MAX`, has brackets and dots in more than
            `DEPTH_MAX` levels, or has more than `VALUES_MAX` values.
    """
    if len(text) > TOML_MIB_MAX * 2**20:
        raise InputError(
            f"more than {TOML_MIB_MAX} MiB of text, the limit of one file",
            value=len(text),
            limit=TOML_MIB_MAX * 2**20,
            remedy=_SPLIT,
        )
    _check_marks(text, _TOML, VALUES_MAX)


_SPLIT = "split the file, or delete what is not needed"


def check_json_text(text: str) -> None:
    """Raise an error if a JSON text exceeds the limits of depth or number of values.

    Raises:
        InputError: the text has brackets in more than `DEPTH_MAX` levels, or more than
            `JSON_VALUES_MAX` values.
    """
    _check_marks(text, _JSON, JSON_VALUES_MAX)


def _check_marks(text: str, tokens: re.Pattern[str], values_max: int) -> None:
    """Raise an error if a text has too many levels or values.

    Both are estimated by counting brackets and separators outside strings and comments.

    Args:
        text: text in TOML or JSON.
        tokens: pattern of strings, comments and counted signs; its group matches counted signs.
        values_max: maximum number of counted signs.

    Raises:
        InputError: the text has more than `DEPTH_MAX` levels or `values_max` signs; the message
            names the line.
    """
    n_marks = 0
    n_open = 0
    n_dots = 0
    for match in tokens.finditer(text):
        mark = match[1]
        if mark is None:
            continue
        n_marks += 1
        if mark == ".":
            n_dots += 1
        else:
            n_dots = 0
            if mark in "[{":
                n_open += 1
            elif mark in "]}" and n_open:
                n_open -= 1
        if n_open + n_dots > DEPTH_MAX:
            raise too_deep_error().at(_line_of(match, text))
        if n_marks > values_max:
            raise InputError(
                f"more than {values_max:,} values, the limit of one file",
                place=_line_of(match, text),
                limit=values_max,
                remedy=_SPLIT,
            )


def _line_of(match: re.Match[str], text: str) -> str:
    """Return the place of a match for messages, such as `line 3`; `""` if the text has one line."""
    return f"line {text.count(chr(10), 0, match.start()) + 1}" if "\n" in text else ""


def too_deep_error() -> InputError:
    """Return the error for data with more than `DEPTH_MAX` nested levels."""
    return InputError(
        f"the data are nested more than {DEPTH_MAX} levels deep",
        limit=DEPTH_MAX,
        remedy="use fewer levels",
    )


def check_depth(data: object) -> None:
    """Raise an error if parsed data has more than `DEPTH_MAX` nested levels of lists and tables.

    Raises:
        InputError: the data has too many levels.
    """
    level = [data]
    for _ in range(DEPTH_MAX + 1):
        level = [item for container in level for item in _items(container)]
        if not level:
            return
    raise too_deep_error()


def _items(data: object) -> list[object]:
    if isinstance(data, dict):
        return list(data.values())
    return list(data) if isinstance(data, list | tuple) else []


def too_many_error(n: int, what: str, most: int) -> InputError:
    """Return the error for more things than a limit permits.

    Args:
        n: number of the things.
        what: word for them, in the plural.
        most: largest permitted number.
    """
    return InputError(f"{n:,} {what}, but at most {most:,} are permitted", value=n, limit=most)


def check_cells(text: str, delimiters: str) -> None:
    """Raise an error if a CSV text has too many cells, estimated by counting separators.

    Args:
        text: content of a CSV file.
        delimiters: characters that may separate cells; the most frequent one is counted.

    Raises:
        InputError: the text has more than about `CELLS_MAX` cells.
    """
    n_lines = text.count("\n") + text.count("\r")
    n_cells = n_lines + max(map(text.count, delimiters))
    if n_cells > CELLS_MAX:
        raise InputError(
            f"about {n_cells:,} cells, but at most {CELLS_MAX:,} are permitted",
            value=n_cells,
            limit=CELLS_MAX,
            remedy="delete all rows and columns except those of the cards",
        )
