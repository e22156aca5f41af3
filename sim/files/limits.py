"""Limits of whatever is read: how long, how deep, how many values; checked before it is parsed.

Parsers call themselves for each level of nesting, and a file of some kilobytes can ask for
gigabytes. So text is looked over once, in time that grows with its length alone, before any
parser has it.
"""

from __future__ import annotations

import re
from typing import Final

from sim.errors import InputError

FILE_MIB_MAX: Final = 64  # of a file that somebody wrote; a device or a pipe may never end

TOML_MIB_MAX: Final = 8  # of text: three times 10,000 cards; as many blank lines take 3 s to read

DEPTH_MAX: Final = 32
"""Lists and tables inside each other: four times what any file of ours has. Parsers, models and
messages call themselves several times a level, of which Python allows a thousand in all."""

VALUES_MAX: Final = 500_000
"""Values of a TOML file. A pool of 10,000 cards with effects has 300,000; this many in the form
that costs most, cards without a single key, take 0.9 GB to be refused."""

JSON_VALUES_MAX: Final = 2_000_000
"""Values of a JSON file. Runs write their own, at most some dozen for each matchup: those of 200
decks have 20,000 matchups. This many objects take 0.6 GB."""

TOO_DEEP: Final = f"is nested more than {DEPTH_MAX} deep; write it with fewer levels"

CELLS_MAX: Final = 1_000_000
"""Cells of a table: 10,000 cards in 100 columns. This many take 0.2 GB."""

ARCHIVE_MIB_MAX: Final = 768  # of arrays; the memory of a learner's moves is most of the largest

# Of a workbook, which is an archive of XML. openpyxl holds some 400 bytes a cell, twice.
WORKBOOK_CELLS_MAX: Final = 500_000  # 10,000 cards in 50 columns
WORKBOOK_ELEMENTS_MAX: Final = 3_000_000  # a cell is up to four, a style or a text some more
UNPACKED_MIB_MAX: Final = 256  # with its pictures; sheets of as many cells are 40 MiB of XML
PARTS_MAX: Final = 10_000  # sheets, pictures and what ties them together; usually a dozen

# A string that nobody closes goes on to the end: no parser reads on behind it, and looking for
# its end again from each further quote would take time by the square.
_BASIC = r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?|"(?:[^"\\\n]|\\.)*+"?'
_LITERAL = r"'''(?:[^']|'(?!''))*+(?:'{3,5})?|'[^'\n]*+'?"
_TOML = re.compile(rf"(?:{_BASIC}|{_LITERAL}|#[^\n]*+)|([][{{}}.=,])", re.DOTALL)
_JSON = re.compile(r'"(?:[^"\\]|\\.)*+"?|([][{},])', re.DOTALL)


def check_toml_text(text: str) -> None:
    """Refuse TOML that is too long, too deep (by brackets or dots), or has too many values.

    Raises:
        InputError: names the line, the limit and what to do.
    """
    if len(text) > TOML_MIB_MAX * 2**20:
        raise InputError(
            f"{len(text) / 2**20:.1f} MiB of text, at most {TOML_MIB_MAX} are read; split it, or "
            "leave out what is not needed"
        )
    _check_marks(text, _TOML, VALUES_MAX)


def check_json_text(text: str) -> None:
    """The same of JSON."""
    _check_marks(text, _JSON, JSON_VALUES_MAX)


def _check_marks(text: str, tokens: re.Pattern[str], values_max: int) -> None:
    """Count what opens, closes and separates values, outside of strings and comments.

    Args:
        text: what a parser is to read.
        tokens: matches strings and comments, and in its group what is counted.
        values_max: how many of those there may be.
    """
    n_marks = 0
    n_open = 0
    n_dots = 0
    for found in tokens.finditer(text):
        mark = found[1]
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
            raise InputError(f"{_line_of(found, text)}{TOO_DEEP}")
        if n_marks > values_max:
            raise InputError(
                f"{_line_of(found, text)}more than {values_max:,} values so far, which is the "
                "limit of one file; split it, or leave out what is not needed"
            )


def _line_of(found: re.Match[str], text: str) -> str:
    """`"line 3: "` of text with several lines."""
    return f"line {text.count(chr(10), 0, found.start()) + 1}: " if "\n" in text else ""


def check_depth(data: object) -> None:
    """Refuse data in which lists and tables are nested too deep, however it was made.

    Raises:
        InputError: names the limit.
    """
    level = [data]
    for _ in range(DEPTH_MAX + 1):
        level = [item for one in level for item in _items(one)]
        if not level:
            return
    raise InputError(TOO_DEEP)


def _items(data: object) -> list[object]:
    if isinstance(data, dict):
        return list(data.values())
    return list(data) if isinstance(data, list | tuple) else []


def check_cells(text: str, delimiters: str) -> None:
    """Refuse a table with too many cells, as text, before it is split.

    Args:
        text: lines of cells.
        delimiters: what may stand between cells, of which a table uses one.

    Raises:
        InputError: names the limit and what to do.
    """
    n_lines = text.count("\n") + text.count("\r")
    n_cells = n_lines + max(map(text.count, delimiters))
    if n_cells > CELLS_MAX:
        raise InputError(
            f"some {n_cells:,} cells, at most {CELLS_MAX:,} are read; keep the rows and columns of "
            "the cards, and delete empty ones"
        )
