"""Tables of results on disk: CSV files in chunks, and workbooks, with all cells as text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from balance.result.frame import load_pandas
from balance.statistics.intervals import Counts, Flags
from sim.errors import InputError
from sim.files.csv_file import Row

if TYPE_CHECKING:
    import pandas as pd

CHUNK = 50_000
"""Number of rows read at a time, which take about 50 MB; results do not depend on it."""


class Column(NamedTuple):
    """Column of a chunk: the distinct texts of its cells, and the number of the text of each cell.

    Attributes:
        title: title of the column.
        codes: position in `texts` of each cell's text, shape [R].
        texts: distinct texts, without surrounding spaces.
    """

    title: str
    codes: Counts
    texts: Sequence[str]


class Chunk(NamedTuple):
    """Rows of a table, without blank rows.

    Attributes:
        rows: number of each row in its file, from 1 for the row of titles, shape [R].
        columns: columns of the table.
    """

    rows: Counts
    columns: Sequence[Column]


@dataclass(frozen=True)
class ResultsTable:
    """Table of results in a file.

    Attributes:
        path: path of the file.
        titles: titles of the columns.
        delimiter: separator of the cells of a CSV file.
        encoding: encoding of a CSV file.
        first_row: number of the first row below the titles.
        cells: rows of a workbook with their numbers; `None` for CSV files, which are read anew.
    """

    path: Path
    titles: tuple[str, ...]
    delimiter: str = ","
    encoding: str = "utf-8-sig"
    first_row: int = 2
    cells: Sequence[Row] | None = None

    def chunks(self, size: int = CHUNK) -> Iterator[Chunk]:
        """Yield the rows of the table, at most `size` at a time.

        Raises:
            InputError: the file is not valid CSV or not text in its encoding, or a row has more
                cells than the table has titles.
        """
        if self.cells is None:
            yield from self._csv_chunks(size)
            return
        n_columns = len(self.titles)
        for first in range(0, len(self.cells), size):
            part = self.cells[first : first + size]
            filled = [
                (
                    *cells[:n_columns],
                    *[""] * (n_columns - len(cells)),
                    next(filter(None, cells[n_columns:]), ""),
                )
                for _, cells in part
            ]
            columns = [_numbered(column) for column in zip(*filled, strict=True)]
            yield self._chunk(np.array([number for number, _ in part]), columns)

    def _csv_chunks(self, size: int) -> Iterator[Chunk]:
        """Yield the rows of a CSV file, see `chunks`."""
        pandas = load_pandas()
        reached = self.first_row
        n_columns = len(self.titles) + 1  # the last one is for cells without a title
        try:
            with pandas.read_csv(
                self.path,
                sep=self.delimiter,
                encoding=self.encoding,
                header=None,
                names=range(n_columns),
                index_col=False,
                skiprows=self.first_row - 1,
                dtype=str,
                keep_default_na=False,
                na_filter=False,
                skip_blank_lines=False,
                skipinitialspace=True,
                chunksize=size,
            ) as reader:
                while (frame := _next_of(reader)) is not None:
                    factors = [pandas.factorize(frame[k]) for k in range(n_columns)]
                    columns = [(np.asarray(codes), list(texts)) for codes, texts in factors]
                    rows = np.arange(reached, reached + len(frame))
                    reached += len(frame)
                    yield self._chunk(rows, columns)
        except pandas.errors.EmptyDataError:
            return
        except (pandas.errors.ParserError, pandas.errors.ParserWarning) as error:
            raise self._parser_error(str(error), reached) from None
        except UnicodeError:
            raise encoding_error(f"below row {reached - 1}") from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}") from None

    def _chunk(self, rows: Counts, columns: Sequence[tuple[Counts, list[str]]]) -> Chunk:
        """Return a chunk without its blank rows.

        Args:
            rows: number of each row, shape [R].
            columns: codes and distinct texts of each column, and of the cells without a title.

        Raises:
            InputError: a filled cell is to the right of the last title.
        """
        trimmed = [_trimmed(codes, texts) for codes, texts in columns]
        is_filled = np.zeros(len(rows), dtype=np.bool_)
        for codes, texts in trimmed:
            is_filled |= np.array([text != "" for text in texts], dtype=np.bool_)[codes]
        stray, texts = trimmed[-1]
        if any(texts):
            k = next(k for k, code in enumerate(stray) if texts[code])
            raise self._stray_error(texts[stray[k]], f"row {rows[k]}")
        kept = [_kept(*column, is_filled) for column in trimmed[:-1]]
        columns_of = zip(self.titles, kept, strict=True)
        return Chunk(rows[is_filled], [Column(title, *column) for title, column in columns_of])

    def _parser_error(self, reason: str, reached: int) -> InputError:
        """Return the error for a file that pandas cannot parse.

        Args:
            reason: message of pandas.
            reached: number of the first row that was not returned.
        """
        if match := re.search(r"in line (\d+), saw (\d+)", reason):
            return self._stray_error(int(match[2]), f"row {match[1]}")
        if match := re.search(r"EOF inside string starting at row (\d+)", reason):
            return InputError(
                "not valid CSV: the file ends inside a quoted value",
                place=f"row {int(match[1]) + 1}",
                remedy='add the missing closing quotation mark (")',
            )
        if "does not match length of data" in reason:
            return self._stray_error("more", f"row {reached}")
        return InputError(f"not valid CSV: {reason}", place=f"below row {reached - 1}")

    def _stray_error(self, value: str | int, place: str) -> InputError:
        """Return the error for a row with more cells than titles.

        Args:
            value: a cell without a title, or the number of cells.
            place: place of the row.
        """
        return InputError(
            f"more cells than the {len(self.titles)} titles",
            place=place,
            value=value,
            limit=len(self.titles),
            remedy="write cells that contain the separator in quotation marks; separate cells by "
            "semicolons if numbers have decimal commas",
        )


def _next_of(reader: Iterator[pd.DataFrame]) -> pd.DataFrame | None:
    """Return the next frame of a reader, or `None` after the last; warnings are raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # pandas warns when it leaves cells out
        return next(reader, None)


def encoding_error(place: object) -> InputError:
    """Return the error for a file that is not text in UTF-8, nor in UTF-16 with a mark."""
    return InputError(
        "not UTF-8 text",
        place=place,
        remedy='save the file as UTF-8 (in Excel as "CSV UTF-8")',
    )


def _numbered(cells: Sequence[str]) -> tuple[Counts, list[str]]:
    """Return the position of each cell among the distinct texts, and these texts."""
    place: dict[str, int] = {}
    codes = np.array([place.setdefault(cell, len(place)) for cell in cells], dtype=np.int64)
    return codes, list(place)


def _trimmed(codes: Counts, texts: list[str]) -> tuple[Counts, list[str]]:
    """Return codes and distinct texts without surrounding spaces."""
    trimmed = [text.strip() for text in texts]
    if trimmed == texts:
        return codes, texts
    positions, distinct = _numbered(trimmed)
    return positions[codes], distinct


def _kept(codes: Counts, texts: list[str], is_kept: Flags) -> tuple[Counts, list[str]]:
    """Return codes and distinct texts of some of the cells."""
    if is_kept.all():
        return codes, texts
    used, positions = np.unique(codes[is_kept], return_inverse=True)
    return positions, [texts[k] for k in used]
