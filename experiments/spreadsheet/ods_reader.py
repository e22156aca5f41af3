"""Reading of OpenDocument spreadsheets (`.ods`), in one pass over their XML and in limited memory.

A spreadsheet is a compressed archive, and its tables are in the part `content.xml`. Cells and rows
may be repeated by an attribute; repeated blank cells only move the position, and repeated filled
cells count as so many cells.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from experiments.spreadsheet.ods_cell import (
    COPY,
    Attributes,
    OdsCell,
    prefixed,
    whole,
    with_prefixes,
)
from experiments.spreadsheet.sheet import NO_VALUE, Sheet, column_letters, rows_of
from experiments.spreadsheet.workbook_scan import unpacked
from sim.errors import InputError, error_place
from sim.files.limits import (
    PARTS_MAX,
    UNPACKED_MIB_MAX,
    WORKBOOK_CELLS_MAX,
    WORKBOOK_ELEMENTS_MAX,
)
from sim.files.plain_xml import plain_xml_parser
from sim.files.whole_file import read_bytes

CONTENT: Final = "content.xml"
"""Name of the part of the archive with the tables."""

_CELL = "table:table-cell"
_COVERED = "table:covered-table-cell"


def read_ods(path: Path) -> tuple[Sheet, ...]:
    """Return the tables of an OpenDocument spreadsheet that have filled cells.

    A cell with a formula has the formula's saved value. Each cell of a range that is merged across
    rows, but not across columns, has the value of the range. Comments on cells are ignored.

    Raises:
        InputError: the file cannot be read, is no such spreadsheet, exceeds a limit of
            `sim.files.limits`, or has a document type.
    """
    content = read_bytes(path)
    try:
        with error_place(path):
            return _sheets_in(content)
    except InputError:
        raise
    except Exception as error:  # zipfile can raise any exception for a damaged file
        raise InputError(
            "not a readable .ods spreadsheet",
            place=path,
            remedy="save it without a password, or as .xlsx or .csv",
        ) from error


def _sheets_in(content: bytes) -> tuple[Sheet, ...]:
    """Return the tables in the bytes of a file.

    Raises:
        InputError: the file exceeds a limit, or has a document type.
        Exception: the content is no such archive, or is damaged; the class of the exception varies.
    """
    reader = _OdsReader()
    parser = plain_xml_parser(" ")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if len(archive.infolist()) > PARTS_MAX:
            raise InputError(f"more than {PARTS_MAX:,} parts", limit=PARTS_MAX, remedy=COPY)
        for chunk in unpacked(archive, archive.getinfo(CONTENT), UNPACKED_MIB_MAX * 2**20):
            parser.Parse(chunk)
    parser.Parse(b"", True)  # noqa: FBT003 - the text is complete
    return tuple(table.sheet() for table in reader.tables if table.texts or table.faults)


@dataclass
class _Table:
    """Table while it is read.

    Attributes:
        title: title of the table.
        is_hidden: whether the spreadsheet hides it.
        texts: text of each filled cell, by row number from 1 and position from 0.
        faults: reason why a cell has no value, by the same key.
        joined: range of cells merged across columns, by number of each row in it.
    """

    title: str
    is_hidden: bool
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    faults: dict[tuple[int, int], str] = field(default_factory=dict)
    joined: dict[int, str] = field(default_factory=dict)

    def sheet(self) -> Sheet:
        """Return the table as a sheet."""
        texts = {**dict.fromkeys(self.faults, ""), **self.texts}
        return Sheet(rows_of(texts), self.title, self.is_hidden, self.faults, self.joined)


class _OdsReader:
    """Handlers of the XML parser, and the tables that they have read."""

    def __init__(self) -> None:
        self.tables: list[_Table] = []
        self._style = ""
        self._hidden_styles: set[str] = set()
        self._n_elements = 0
        self._n_cells = 0
        self._is_in_table = False
        self._row = 1
        self._n_rows = 1
        self._column = 0
        self._filled: dict[int, tuple[str, str]] = {}
        self._cell: OdsCell | None = None
        self._starts: Mapping[str, Callable[[Attributes], None]] = {
            "style:style": self._start_style,
            "style:table-properties": self._start_properties,
            "table:table": self._start_table,
            "table:table-row": self._start_row,
        }

    def start(self, name: str, attributes: Attributes) -> None:
        """Handle a start tag; names consist of a namespace, a space and a local name."""
        self._n_elements += 1
        if self._n_elements > WORKBOOK_ELEMENTS_MAX:
            raise InputError(
                f"more than {WORKBOOK_ELEMENTS_MAX:,} XML elements",
                limit=WORKBOOK_ELEMENTS_MAX,
                remedy=COPY,
            )
        tag = prefixed(name)
        if self._cell is not None:
            self._cell.start(tag, with_prefixes(attributes))
        elif tag in (_CELL, _COVERED) and self._is_in_table:
            self._cell = OdsCell(with_prefixes(attributes), is_covered=tag == _COVERED)
        elif tag in self._starts:
            self._starts[tag](with_prefixes(attributes))

    def data(self, text: str) -> None:
        """Handle text between tags."""
        if self._cell is not None:
            self._cell.data(text)

    def end(self, name: str) -> None:
        """Handle an end tag."""
        tag = prefixed(name)
        if self._cell is not None:
            if self._cell.end():
                self._end_cell(self._cell)
                self._cell = None
        elif tag == "table:table-row" and self._is_in_table:
            self._end_row()
        elif tag == "table:table":
            self._is_in_table = False

    def _start_style(self, attributes: Attributes) -> None:
        self._style = attributes.get("style:name", "")

    def _start_properties(self, attributes: Attributes) -> None:
        if attributes.get("table:display") == "false":
            self._hidden_styles.add(self._style)

    def _start_table(self, attributes: Attributes) -> None:
        title = attributes.get("table:name", "") or f"Sheet{len(self.tables) + 1}"
        is_hidden = attributes.get("table:style-name", "") in self._hidden_styles
        self.tables.append(_Table(title, is_hidden))
        self._is_in_table = True
        self._row = 1

    def _start_row(self, attributes: Attributes) -> None:
        self._n_rows = whole(attributes, "table:number-rows-repeated")
        self._column = 0
        self._filled = {}

    def _end_cell(self, cell: OdsCell) -> None:
        repeated = cell.number("columns-repeated")
        if not cell.is_covered:
            text = cell.text
            fault = NO_VALUE if cell.lacks_value and not text else ""
            self._join(cell, text)
            if text or fault:
                self._add_cells(repeated)
                cells = range(self._column, self._column + repeated)
                self._filled |= dict.fromkeys(cells, (text, fault))
        self._column += repeated

    def _join(self, cell: OdsCell, text: str) -> None:
        """Record the range of a merged cell.

        Args:
            cell: the cell, which need not be merged.
            text: value of the cell.
        """
        n_columns = cell.number("columns-spanned")
        n_rows = cell.number("rows-spanned")
        if n_columns * n_rows == 1:
            return
        self._add_cells(n_columns * n_rows)
        rows = range(self._row, self._row + n_rows)
        if n_columns > 1:
            last = f"{column_letters(self._column + n_columns - 1)}{rows[-1]}"
            area = f"{column_letters(self._column)}{self._row}:{last}"
            self.tables[-1].joined.update(dict.fromkeys(rows, area))
        elif text:
            self.tables[-1].texts.update({(row, self._column): text for row in rows})

    def _end_row(self) -> None:
        table = self.tables[-1]
        if self._filled:
            self._add_cells(len(self._filled) * (self._n_rows - 1))
            for row in range(self._row, self._row + self._n_rows):
                for column, (text, fault) in self._filled.items():
                    if text:
                        table.texts[row, column] = text
                    if fault:
                        table.faults[row, column] = fault
        self._row += self._n_rows

    def _add_cells(self, n_cells: int) -> None:
        """Count cells before they are created.

        Raises:
            InputError: there are more than `WORKBOOK_CELLS_MAX`.
        """
        self._n_cells += n_cells
        if self._n_cells > WORKBOOK_CELLS_MAX:
            raise InputError(
                f"more than {WORKBOOK_CELLS_MAX:,} cells, including repeated ones",
                limit=WORKBOOK_CELLS_MAX,
                remedy=COPY,
            )
