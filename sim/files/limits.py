"""Limits of files: length, depth and number of values; checked before the text is parsed.

Parsers call themselves for each level of nesting, and a file of some kilobytes can ask for
gigabytes. So a text is scanned once, in time linear in its length, before any parser reads it.
"""

from __future__ import annotations

import re
from typing import Final

from sim.errors import InputError

FILE_MIB_MAX: Final = 64  # of any file; a device or a pipe may never end

TOML_MIB_MAX: Final = 8  # three times a pool of 10,000 cards; 8 MiB of blank lines take 3 s to read

DEPTH_MAX: Final = 32
"""Levels of lists and tables inside each other: four times those of any file of this package.

Parsers, models and messages call themselves several times a level, of which Python permits a
thousand in all.
"""

VALUES_MAX: Final = 500_000
"""Values of a TOML file.

A pool of 10,000 cards with effects has 300,000. As many in the most expensive form, cards without a
single key, take 0.9 GB to be refused.
"""

JSON_VALUES_MAX: Final = 2_000_000
"""Values of a JSON file.

Runs write at most a few dozen for each matchup, and 200 decks have 20,000 matchups. As many objects
take 0.6 GB.
"""


CELLS_MAX: Final = 1_000_000
"""Cells of a table: 10,000 cards in 100 columns, which take 0.2 GB."""

ARCHIVE_MIB_MAX: Final = 768  # of arrays; the largest archive holds a learner's replay buffer

# A workbook is an archive of XML; openpyxl holds about 400 bytes a cell, twice.
WORKBOOK_CELLS_MAX: Final = 500_000  # 10,000 cards in 50 columns
WORKBOOK_ELEMENTS_MAX: Final = 3_000_000  # a cell has up to four; styles and texts add more
UNPACKED_MIB_MAX: Final = 256  # with pictures; sheets with the most cells are 40 MiB of XML
PARTS_MAX: Final = 10_000  # sheets, pictures and the parts that list them; usually a dozen

# A string without an end extends to the end of the text: no parser reads on behind it, and a
# search for its end from each further quote would take quadratic time.
_BASIC = r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?|"(?:[^"\\\n]|\\.)*+"?'
_LITERAL = r"'''(?:[^']|'(?!''))*+(?:'{3,5})?|'[^'\n]*+'?"
_TOML = re.compile(rf"(?:{_BASIC}|{_LITERAL}|#[^\n]*+)|([][{{}}.=,])", re.DOTALL)
_JSON = re.compile(r'"(?:[^"\\]|\\.)*+"?|([][{},])', re.DOTALL)


def check_toml_text(text: str) -> None:
    """Refuse a TOML text that is too long, too deep (by brackets or dots), or has too many values.

    Raises:
        InputError: names the line, the limit and the remedy.
    """
    if len(text) > TOML_MIB_MAX * 2**20:
        raise InputError(
            f"{len(text) / 2**20:.1f} MiB of text, must be at most {TOML_MIB_MAX} MiB",
            value=len(text),
            limit=TOML_MIB_MAX * 2**20,
            remedy=_SPLIT,
        )
    _check_marks(text, _TOML, VALUES_MAX)


_SPLIT = "split it, or delete what is not needed"


def check_json_text(text: str) -> None:
    """Refuse a JSON text that is too deep (by brackets) or has too many values.

    Raises:
        InputError: names the line, the limit and the remedy.
    """
    _check_marks(text, _JSON, JSON_VALUES_MAX)


def _check_marks(text: str, tokens: re.Pattern[str], values_max: int) -> None:
    """Count the signs that open, close and separate values, outside of strings and comments.

    Args:
        text: the text that a parser is to read.
        tokens: matches strings and comments, and in its group the signs that are counted.
        values_max: the greatest permitted number of signs.

    Raises:
        InputError: the text is too deep or has too many values; names the line.
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
    """Return the place of a match: `line 3`, or `""` if the text has a single line."""
    return f"line {text.count(chr(10), 0, match.start()) + 1}" if "\n" in text else ""


def too_deep_error() -> InputError:
    """Return the error for data with more than `DEPTH_MAX` levels."""
    return InputError(
        f"is nested more than {DEPTH_MAX} levels deep",
        limit=DEPTH_MAX,
        remedy="write it with fewer levels",
    )


def check_depth(data: object) -> None:
    """Refuse parsed data in which lists and tables are nested too deep.

    Raises:
        InputError: names the limit.
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


def check_cells(text: str, delimiters: str) -> None:
    """Refuse a table with too many cells, as text, before it is split into cells.

    Args:
        text: lines of cells.
        delimiters: signs that may separate cells; a table uses one of them.

    Raises:
        InputError: names the limit and the remedy.
    """
    n_lines = text.count("\n") + text.count("\r")
    n_cells = n_lines + max(map(text.count, delimiters))
    if n_cells > CELLS_MAX:
        raise InputError(
            f"about {n_cells:,} cells, must be at most {CELLS_MAX:,}",
            value=n_cells,
            limit=CELLS_MAX,
            remedy="delete all rows and columns but those of the cards",
        )
