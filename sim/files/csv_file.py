"""Reading and writing of CSV files, in the variants and encodings of spreadsheet programs."""

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
from sim.files.whole_file import read_bytes, read_text, text_in
from sim.value_error import shown_value

Row = tuple[int, list[str]]
"""Number of a row in its file, from 1, and the row's cells without surrounding spaces."""

_DELIMITERS = ",;\t|"
_WHOLE_NUMBER = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0*)?")  # includes 3.0 and 3,0 for 3
_DIGITS = re.compile(r"[+-]?[0-9]+")
# Digits in groups of three, with the limit of twelve digits. Commas or points must separate three
# groups, since 1,000 may also be a decimal number.
_IN_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:([ '\u2019_])[0-9]{3}(?:\1[0-9]{3}){0,2})")
_IN_GROUPS_OF_MARKS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:([.,])[0-9]{3}\1[0-9]{3})")
_MAYBE_IN_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")  # ambiguous: 1,000 or 1.000
_NUMBER = re.compile(r"[+-]?(([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[+-]?[0-9]+)?|inf)", re.IGNORECASE)
_SEPARATOR_LINE = re.compile(r'\s*"?sep=([,;\t|])"?[;,]*\r?\n', re.IGNORECASE)  # Excel writes it
_ENDS_IN_QUOTES = "unexpected end of data"  # what the module csv says of an open quotation
_QUOTED = re.compile(r'"[^"]*"')
_RULE = re.compile(r":?-{2,}:?")  # a cell of the line below the titles of a Markdown table
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*")
_FORMULA = re.compile(r"'*[=+@\t\r-]")  # beginning of a cell that must be escaped
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")  # first bytes of the format "Unicode text" of Excel
_WORD = re.compile(r"[^\s,;]+")
_SIGNATURES = {
    b"PK\x03\x04": ("is a workbook, not CSV", "rename it to end in .xlsx or .ods"),
    b"%PDF": ("is a PDF, not CSV", "save the table as .xlsx or .csv"),
    b"\xd0\xcf\x11\xe0": ("is an old or password-protected workbook", "save it as .xlsx or .csv"),
}


def escaped(text: str) -> str:
    """Return a text with a leading `'` if a spreadsheet program could read it as a formula.

    Such a text begins with `=`, `+`, `-`, `@`, a tab or a carriage return, possibly after `'`, and
    is not a number. Other texts are unchanged. `unescaped` restores every text.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unescaped(cell: str) -> str:
    """Return the original text of a cell that `escaped` returned; other texts are unchanged."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV text with commas, line feeds and texts escaped by `escaped`.

    All cells of the first row are quoted if one contains another separator, such as a semicolon,
    since readers guess the separator from the row of titles.
    """
    lines = []
    for number, row in enumerate(rows):
        line = io.StringIO(newline="")
        # With this line end, the writer also quotes cells that contain a carriage return.
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
    """Return the rows of a text in the format of `csv_text`, with all cells unescaped.

    Raises:
        csv.Error: the text is not valid CSV.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    return [[unescaped(cell) for cell in row] for row in reader]


def filled_lines(path: Path) -> list[Row]:
    """Return the rows with at least one filled cell of a UTF-8 CSV file, see `lines_of`.

    Raises:
        InputError: the file cannot be read (see `read_text`), is not valid CSV or has too many
            cells.
    """
    return lines_of(read_text(path), path)


def lines_of(text: str, path: Path) -> list[Row]:
    """Return the rows of a CSV text that have at least one filled cell.

    Cells are separated by commas, semicolons, tabs or vertical bars; the separator is named by a
    first line such as `sep=;`, which Excel writes, or guessed. The line below the titles of a
    Markdown table is omitted.

    Args:
        text: content of the CSV file.
        path: path of the file, for messages.

    Raises:
        InputError: the text is not valid CSV (the message names the line) or has too many cells.
    """
    with error_place(path):
        check_cells(text, _DELIMITERS)
    separator = _SEPARATOR_LINE.match(text)
    begin = separator.end() if separator else 0
    reader = csv.reader(
        io.StringIO(text[begin:], newline=""),
        delimiter=separator[1] if separator else delimiter_of(text),
        skipinitialspace=True,
        strict=True,
    )
    lines = []
    n_before = text[:begin].count("\n")
    first = 1 + n_before  # number of a row's first line: cells with line ends make rows span lines
    try:
        for row in reader:
            cells = [unescaped(cell.strip()) for cell in row]
            if any(cells) and not all(map(_RULE.fullmatch, filter(None, cells))):
                lines.append((first, cells))
            first = reader.line_num + 1 + n_before
    except csv.Error as error:
        reason = str(error)
        remedy = ""
        if reason == _ENDS_IN_QUOTES:
            reason = "the file ends inside a quoted value"
            remedy = 'add the missing closing quotation mark (")'
        raise InputError(
            f"not valid CSV: {reason}", place=f"{path}: line {first}", remedy=remedy
        ) from None
    return lines


def whole_number(text: str) -> int:
    """Return the whole number in a cell, such as `12`, `3.0` or `1 000`, also in full-width digits.

    Raises:
        InputError: the cell is not a whole number, has more than nine digits without separators,
            or is ambiguous, such as `1,000`.
    """
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    if _IN_GROUPS.fullmatch(plain) or _IN_GROUPS_OF_MARKS.fullmatch(plain):
        return int(re.sub(r"[^0-9+-]", "", plain))
    if _MAYBE_IN_GROUPS.fullmatch(plain):
        whole = re.sub(r"[.,]", "", plain)
        raise InputError(
            f"{shown_value(text)} is ambiguous: it may be {whole} or a fraction",
            value=text,
            remedy=f"if it is {whole}, write {whole}",
        )
    match = _WHOLE_NUMBER.fullmatch(plain)
    if match is None:
        date = "is a date, but " if _DATE.fullmatch(text) else ""
        size = " of at most nine digits" if _DIGITS.fullmatch(plain) else ""
        raise InputError(f"{shown_value(text)} {date}must be a whole number{size}", value=text)
    return int(match[1])


def delimiter_of(text: str) -> str:
    """Return the separator that occurs most often in the line of titles of a CSV text.

    The line of titles is assumed to be the first line with at least three equal separators, since a
    heading may precede it; without such a line, it is the first filled line.
    """
    filled = [line for line in _QUOTED.sub("", text).splitlines() if line.strip(_DELIMITERS + " ")]
    first = filled[0] if filled else ""
    titles = next((line for line in filled if max(map(line.count, _DELIMITERS)) > 2), first)
    return max(_DELIMITERS, key=titles.count)  # ties are resolved in favour of the comma


def text_of(path: Path) -> tuple[str, str]:
    """Return the text of a CSV file in any known encoding, and a remark on the encoding.

    The remark is `""` for UTF-8 and UTF-16. For older encodings, which are guessed, it names the
    encoding and a word by which the user can verify it.

    Raises:
        InputError: the file cannot be read, has another format, or has an unknown encoding.
    """
    content = read_bytes(path)
    refuse_other_format(content, path)
    return decoded(content, path)


def decoded(content: bytes, path: Path) -> tuple[str, str]:
    """Return the text in the bytes of a file, and a remark on the encoding, see `text_of`.

    Args:
        content: bytes of the file.
        path: path of the file, for messages.

    Raises:
        InputError: the bytes are not text in any known encoding.
    """
    if (encoding := _utf_16_of(content)) is not None:
        try:
            return content.decode(encoding), ""
        except UnicodeDecodeError:
            raise InputError(
                "not UTF-16 text", place=path, remedy="save the file as UTF-8"
            ) from None
    try:
        return text_in(content, path), ""
    except InputError:
        for encoding, is_plausible in _LEGACY.items():
            text = _legacy_text(content, encoding)
            if text is not None and is_plausible(text):
                shown = next(word for word in _WORD.findall(text) if not word.isascii())
                return text, (
                    f"not UTF-8, so read as Windows text ({encoding}): if {shown!r} is wrong, "
                    "save the file as UTF-8"
                )
        raise


def refuse_other_format(content: bytes, path: Path) -> None:
    """Refuse a file that begins like one of a known format other than CSV.

    Args:
        content: bytes at the beginning of the file.
        path: path of the file, for messages.

    Raises:
        InputError: the file is a workbook or a PDF.
    """
    for signature, (problem, remedy) in _SIGNATURES.items():
        if content.startswith(signature):
            raise InputError(problem, place=path, remedy=remedy)


def _utf_16_of(content: bytes) -> str | None:
    """Return the name of the UTF-16 encoding of a file; `None` if the file is not UTF-16.

    The encoding is recognised by a byte order mark, or by a zero byte in the first character.
    """
    if content.startswith(_UTF_16_MARKS):
        return "utf-16"
    if len(content) > 1 and 0 in content[:2]:
        return "utf-16-be" if content[0] == 0 else "utf-16-le"
    return None


def _is_japanese(text: str) -> bool:
    """Return whether at least `_KANA_SHARE` of the characters beyond ASCII are Japanese kana."""
    letters = [letter for letter in text if not letter.isascii()]
    n_kana = sum("\u3040" <= letter <= "\u30ff" for letter in letters)
    return _KANA_SHARE * len(letters) <= n_kana and n_kana > 0


def _is_korean(text: str) -> bool:
    """Return whether at least `_CLEAR_SHARE` of the characters beyond ASCII are Korean."""
    letters = [letter for letter in text if not letter.isascii()]
    n_syllables = sum("\uac00" <= letter <= "\ud7a3" for letter in letters)
    return _CLEAR_SHARE * len(letters) <= n_syllables


def _is_chinese(text: str) -> bool:
    """Return whether at least `_CHINESE_SHARE` of the characters beyond ASCII are Chinese."""
    letters = [letter for letter in text if not letter.isascii()]
    n_letters = sum("\u4e00" <= letter <= "\u9fff" for letter in letters)
    return _CHINESE_SHARE * len(letters) <= n_letters


def _is_russian(text: str) -> bool:
    """Return whether all words beyond ASCII are Cyrillic and one of them has over two letters."""
    words = [word for word in _LETTERS.findall(text) if not word.isascii()]
    is_cyrillic = all(re.fullmatch("[\u0400-\u04ff]+", word) for word in words)
    return is_cyrillic and any(len(word) > 2 for word in words)


# Minimum shares, among the characters beyond ASCII, of the characters of a language. They were
# chosen between the shares in real texts and in other texts decoded with the wrong encoding.
_KANA_SHARE = 0.2  # half of a Japanese text, hardly any of other texts decoded as Japanese
_CLEAR_SHARE = 0.9  # nearly all of a Korean text, half of a Chinese text decoded as Korean
_CHINESE_SHARE = 0.6  # the rest of a Chinese text is full-width punctuation
_LETTERS = re.compile(r"[^\W\d_]+")
# The encodings are tried in this order; cp1252 is last, since it can decode nearly all bytes.
_LEGACY: dict[str, Callable[[str], bool]] = {
    "cp932": _is_japanese,
    "cp949": _is_korean,
    "gb2312": _is_chinese,
    "cp1251": _is_russian,
    "cp1252": lambda _: True,
}
"""Older encodings of Excel's "CSV" format, each with a test whether a decoded text is plausible."""


def _legacy_text(content: bytes, encoding: str) -> str | None:
    """Return a file's content decoded with an older encoding.

    Return `None` if the bytes are invalid in that encoding, or if the text is empty or has control
    characters other than tabs and line ends.
    """
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    controls = {character for character in set(text) if unicodedata.category(character) == "Cc"}
    return text if text and controls <= {"\t", "\n", "\r"} else None
