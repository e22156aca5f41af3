"""Spreadsheet files: the cells of CSV, as spreadsheets write it, and of workbooks, as text."""

from __future__ import annotations

import codecs
import datetime
import io
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sim.errors import InputError, error_place
from sim.files.atomic_file import write_atomically
from sim.files.csv_file import Row, csv_text, lines_of, text_of
from sim.files.json_rows import TITLES_ROW, json_rows
from sim.files.limits import CELLS_MAX
from sim.files.whole_file import read_bytes
from sim.files.workbook_scan import WorkbookScan, scan_workbook

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet


@dataclass(frozen=True)
class Sheet:
    """One table of a file.

    Attributes:
        rows: those with something in them.
        title: of the sheet in its workbook; `""` for a file that is one table.
        is_hidden: whether the workbook does not show it.
        faults: why a cell has no value, by its row's number and its place in the row from 0.
        joined: by a row's number, those of its cells that are one across columns, `"B3:D3"`.
        is_json: whether its rows are the objects of a JSON file.
    """

    rows: list[Row]
    title: str = ""
    is_hidden: bool = False
    faults: Mapping[tuple[int, int], str] = field(default_factory=dict)
    joined: Mapping[int, str] = field(default_factory=dict)
    is_json: bool = False

    def place(self, row: int, column: int | None = None) -> str:
        """What people find it by: `"line 3"`, `"sheet 'Cards', cell C3"`, or `"entry 2"`."""
        if self.is_json:
            return "the keys" if row == TITLES_ROW else f"entry {row}"
        if not self.title:
            return f"line {row}"
        where = f"row {row}" if column is None else f"cell {column_letters(column)}{row}"
        return f"sheet {self.title!r}, {where}"


def column_letters(column: int) -> str:
    """What spreadsheets call a column, counted from 0: `"A"`, `"Z"`, `"AA"`."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, len(ascii_uppercase))
        letters = ascii_uppercase[letter] + letters
    return letters


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
    return path.suffix.lower() in (".xlsx", ".xlsm")


def is_json(path: Path) -> bool:
    """Whether a file's name says that it is one."""
    return path.suffix.lower() == ".json"


def read_sheets(path: Path) -> SheetFile:
    """The tables of a `.xlsx` file, or the one of a JSON file, or of a CSV file in any encoding.

    Raises:
        InputError: the file is missing, or not what its name says; or openpyxl is not installed.
    """
    if is_workbook(path):
        return SheetFile(_read_workbook(path))
    if is_json(path):
        return SheetFile((Sheet(json_rows(path), is_json=True),))
    if path.suffix.lower() in _OTHERS:
        read_bytes(path)  # a file that is not there is the first thing to say
        raise InputError(f"{path}: cannot be read; save it as .xlsx or .csv")
    text, remark = text_of(path)
    return SheetFile((Sheet(lines_of(text, path)),), remark)


SHEET_ENDINGS = (".csv", ".tsv", ".xlsx", ".xlsm")
"""Endings of files that hold cards, and no experiment."""

_OTHERS = (".ods", ".fods", ".numbers", ".gsheet", ".pdf", ".doc", ".docx", ".xlsb", ".html")
"""Endings of files in which people keep tables, and which nothing here reads."""


def write_sheets(path: Path, tables: Mapping[str, Sequence[Sequence[str | int]]]) -> None:
    """Write tables by title to a `.xlsx` file, or the first of them as CSV.

    Raises:
        InputError: `path` cannot be written; or openpyxl is not installed.
    """
    if is_workbook(path):
        _write_workbook(path, tables)
    else:
        text = csv_text(next(iter(tables.values())))
        mark = "" if text.isascii() else codecs.BOM_UTF8.decode()  # else Excel takes it for cp1252
        write_atomically(path, mark + text)


EXTRA = 'needs the extra: pip install "evenhand[spreadsheet]"'
_NO_VALUE = "a formula without a value; open the file in a spreadsheet program and save it"
_LINE_END = "_x000D_"  # how Excel spells a carriage return
_WIDTH_MAX = 60  # of a column, in characters


def _read_workbook(path: Path) -> tuple[Sheet, ...]:
    """The sheets with cells of a workbook; formulas stand for the values that were saved with them.

    Of cells that are one across rows, each has the value.
    """
    content = read_bytes(path)
    _openpyxl(path)
    has_formulas = _scan(path, content).n_formulas > 0
    values = _opened(path, content, values=True)
    formulas = _opened(path, content, values=False) if has_formulas else values
    with error_place(path):
        return tuple(
            _sheet(sheet, formulas[sheet.title]) for sheet in values.worksheets if sheet.max_row
        )


def _write_workbook(path: Path, tables: Mapping[str, Sequence[Sequence[str | int]]]) -> None:
    """Write tables by title; text that a spreadsheet would take for a formula stays text."""
    openpyxl = _openpyxl(path)
    workbook: Workbook = openpyxl.Workbook()
    workbook.remove(workbook.worksheets[0])
    for title, rows in tables.items():
        sheet = workbook.create_sheet(title)
        for number, row in enumerate(rows, start=1):
            for place, value in enumerate(row, start=1):
                _fill(sheet.cell(number, place), value)
        for cell in sheet[1]:
            cell.font = openpyxl.styles.Font(bold=True)
        for column in sheet.columns:
            longest = max(len(str(cell.value or "")) for cell in column)
            sheet.column_dimensions[column[0].column_letter].width = min(longest + 2, _WIDTH_MAX)
        sheet.freeze_panes = "B2"
    buffer = io.BytesIO()
    workbook.save(buffer)
    write_atomically(path, buffer.getvalue())


def _fill(cell: Cell, value: str | int) -> None:
    if value != "":
        number = _number(value) if isinstance(value, str) else value
        cell.value = value if number is None else number
        if number is None:
            cell.data_type = "s"  # also of what begins with =


def _number(text: str) -> int | float | None:
    """The number whose text this is, so that spreadsheets can reckon with it."""
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if _text(number) == text and abs(number) < 1e15:  # what a double holds to the last digit
            return number
    return None


def _openpyxl(path: Path) -> Any:
    try:
        import openpyxl  # noqa: PLC0415 (an extra)
    except ImportError:
        raise InputError(f"{path}: {EXTRA}") from None
    return openpyxl


def _opened(path: Path, content: bytes, *, values: bool) -> Workbook:
    openpyxl = _openpyxl(path)
    try:
        with warnings.catch_warnings(action="ignore"):  # of styles and extensions that it drops
            return cast("Workbook", openpyxl.load_workbook(io.BytesIO(content), data_only=values))
    except Exception as error:  # whatever a broken file makes openpyxl raise
        raise _unreadable(path) from error


def _scan(path: Path, content: bytes) -> WorkbookScan:
    try:
        with error_place(path):
            return scan_workbook(content)
    except InputError:
        raise
    except Exception as error:  # whatever a broken file makes zipfile raise
        raise _unreadable(path) from error


def _unreadable(path: Path) -> InputError:
    reason = "save it as .xlsx without a password"
    return InputError(f"{path}: not a workbook that can be read; {reason}")


def _sheet(values: Worksheet, formulas: Worksheet) -> Sheet:
    texts = {place: text for place, cell in _cells(values) if (text := _text(cell.value))}
    # The value of a formula may be no text, which is not the same as no value.
    blank = {place for place, cell in _cells(values) if cell.data_type in ("s", "str")}
    faults = {
        place: _NO_VALUE
        for place, cell in _cells(formulas)
        if cell.data_type == "f" and place not in texts and place not in blank
    }
    joined: dict[int, str] = {}
    for area in values.merged_cells.ranges:
        rows = range(area.min_row, area.max_row + 1)
        first = (area.min_row, area.min_col - 1)
        if area.min_col < area.max_col:
            joined |= dict.fromkeys(rows, str(area))
        elif first in texts:
            texts |= {(row, first[1]): texts[first] for row in rows}
    is_hidden = values.sheet_state != "visible"
    return Sheet(
        _rows({**dict.fromkeys(faults, ""), **texts}), values.title, is_hidden, faults, joined
    )


def _cells(sheet: Worksheet) -> Iterator[tuple[tuple[int, int], Cell | MergedCell]]:
    """Each cell of the file by its row from 1 and its place in the row from 0.

    Not by `iter_rows`, which makes a cell of every place up to the last row and column: of one cell
    in the last corner, thousands of millions.
    """
    for (number, column), cell in sheet._cells.items():  # noqa: SLF001
        yield (number, column - 1), cell


def _rows(texts: Mapping[tuple[int, int], str]) -> list[Row]:
    rows: dict[int, list[str]] = {}
    n_cells = 0
    for (number, place), text in sorted(texts.items()):
        cells = rows.setdefault(number, [])
        n_cells += place + 1 - len(cells)
        if n_cells > CELLS_MAX:
            raise InputError(
                f"rows up to row {number} reach over {CELLS_MAX:,} places, which is the limit; "
                "delete the columns behind the cards"
            )
        cells += [""] * (place - len(cells)) + [text]
    return list(rows.items())


_SPELT: dict[type, Callable[[Any], str]] = {
    bool: lambda value: str(value).upper(),
    float: lambda value: (
        str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    ),
    datetime.datetime: lambda value: value.isoformat(sep=" ").removesuffix(" 00:00:00"),
}


def _text(value: object) -> str:
    """What a cell says, as in CSV."""
    if value is None:
        return ""
    spelt = _SPELT.get(type(value), str)(value)
    return spelt.replace(_LINE_END, "").strip()
