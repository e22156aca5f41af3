"""Reading and writing of spreadsheet files: CSV, JSON and workbooks, with cells as text."""

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

from experiments.spreadsheet.json_rows import TITLES_ROW, json_rows
from experiments.spreadsheet.workbook_scan import WorkbookScan, scan_workbook
from sim.errors import InputError, error_place
from sim.files.atomic_file import write_atomically
from sim.files.csv_file import Row, csv_text, lines_of, text_of
from sim.files.limits import CELLS_MAX
from sim.files.whole_file import read_bytes

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet


@dataclass(frozen=True)
class Sheet:
    """Table of a spreadsheet file.

    Attributes:
        rows: numbers and cells of the rows with at least one filled or faulty cell.
        title: title of the sheet in its workbook; `""` for CSV and JSON files.
        is_hidden: whether the workbook hides the sheet.
        faults: reason why a cell has no value, by row number and position in the row from 0.
        joined: range of cells merged across columns, such as `"B3:D3"`, by number of each row in
            it.
        is_json: whether the rows are the objects of a JSON file.
    """

    rows: list[Row]
    title: str = ""
    is_hidden: bool = False
    faults: Mapping[tuple[int, int], str] = field(default_factory=dict)
    joined: Mapping[int, str] = field(default_factory=dict)
    is_json: bool = False

    def place(self, row: int, column: int | None = None) -> str:
        """Return the place of a row or cell for messages, such as `"sheet 'Cards', cell C3"`.

        Places in CSV files are lines, and places in JSON files are entries.

        Args:
            row: number of the row.
            column: position of the cell in the row, from 0; `None` for the whole row. It is used
                only for workbooks.
        """
        if self.is_json:
            return "the keys" if row == TITLES_ROW else f"entry {row}"
        if not self.title:
            return f"line {row}"
        where = f"row {row}" if column is None else f"cell {column_letters(column)}{row}"
        return f"sheet {self.title!r}, {where}"


def column_letters(column: int) -> str:
    """Return the letters of a spreadsheet column by its position from 0: 0 is `A`, 26 is `AA`."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, len(ascii_uppercase))
        letters = ascii_uppercase[letter] + letters
    return letters


class SheetFile(NamedTuple):
    """Content of a spreadsheet file.

    Attributes:
        sheets: tables of the file, in order.
        remark: remark for the user on the guessed encoding; `""` if the encoding is certain.
    """

    sheets: tuple[Sheet, ...]
    remark: str = ""


def is_workbook(path: Path) -> bool:
    """Return whether a path ends in `.xlsx` or `.xlsm`, in upper or lower case."""
    return path.suffix.lower() in (".xlsx", ".xlsm")


def is_json(path: Path) -> bool:
    """Return whether a path ends in `.json`, in upper or lower case."""
    return path.suffix.lower() == ".json"


def read_sheets(path: Path) -> SheetFile:
    """Read the tables of a workbook, or the single table of a JSON or CSV file.

    Args:
        path: path of the file. The ending determines the format; files with unknown endings are
            read as CSV.

    Raises:
        InputError: the file cannot be read, is not valid in its format, or has a format that is not
            supported; or it is a workbook and openpyxl is not installed.
    """
    if is_workbook(path):
        return SheetFile(_read_workbook(path))
    if is_json(path):
        return SheetFile((Sheet(json_rows(path), is_json=True),))
    if path.suffix.lower() in _OTHERS:
        read_bytes(path)  # reports a missing file before the wrong ending
        raise InputError(
            f"files ending in {path.suffix} cannot be read",
            place=path,
            value=path.suffix,
            limit=SHEET_ENDINGS,
            remedy="save the table as .xlsx or .csv",
        )
    text, remark = text_of(path)
    return SheetFile((Sheet(lines_of(text, path)),), remark)


SHEET_ENDINGS = (".csv", ".tsv", ".xlsx", ".xlsm")
"""Endings of spreadsheet files, by which commands distinguish them from experiments."""

_OTHERS = (".ods", ".fods", ".numbers", ".gsheet", ".pdf", ".doc", ".docx", ".xlsb", ".html")
"""Endings of files that may contain tables but are refused, since they cannot be read."""


def write_sheets(path: Path, tables: Mapping[str, Sequence[Sequence[str | int]]]) -> None:
    """Write tables to a spreadsheet file: all to a workbook, or only the first to a CSV file.

    Args:
        path: path of the file; the ending `.xlsx` or `.xlsm` selects a workbook, all others CSV.
        tables: rows of cells by title of the sheet.

    Raises:
        InputError: `path` cannot be written; or it is a workbook and openpyxl is not installed.
    """
    if is_workbook(path):
        _write_workbook(path, tables)
    else:
        text = csv_text(next(iter(tables.values())))
        # Without a byte order mark, Excel reads UTF-8 as cp1252.
        mark = "" if text.isascii() else codecs.BOM_UTF8.decode()
        write_atomically(path, mark + text)


_NO_VALUE = "the formula has no saved value; open the file in a spreadsheet program and save it"
_LINE_END = "_x000D_"  # Excel's spelling of a carriage return
_WIDTH_MAX = 60  # characters; wider columns hide other columns; chosen by hand, not tuned
_EXACT_MAX = 1e15  # below this limit, a double represents every whole number exactly


def _read_workbook(path: Path) -> tuple[Sheet, ...]:
    """Read the sheets of a workbook that have cells.

    A cell with a formula has the formula's saved value. Each cell of a range that is merged across
    rows, but not across columns, has the value of the range.

    Raises:
        InputError: the file cannot be read, is no workbook or exceeds the limits; or openpyxl is
            not installed.
    """
    content = read_bytes(path)
    _openpyxl(path)
    # The content is scanned first, since openpyxl has no limits of its own. Openpyxl gives either
    # formulas or saved values, so a workbook with formulas is opened twice.
    has_formulas = _scan(path, content).n_formulas > 0
    values = _open_workbook(path, content, values=True)
    formulas = _open_workbook(path, content, values=False) if has_formulas else values
    with error_place(path):
        return tuple(
            _sheet(sheet, formulas[sheet.title]) for sheet in values.worksheets if sheet.max_row
        )


def _write_workbook(path: Path, tables: Mapping[str, Sequence[Sequence[str | int]]]) -> None:
    """Write tables to a workbook, each to a sheet with a bold, frozen row of titles.

    Texts that are numbers become numbers; all other texts remain text, even if they begin with `=`.

    Raises:
        InputError: `path` cannot be written, or openpyxl is not installed.
    """
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
            cell.data_type = "s"  # prevents reading a text that begins with = as a formula


def _number(text: str) -> int | float | None:
    """Return the number that a text represents; `None` if the text is not exactly a number.

    The number, written as a cell, must give the same text again, and be less than `_EXACT_MAX`.
    """
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if _text(number) == text and abs(number) < _EXACT_MAX:
            return number
    return None


def _openpyxl(path: Path) -> Any:
    try:
        import openpyxl  # noqa: PLC0415 (an extra)
    except ImportError:
        raise InputError(
            "needs openpyxl, which is not installed",
            place=path,
            remedy='run: pip install "evenhand[spreadsheet]"',
        ) from None
    return openpyxl


def _open_workbook(path: Path, content: bytes, *, values: bool) -> Workbook:
    openpyxl = _openpyxl(path)
    try:
        # Openpyxl warns about styles and extensions that it ignores.
        with warnings.catch_warnings(action="ignore"):
            return cast("Workbook", openpyxl.load_workbook(io.BytesIO(content), data_only=values))
    except Exception as error:  # openpyxl can raise any exception for a damaged file
        raise _unreadable(path) from error


def _scan(path: Path, content: bytes) -> WorkbookScan:
    try:
        with error_place(path):
            return scan_workbook(content)
    except InputError:
        raise
    except Exception as error:  # zipfile can raise any exception for a damaged file
        raise _unreadable(path) from error


def _unreadable(path: Path) -> InputError:
    return InputError(
        "not a readable workbook", place=path, remedy="save it as .xlsx without a password"
    )


def _sheet(values: Worksheet, formulas: Worksheet) -> Sheet:
    texts = {place: text for place, cell in _cells(values) if (text := _text(cell.value))}
    # A formula's saved value may be an empty text, which must not be reported as a missing value.
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
    """Yield each existing cell of a sheet, with its row number from 1 and position in it from 0.

    The method `iter_rows` is not used, since it creates all cells up to the last row and column:
    billions for a sheet with a single cell in its last corner.
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
                f"more than {CELLS_MAX:,} cells up to row {number}, including blank ones",
                limit=CELLS_MAX,
                remedy="delete the columns to the right of the cards",
            )
        cells += [""] * (place - len(cells)) + [text]
    return list(rows.items())


_SPELT: dict[type, Callable[[Any], str]] = {
    bool: lambda value: str(value).upper(),
    float: lambda value: (
        str(int(value)) if value.is_integer() and abs(value) < _EXACT_MAX else repr(value)
    ),
    datetime.datetime: lambda value: value.isoformat(sep=" ").removesuffix(" 00:00:00"),
}


def _text(value: object) -> str:
    """Return the value of a workbook's cell as the text that a CSV file would have."""
    if value is None:
        return ""
    spelt = _SPELT.get(type(value), str)(value)
    return spelt.replace(_LINE_END, "").strip()
