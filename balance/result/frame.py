"""Data frames of pandas from rows of tables; pandas is loaded on first use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from sim.files.row_file import Kind, Row, cells, columns, optional

if TYPE_CHECKING:
    import pandas as pd


def load_pandas() -> Any:
    """Return the package pandas, loaded on first use.

    Loading it takes half a second, which most commands can do without.
    """
    import pandas  # noqa: PLC0415 (slow to load)

    return pandas


def frame_of(kind: Kind[Row], rows: Iterable[Row]) -> pd.DataFrame:
    """Return rows as a data frame, with the columns of a CSV file of the rows.

    Columns with optional numbers have nullable types, so that whole numbers stay whole next to
    missing values.

    Args:
        kind: class of the rows, with the columns as fields; or the names of the columns.
        rows: rows of the table.
    """
    frame: pd.DataFrame = load_pandas().DataFrame(
        [cells(row) for row in rows], columns=columns(kind)
    )
    if isinstance(kind, tuple):
        return frame
    nullable_types = {int: "Int64", float: "float64", bool: "boolean", str: "object"}
    return frame.astype({column: nullable_types[value] for column, value in optional(kind).items()})


def read_frame(lines: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """Return a data frame of a table of texts, with numbers and truth values parsed.

    Args:
        lines: names of the columns, then the cells of each row, as read from a CSV file.
    """
    header, *rows = lines
    pandas = load_pandas()
    text = pandas.DataFrame(rows, columns=list(header)).to_csv(index=False)
    frame: pd.DataFrame = pandas.read_csv(StringIO(text))
    return frame
