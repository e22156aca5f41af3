"""The CSV files that people keep in a spreadsheet: reading and writing them."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from sim.errors import InputError, error_place
from sim.files.limits import check_cells
from sim.files.validation import shown_value
from sim.files.whole_file import read_bytes, read_text, text_in

Row = tuple[int, list[str]]
"""The number of a row in its file, counted from 1, and its cells without outer spaces."""

_DELIMITERS = ",;\t|"
_WHOLE_NUMBER = re.compile(
    r"([+-]?[0-9]{1,9})(?:[.,]0*)?"
)  # spreadsheets write 3 as 3.0, or as 3,0
_IN_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:([ '\u2019_])[0-9]{3}(?:\1[0-9]{3}){0,2})")
_IN_GROUPS_OF_MARKS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:([.,])[0-9]{3}\1[0-9]{3})")
_MAYBE_IN_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")  # 1,000 is a thousand, or 1
_NUMBER = re.compile(r"[+-]?(([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[+-]?[0-9]+)?|inf)", re.IGNORECASE)
_SEPARATOR_LINE = re.compile(r'\s*"?sep=([,;\t|])"?[;,]*\r?\n', re.IGNORECASE)  # Excel's own
_QUOTED = re.compile(r'"[^"]*"')
_RULE = re.compile(r":?-{2,}:?")  # below the titles of a table in Markdown
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*")
_FORMULA = re.compile(r"'*[=+@\t\r-]")  # how a cell begins that may not stand as it is
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")  # what it calls "Unicode text"
_WORD = re.compile(r"[^\s,;]+")
_SIGNATURES = {
    b"PK\x03\x04": "is a workbook, not CSV; its name must end in .xlsx",
    b"%PDF": "is a PDF, not CSV; save the table as .xlsx or .csv",
    b"\xd0\xcf\x11\xe0": "is an old or locked workbook; save it as .xlsx or CSV",
}


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
    for number, row in enumerate(rows):
        line = io.StringIO(newline="")
        # With this end of lines, a carriage return in a cell is quoted too.
        cells = [escaped(value) if isinstance(value, str) else value for value in row]
        is_title = number == 0 and any(
            mark in str(cell) for cell in cells for mark in _DELIMITERS[1:]
        )
        csv.writer(
            line,
            lineterminator="\r\n",
            quoting=csv.QUOTE_ALL if is_title else csv.QUOTE_MINIMAL,
        ).writerow(cells)
        lines.append(line.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)


def csv_rows(text: str) -> list[list[str]]:
    """The cells of what `csv_text` made, as they were before.

    Raises:
        csv.Error: it is no CSV.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    return [[unescaped(cell) for cell in row] for row in reader]


def filled_lines(path: Path) -> list[Row]:
    """The lines of a UTF-8 file with something in them, see `lines_of`.

    Raises:
        InputError: the file cannot be read (see `read_text`), or is no CSV (with the line).
    """
    return lines_of(read_text(path), path)


def lines_of(text: str, path: Path) -> list[Row]:
    """The lines with something in them; commas, semicolons or tabs stand between cells.

    A first line `sep=;`, by which Excel tells itself what stands there, is heeded.

    Args:
        text: CSV.
        path: where it comes from, for messages.

    Raises:
        InputError: it is no CSV (with the line).
    """
    with error_place(path):
        check_cells(text, _DELIMITERS)
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
            if any(cells) and not all(map(_RULE.fullmatch, filter(None, cells))):
                lines.append((first, cells))
            first = reader.line_num + 1 + n_before
    except csv.Error as error:
        raise InputError(f"{path}: line {first}: not valid CSV: {error}") from None
    return lines


def whole_number(text: str) -> int:
    """The number in a cell; full-width digits and thousands in groups are read too.

    Raises:
        InputError: it is none, or may be two.
    """
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    if _IN_GROUPS.fullmatch(plain) or _IN_GROUPS_OF_MARKS.fullmatch(plain):
        return int(re.sub(r"[^0-9+-]", "", plain))
    if _MAYBE_IN_GROUPS.fullmatch(plain):
        whole = re.sub(r"[.,]", "", plain)
        raise InputError(f"{shown_value(text)} may be {whole} or a fraction; write it as {whole}")
    match = _WHOLE_NUMBER.fullmatch(plain)
    if match is None:
        is_date = "is a date, " if _DATE.fullmatch(text) else ""
        raise InputError(f"{shown_value(text)} {is_date}must be a whole number")
    return int(match[1])


def _delimiter(text: str) -> str:
    """What stands most often in the first line of a table; above it may be a line that is none."""
    filled = [line for line in _QUOTED.sub("", text).splitlines() if line.strip(_DELIMITERS + " ")]
    first = filled[0] if filled else ""
    titles = next((line for line in filled if max(map(line.count, _DELIMITERS)) > 2), first)
    return max(_DELIMITERS, key=titles.count)  # the comma wins a tie


def text_of(path: Path) -> tuple[str, str]:
    """The text of a CSV file, and what to say of its encoding."""
    content = read_bytes(path)
    for signature, problem in _SIGNATURES.items():
        if content.startswith(signature):
            raise InputError(f"{path}: {problem}")
    if (encoding := _utf_16_of(content)) is not None:
        try:
            return content.decode(encoding), ""
        except UnicodeDecodeError:
            raise InputError(f"{path}: not UTF-16 text; save the file as UTF-8") from None
    try:
        return text_in(content, path), ""
    except InputError:
        for encoding, is_it in _LEGACY.items():
            text = _legacy_text(content, encoding)
            if text is not None and is_it(text):
                shown = next(word for word in _WORD.findall(text) if not word.isascii())
                return text, (
                    f"not UTF-8, so read as Windows text ({encoding}): see whether {shown!r} is "
                    "as it should be, else save the file as UTF-8"
                )
        raise


def _utf_16_of(content: bytes) -> str | None:
    """The kind of UTF-16 of a file, by its mark or by the zeros beside ASCII letters."""
    if content.startswith(_UTF_16_MARKS):
        return "utf-16"
    if len(content) > 1 and 0 in content[:2]:
        return "utf-16-be" if content[0] == 0 else "utf-16-le"
    return None


def _is_japanese(text: str) -> bool:
    """Whether letters beyond ASCII are what Japanese is written in, with its own syllables."""
    letters = [letter for letter in text if not letter.isascii()]
    n_kana = sum("\u3040" <= letter <= "\u30ff" for letter in letters)
    return _KANA_SHARE * len(letters) <= n_kana and n_kana > 0


def _is_korean(text: str) -> bool:
    """Whether letters beyond ASCII are Korean syllables."""
    letters = [letter for letter in text if not letter.isascii()]
    n_syllables = sum("\uac00" <= letter <= "\ud7a3" for letter in letters)
    return _CLEAR_SHARE * len(letters) <= n_syllables


def _is_chinese(text: str) -> bool:
    """Whether letters beyond ASCII are Chinese; GB 2312 takes hardly any bytes of others."""
    letters = [letter for letter in text if not letter.isascii()]
    n_letters = sum("\u4e00" <= letter <= "\u9fff" for letter in letters)
    return _CHINESE_SHARE * len(letters) <= n_letters


def _is_russian(text: str) -> bool:
    """Whether words beyond ASCII are Cyrillic as a whole, as those of western languages are not."""
    found = [word for word in _LETTERS.findall(text) if not word.isascii()]
    are_whole = all(re.fullmatch("[\u0400-\u04ff]+", word) for word in found)
    return are_whole and any(len(word) > 2 for word in found)


_KANA_SHARE = 0.2  # of real Japanese half are; of other bytes read as Japanese hardly any
_CLEAR_SHARE = 0.9  # of Korean all but some marks are; of Chinese read as Korean a half
_CHINESE_SHARE = 0.6  # the rest are marks as wide as letters
_LETTERS = re.compile(r"[^\W\d_]+")
_LEGACY: dict[str, Callable[[str], bool]] = {
    "cp932": _is_japanese,
    "cp949": _is_korean,
    "gb2312": _is_chinese,
    "cp1251": _is_russian,
    "cp1252": lambda _: True,
}
"""What Excel calls "CSV", by the language that it runs in, and whether a text can be of it."""


def _legacy_text(content: bytes, encoding: str) -> str | None:
    """Text in the encoding of older spreadsheets, unless it is none."""
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    controls = {character for character in set(text) if unicodedata.category(character) == "Cc"}
    return text if text and controls <= {"\t", "\n", "\r"} else None
