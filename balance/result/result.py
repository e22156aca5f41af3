"""Base class of results, which know their tables and their entries in a summary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from balance.result.frame import frame_of
from sim.errors import known_word
from sim.files.row_file import Kind, Row

if TYPE_CHECKING:
    import pandas as pd

_MOST_SHOWN = 20  # rows of a table in a notebook, chosen by eye so that it fits on one screen


class ResultTable(NamedTuple):
    """Table of a result.

    Attributes:
        kind: class of the rows, a `NamedTuple`; or the names of the columns.
        rows: rows of the table.
        is_optional: whether no file is written if the table has no rows.
    """

    kind: Kind[Any]
    rows: Sequence[tuple[Any, ...]]
    is_optional: bool = False


class TabularResult(ABC):
    """Result of a computation, with its numbers as tables and as plain data.

    A subclass declares each column and each entry once. Files, figures and screens read them.
    """

    @property
    @abstractmethod
    def tables(self) -> Mapping[str, ResultTable]:
        """Tables by name, in the order of their files; the first is the main one."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the entries of `summary.json` that describe the result, as plain data."""

    @property
    def files(self) -> dict[str, tuple[Kind[Any], Sequence[tuple[Any, ...]]]]:
        """Columns and rows by name of the CSV file; optional tables without rows are left out."""
        return {
            f"{name}.csv": (table.kind, table.rows)
            for name, table in self.tables.items()
            if table.rows or not table.is_optional
        }

    def rows(self, row_type: type[Row]) -> list[Row]:
        """Return the rows of a class, from all tables with rows of this class.

        Args:
            row_type: class of the rows, a `NamedTuple`.
        """
        tables = (table.rows for table in self.tables.values() if table.kind is row_type)
        return [row for rows in tables for row in rows if isinstance(row, row_type)]

    def to_frame(self, name: str) -> pd.DataFrame:
        """Return a table as a data frame of pandas, with the columns of the table's CSV file.

        Args:
            name: name of the table, one of `tables`.

        Raises:
            InputError: the result has no table with this name.
        """
        tables = self.tables
        table = tables[known_word("table", name, tables, type(self).__name__)]
        return frame_of(table.kind, table.rows)

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook displays: the short text, and the main table."""
        main = next(iter(self.tables))
        table = self.to_frame(main).to_html(max_rows=_MOST_SHOWN, index=False)
        return f"<p><code>{escape(repr(self))}</code></p>\n{table}"
