"""Formatting of tables for notebooks and terminals."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Cell = str | int


def notebook_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]]
) -> dict[str, str]:
    """Return a table in the format of IPython's method `_repr_mimebundle_`.

    Columns of whole numbers are aligned to the right, other columns to the left.

    Args:
        title: caption above the table.
        header: names of the columns.
        rows: cells of each row, one per column; `""` is a blank cell.

    Returns:
        The table as text for terminals and as HTML for notebooks, by MIME type (`text/plain`,
            `text/html`).
    """
    return {"text/plain": _text(title, header, rows), "text/html": _html(title, header, rows)}


def _text(title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    widths = [max(len(str(cell)) for cell in column) for column in zip(header, *rows, strict=True)]
    numbers = _number_columns(header, rows)
    lines = [
        "  ".join(
            str(cell).rjust(width) if is_number else str(cell).ljust(width)
            for cell, width, is_number in zip(line, widths, numbers, strict=True)
        ).rstrip()
        for line in (header, *rows)
    ]
    return "\n".join([title, *lines])


def _html(title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    numbers = _number_columns(header, rows)
    lines = [_html_row("th", header, numbers), *(_html_row("td", row, numbers) for row in rows)]
    caption = f'<caption style="text-align: left; font-weight: bold">{escape(title)}</caption>'
    return "\n".join(["<table>", caption, *lines, "</table>"])


def _html_row(tag: str, cells: Sequence[Cell], numbers: Sequence[bool]) -> str:
    return (
        "<tr>"
        + "".join(
            f'<{tag} style="text-align: {"right" if is_number else "left"}">'
            f"{escape(str(cell))}</{tag}>"
            for cell, is_number in zip(cells, numbers, strict=True)
        )
        + "</tr>"
    )


def _number_columns(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[bool]:
    """Return, for each column, whether its filled cells are whole numbers.

    A column without filled cells counts as numbers only if the table has no rows.
    """
    filled = [[row[k] for row in rows if row[k] != ""] for k in range(len(header))]
    return [
        all(isinstance(cell, int) for cell in cells) and bool(cells or not rows) for cells in filled
    ]
