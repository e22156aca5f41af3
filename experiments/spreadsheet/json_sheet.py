"""Writing of a table as a JSON file: a list with an object for each row."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sim.errors import InputError


def json_text_of(rows: Sequence[Sequence[str | int]]) -> str:
    """Return a table as a JSON list of objects with the titles as keys.

    Blank cells are left out, except those of the first row, which therefore has all titles in
    order.

    Args:
        rows: the titles, then the rows of cells.

    Raises:
        InputError: two titles are equal, so that a value would be lost.
    """
    titles, *lines = [list(row) for row in rows]
    for place, title in enumerate(titles):
        if title in titles[:place]:
            raise InputError(
                f"two columns have the title {str(title)!r}", value=title, remedy="rename one"
            )
    entries = [
        json.dumps(
            {
                str(title): cell
                for title, cell in zip(titles, line, strict=True)
                if cell != "" or number == 0
            },
            ensure_ascii=False,
        )
        for number, line in enumerate(lines)
    ]
    body = ",\n  ".join(entries)
    return f"[\n  {body}\n]\n"
