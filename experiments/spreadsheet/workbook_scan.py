"""Scan of a workbook before it is opened, since opening a small file can use gigabytes.

A workbook is a compressed archive of XML. Its stated sizes may be wrong, a single range may cover
billions of cells, and a document type can make the text grow a millionfold. Each part is therefore
unpacked once, in chunks that are discarded, and its elements are counted.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
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
from sim.files.plain_xml import plain_xml_parser

_CHUNK = 2**16  # bytes unpacked at a time; limits memory; chosen by hand, not tuned
_ENTRY = b"PK\x01\x02"  # first bytes of each entry of an archive's list of parts
_SPREADS = {"mergeCell", "hyperlink"}  # elements for which openpyxl creates all cells of a range


class WorkbookScan(NamedTuple):
    """Numbers of cells and formulas in a workbook.

    Attributes:
        n_cells: number of cells in all sheets, plus all cells of merged and linked ranges.
        n_formulas: number of formulas in all sheets.
    """

    n_cells: int
    n_formulas: int


def scan_workbook(content: bytes) -> WorkbookScan:
    """Count the cells and formulas of a workbook in limited memory.

    Args:
        content: bytes of the workbook.

    Raises:
        InputError: the workbook exceeds a limit of `sim.files.limits`, or has a document type.
        Exception: the content is no archive, or is protected by a password; the class of the
            exception varies.
    """
    if content.count(_ENTRY) > PARTS_MAX:
        raise InputError(f"more than {PARTS_MAX:,} parts", limit=PARTS_MAX, remedy=_COPY)
    counts = _Counts()
    size = 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for part in archive.infolist():
            with error_place(f"part {part.filename!r}"):
                size += _read_part(archive, part, counts, UNPACKED_MIB_MAX * 2**20 - size)
    return WorkbookScan(counts.n_cells, counts.n_formulas)


_COPY = "copy the cards into a new workbook, or save the sheet as CSV"


def _read_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, counts: _Counts, most: int) -> int:
    """Count the XML elements of a part of a workbook, and return its unpacked size in bytes.

    Args:
        archive: opened archive of the workbook.
        part: part to read.
        counts: counts to increase.
        most: maximum unpacked size in bytes.

    Raises:
        InputError: the part is larger, or has too many elements.
        zipfile.BadZipFile: the part does not have its stated size.
    """
    # Every part is parsed, since a sheet may have any file name.
    counter = plain_xml_parser()
    counter.StartElementHandler = counts.count
    parser: expat.XMLParserType | None = counter
    for chunk in unpacked(archive, part, most):
        parser = _feed(parser, chunk)
    return part.file_size


def unpacked(archive: zipfile.ZipFile, part: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
    """Yield the content of a part of an archive in chunks.

    Args:
        archive: opened archive.
        part: part to read.
        most: maximum unpacked size in bytes.

    Raises:
        InputError: the part is larger.
        zipfile.BadZipFile: the part does not have its stated size.
    """
    whole = copy(part)
    # The stated size may be too small; with this size, the part is read to its end or the limit.
    whole.file_size = most + 2 * _CHUNK
    size = 0
    with archive.open(whole) as file:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            if size > most:
                raise InputError(
                    f"the unpacked workbook is larger than {UNPACKED_MIB_MAX} MiB",
                    limit=UNPACKED_MIB_MAX,
                    remedy=_COPY,
                )
            yield chunk
    if size != part.file_size:
        raise zipfile.BadZipFile("a part does not have its stated size")


def _feed(parser: expat.XMLParserType | None, chunk: bytes) -> expat.XMLParserType | None:
    """Parse a chunk of a part, and return the parser for the next chunk.

    Return `None`, and ignore all further chunks, after a chunk that is not valid XML.
    """
    if parser is not None:
        try:
            parser.Parse(chunk)
        except expat.ExpatError:
            return None
    return parser


class _Counts:
    """Running numbers of the XML elements in all parts of a workbook."""

    def __init__(self) -> None:
        self.n_elements = 0
        self.n_cells = 0
        self.n_formulas = 0

    def count(self, name: str, attributes: Mapping[str, str]) -> None:
        """Count an XML element; the parser calls this method for each start tag.

        Args:
            name: name of the element, possibly with a namespace prefix.
            attributes: values of the element's attributes by name.

        Raises:
            InputError: the workbook has too many cells or elements.
        """
        self.n_elements += 1
        kind = name.rpartition(":")[2]
        if kind == "c":
            self.n_cells += 1
        elif kind == "f":
            self.n_formulas += 1
        elif kind in _SPREADS:
            self._count_range(attributes.get("ref", ""))
        if self.n_cells > WORKBOOK_CELLS_MAX:
            raise InputError(
                f"more than {WORKBOOK_CELLS_MAX:,} cells", limit=WORKBOOK_CELLS_MAX, remedy=_COPY
            )
        if self.n_elements > WORKBOOK_ELEMENTS_MAX:
            raise InputError(
                f"more than {WORKBOOK_ELEMENTS_MAX:,} XML elements",
                limit=WORKBOOK_ELEMENTS_MAX,
                remedy=_COPY,
            )

    def _count_range(self, reference: str) -> None:
        """Add all cells of a range, such as `A1:B2`, to the number of cells.

        Raises:
            InputError: the range alone has more than `WORKBOOK_CELLS_MAX` cells.
        """
        n_cells = _area(reference)
        if n_cells > WORKBOOK_CELLS_MAX:
            raise InputError(
                f"the range {reference} has {n_cells:,} cells, but at most "
                f"{WORKBOOK_CELLS_MAX:,} are permitted",
                value=n_cells,
                limit=WORKBOOK_CELLS_MAX,
                remedy="unmerge it, or delete its hyperlink",
            )
        self.n_cells += n_cells


def _area(reference: str) -> int:
    """Return the number of cells in a range such as `A1:B2`; 0 if the reference is not a range."""
    from openpyxl.utils import range_boundaries  # noqa: PLC0415 (an extra)

    try:
        first_column, first_row, last_column, last_row = range_boundaries(reference)
    except (TypeError, ValueError):  # openpyxl will refuse the reference when it opens the file
        return 0
    if first_column is None or first_row is None or last_column is None or last_row is None:
        return 0
    return (last_column - first_column + 1) * (last_row - first_row + 1)
