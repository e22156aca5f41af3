"""Spreadsheet files: CSV as spreadsheets write it, and workbooks."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sim.errors import InputError, blaming_system
from sim.files.atomic_file import write_atomically
from sim.files.csv_file import csv_text, lines_of
from sim.files.sheet import Sheet
from sim.files.toml_file import read_text

WORKBOOK_ENDINGS = (".xlsx", ".xlsm")
_LEGACY = "cp1252"  # what Excel calls "CSV", where it runs in a western language
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")  # what it calls "Unicode text"
_WORD = re.compile(r"[^\s,;]+")
_SIGNATURES = {
    b"PK\x03\x04": "is a workbook, not CSV; its name must end in .xlsx",
    b"\xd0\xcf\x11\xe0": "is an old or locked workbook; save it as .xlsx or CSV",
}


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
    text, remark = _csv_text_of(path)
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


def _csv_text_of(path: Path) -> tuple[str, str]:
    """The text of a CSV file, and what to say of its encoding."""
    content = b""
    if path.is_file():
        with blaming_system(path, "read"):
            content = path.read_bytes()
    for signature, problem in _SIGNATURES.items():
        if content.startswith(signature):
            raise InputError(f"{path}: {problem}")
    if content.startswith(_UTF_16_MARKS):
        try:
            return content.decode("utf-16"), ""
        except UnicodeDecodeError:
            raise InputError(f"{path}: not UTF-16 text; save the file as UTF-8") from None
    try:
        return read_text(path), ""
    except InputError:
        if (text := _legacy_text(content)) is None:
            raise
        shown = next(word for word in _WORD.findall(text) if not word.isascii())
        return (
            text,
            f"not UTF-8, so read as Windows text (see whether {shown!r} is as it should be)",
        )


def _legacy_text(content: bytes) -> str | None:
    """Text in the encoding of older spreadsheets, unless it is none."""
    try:
        text = content.decode(_LEGACY)
    except UnicodeDecodeError:
        return None
    controls = {character for character in text if unicodedata.category(character) == "Cc"}
    return text if text and controls <= {"\t", "\n", "\r"} else None
