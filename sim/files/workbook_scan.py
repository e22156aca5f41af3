"""Workbooks looked over before they are opened: a small file can ask for gigabytes.

A workbook is a packed archive of XML. What it says of its own sizes may be wrong, a range of two
words may be of thousands of millions of cells, and a document type may be written so that it grows
a million times. So each part is unpacked once, in pieces that are thrown away, and counted.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from copy import copy
from typing import NamedTuple
from xml.parsers import expat

from sim.errors import InputError, error_place
from sim.files.limits import (
    PARTS_MAX,
    UNPACKED_MIB_MAX,
    WORKBOOK_CELLS_MAX,
    WORKBOOK_ELEMENTS_MAX,
)

_PIECE = 2**16  # bytes unpacked at a time
_ENTRY = b"PK\x01\x02"  # begins each line of an archive's list of parts
_SPREADS = {"mergeCell", "hyperlink"}  # elements of which openpyxl makes every cell of their range


class WorkbookScan(NamedTuple):
    """What is in a workbook.

    Attributes:
        n_cells: of all sheets, with those of merged ranges.
        n_formulas: how many of them have a formula.
    """

    n_cells: int
    n_formulas: int


def scan_workbook(content: bytes) -> WorkbookScan:
    """Count what is in a workbook, without holding it.

    Args:
        content: the file.

    Raises:
        InputError: it would take too much memory or time to open; names the part, the limit and
            what to do.
        Exception: it is no archive, or has a password; of any kind.
    """
    if content.count(_ENTRY) > PARTS_MAX:
        raise InputError(f"more than {PARTS_MAX:,} parts; {_COPY}")
    counts = _Counts()
    size = 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for part in archive.infolist():
            with error_place(f"part {part.filename!r}"):
                size += _read_part(archive, part, counts, UNPACKED_MIB_MAX * 2**20 - size)
    return WorkbookScan(counts.n_cells, counts.n_formulas)


_COPY = "copy the cards into a new workbook, or save the sheet as CSV"


def _read_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, counts: _Counts, most: int) -> int:
    """Count the elements of a part; returns its size in bytes, at most `most`."""
    whole = copy(part)
    # To read on where the archive says that the part is smaller, and past the limit.
    whole.file_size = most + 2 * _PIECE
    size = 0
    # Of every part: any name may be that of a sheet.
    parser: expat.XMLParserType | None = _parser(counts)
    with archive.open(whole) as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            if size > most:
                raise InputError(f"the workbook unpacks to over {UNPACKED_MIB_MAX} MiB; {_COPY}")
            parser = _parsed(parser, piece)
    if size != part.file_size:
        raise zipfile.BadZipFile("not of the size that it says")
    return size


def _parsed(parser: expat.XMLParserType | None, piece: bytes) -> expat.XMLParserType | None:
    """What parses the next piece; `None` for a picture, and from where XML is damaged."""
    if parser is not None:
        try:
            parser.Parse(piece)
        except expat.ExpatError:
            return None
    return parser


class _Counts:
    """The elements met so far, in all parts."""

    def __init__(self) -> None:
        self.n_elements = 0
        self.n_cells = 0
        self.n_formulas = 0

    def count(self, name: str, attributes: Mapping[str, str]) -> None:
        """Count an element.

        Raises:
            InputError: one of its kind is too many.
        """
        self.n_elements += 1
        kind = name.rpartition(":")[2]
        if kind == "c":
            self.n_cells += 1
        elif kind == "f":
            self.n_formulas += 1
        elif kind in _SPREADS:
            self._spread(attributes.get("ref", ""))
        if self.n_cells > WORKBOOK_CELLS_MAX:
            raise InputError(f"more than {WORKBOOK_CELLS_MAX:,} cells; {_COPY}")
        if self.n_elements > WORKBOOK_ELEMENTS_MAX:
            raise InputError(f"more than {WORKBOOK_ELEMENTS_MAX:,} elements of XML; {_COPY}")

    def _spread(self, reference: str) -> None:
        """Count all cells of a range."""
        n_cells = _area(reference)
        if n_cells > WORKBOOK_CELLS_MAX:
            raise InputError(
                f"{reference} is one range of {n_cells:,} cells, at most {WORKBOOK_CELLS_MAX:,} "
                "are read; unmerge it, or delete its link"
            )
        self.n_cells += n_cells


def _area(reference: str) -> int:
    """How many cells there are in a range such as `A1:B2`; 0 for none."""
    from openpyxl.utils import range_boundaries  # noqa: PLC0415 (an extra)

    try:
        first_column, first_row, last_column, last_row = range_boundaries(reference)
    except (TypeError, ValueError):  # which openpyxl will say
        return 0
    if first_column is None or first_row is None or last_column is None or last_row is None:
        return 0
    return (last_column - first_column + 1) * (last_row - first_row + 1)


def _parser(counts: _Counts) -> expat.XMLParserType:
    """What counts the elements of XML that it is given in pieces."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = counts.count
    parser.StartDoctypeDeclHandler = _refuse_doctype
    return parser


def _refuse_doctype(*_: object) -> None:
    raise InputError(f"has a document type, which no spreadsheet program writes; {_COPY}")
