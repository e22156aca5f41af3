"""Reading and writing of `.xlsx` workbooks by the package openpyxl."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from experiments.spreadsheet.sheet import NO_VALUE, Sheet, number_in, rows_of, text_of_value
from experiments.spreadsheet.workbook_scan import WorkbookScan, scan_workbook
from sim.errors import InputError, error_place
from sim.files.atomic_file import write_atomically
from sim.files.whole_file import read_bytes

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_LINE_END = "_x000D_"  # Excel's spelling of a carriage return
_WIDTH_MAX = 60  # characters; wider columns hide other columns; chosen by hand, not tuned


def read_workbook(path: Path) -> tuple[Sheet, ...]:
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


def write_workbook(path: Path, tables: Mapping[str, Sequence[Sequence[str | int]]]) -> None:
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
        number = number_in(value) if isinstance(value, str) else value
        cell.value = value if number is None else number
        if number is None:
            cell.data_type = "s"  # prevents reading a text that begins with = as a formula


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
        place: NO_VALUE
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
        rows_of({**dict.fromkeys(faults, ""), **texts}), values.title, is_hidden, faults, joined
    )


def _cells(sheet: Worksheet) -> Iterator[tuple[tuple[int, int], Cell | MergedCell]]:
    """Yield each existing cell of a sheet, with its row number from 1 and position in it from 0.

    The method `iter_rows` is not used, since it creates all cells up to the last row and column:
    billions for a sheet with a single cell in its last corner.
    """
    for (number, column), cell in sheet._cells.items():  # noqa: SLF001
        yield (number, column - 1), cell


def _text(value: object) -> str:
    """Return the value of a workbook's cell as text, without Excel's carriage returns."""
    return text_of_value(value).replace(_LINE_END, "").strip()
