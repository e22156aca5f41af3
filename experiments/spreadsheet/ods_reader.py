"""Reading of OpenDocument spreadsheets (`.ods`), in one pass over their XML and in limited memory.

A spreadsheet is a compressed archive, and its tables are in the part `content.xml`. Cells and rows
may be repeated by an attribute; repeated blank cells only move the position, and repeated filled
cells count as so many cells.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from experiments.spreadsheet.sheet import (
    NO_VALUE,
    Sheet,
    column_letters,
    rows_of,
    text_of_value,
)
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
ODS_NAMESPACES: Final = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
}
"""Namespaces of the elements and attributes that are read or written, by their usual prefix."""

_PREFIXES = {uri: prefix for prefix, uri in ODS_NAMESPACES.items()}
_COUNT = re.compile(r"[0-9]{1,9}")
_BLANKS = re.compile(r"[ \t\r\n]+")
_SPACES_MAX = 1_000  # consecutive spaces in a cell, which one element may stand for
_CELLS = ("table:table-cell", "table:covered-table-cell")
_NUMBERS = ("float", "percentage", "currency")
# Elements for blanks become characters that XML does not permit until the text is complete, so that
# they are distinguished from blanks between tags, of which a sequence means one space.
_SPACE = "\x01"
_SIGNS = {"text:tab": "\x02", "text:line-break": "\x03"}
_BLANK_OF_SIGN = str.maketrans({_SPACE: " ", "\x02": "\t", "\x03": "\n"})
_COPY = "copy the cards into a new spreadsheet, or save the sheet as CSV"

_Attributes = Mapping[str, str]


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
            raise InputError(f"more than {PARTS_MAX:,} parts", limit=PARTS_MAX, remedy=_COPY)
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
        self._cell: dict[str, str] = {}
        self._level = 0  # number of open elements from the cell on; 0 outside of cells
        self._paragraphs: list[list[str]] = []
        self._is_in_paragraph = False
        self._starts: Mapping[str, Callable[[_Attributes], None]] = {
            "style:style": self._start_style,
            "style:table-properties": self._start_properties,
            "table:table": self._start_table,
            "table:table-row": self._start_row,
        }

    def start(self, name: str, attributes: _Attributes) -> None:
        """Handle a start tag; names consist of a namespace, a space and a local name."""
        self._n_elements += 1
        if self._n_elements > WORKBOOK_ELEMENTS_MAX:
            raise InputError(
                f"more than {WORKBOOK_ELEMENTS_MAX:,} XML elements",
                limit=WORKBOOK_ELEMENTS_MAX,
                remedy=_COPY,
            )
        tag = _short(name)
        if self._level:
            self._level += 1
            self._start_in_cell(tag, {_short(key): value for key, value in attributes.items()})
        elif tag in _CELLS and self._is_in_table:
            self._level = 1
            self._cell = {_short(key): value for key, value in attributes.items()}
            self._cell["tag"] = tag
            self._paragraphs = []
        elif tag in self._starts:
            self._starts[tag]({_short(key): value for key, value in attributes.items()})

    def data(self, text: str) -> None:
        """Handle text between tags."""
        if self._is_in_paragraph:
            self._paragraphs[-1].append(text)

    def end(self, name: str) -> None:
        """Handle an end tag."""
        tag = _short(name)
        if self._level:
            self._level -= 1
            if self._level == 1:
                self._is_in_paragraph = False
            elif self._level == 0:
                self._end_cell()
        elif tag == "table:table-row" and self._is_in_table:
            self._end_row()
        elif tag == "table:table":
            self._is_in_table = False

    def _start_style(self, attributes: _Attributes) -> None:
        self._style = attributes.get("style:name", "")

    def _start_properties(self, attributes: _Attributes) -> None:
        if attributes.get("table:display") == "false":
            self._hidden_styles.add(self._style)

    def _start_table(self, attributes: _Attributes) -> None:
        title = attributes.get("table:name", "") or f"Sheet{len(self.tables) + 1}"
        is_hidden = attributes.get("table:style-name", "") in self._hidden_styles
        self.tables.append(_Table(title, is_hidden))
        self._is_in_table = True
        self._row = 1

    def _start_row(self, attributes: _Attributes) -> None:
        self._n_rows = _count(attributes, "table:number-rows-repeated")
        self._column = 0
        self._filled = {}

    def _start_in_cell(self, tag: str, attributes: _Attributes) -> None:
        """Handle a start tag in a cell: only paragraphs directly in it hold the cell's text."""
        if tag == "text:p" and self._level == 2:
            self._paragraphs.append([])
            self._is_in_paragraph = True
        elif self._is_in_paragraph and tag == "text:s":
            n_spaces = min(_count(attributes, "text:c"), _SPACES_MAX)
            self._paragraphs[-1].append(_SPACE * n_spaces)
        elif self._is_in_paragraph and tag in _SIGNS:
            self._paragraphs[-1].append(_SIGNS[tag])

    def _end_cell(self) -> None:
        repeated = _count(self._cell, "table:number-columns-repeated")
        if self._cell["tag"] == _CELLS[0]:
            text = self._text()
            is_missing = "table:formula" in self._cell and "office:value-type" not in self._cell
            fault = NO_VALUE if is_missing and not text else ""
            self._join(text)
            if text or fault:
                self._add_cells(repeated)
                cells = range(self._column, self._column + repeated)
                self._filled |= dict.fromkeys(cells, (text, fault))
        self._column += repeated

    def _text(self) -> str:
        """Return the value of the finished cell as text."""
        kind = self._cell.get("office:value-type", "")
        if kind in _NUMBERS:
            value = self._cell.get("office:value", "")
            try:
                return text_of_value(float(value))
            except ValueError:
                return value.strip()
        if kind == "boolean":
            return self._cell.get("office:boolean-value", "").upper()
        if kind == "date":
            date = self._cell.get("office:date-value", "").replace("T", " ")
            return date.removesuffix(" 00:00:00")
        lines = (_BLANKS.sub(" ", "".join(pieces)) for pieces in self._paragraphs)
        return (
            "\n".join(lines).translate(_BLANK_OF_SIGN).strip()
            or self._cell.get("office:string-value", "").strip()
        )

    def _join(self, text: str) -> None:
        """Record the range of a merged cell.

        Args:
            text: value of the cell.
        """
        n_columns = _count(self._cell, "table:number-columns-spanned")
        n_rows = _count(self._cell, "table:number-rows-spanned")
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
                remedy=_COPY,
            )


def _short(name: str) -> str:
    """Return a name with the usual prefix of its namespace; other namespaces have the prefix ``."""
    uri, _, local = name.rpartition(" ")
    return f"{_PREFIXES.get(uri, '')}:{local}"


def _count(attributes: _Attributes, name: str) -> int:
    """Return a number of repetitions or of merged cells, at least 1.

    Raises:
        InputError: the attribute is not a whole number of at most nine digits.
    """
    text = attributes.get(name, "1")
    if not _COUNT.fullmatch(text):
        raise InputError(f"{name} = {text!r} must be a whole number", value=text, remedy=_COPY)
    return max(int(text), 1)
