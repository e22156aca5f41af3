"""How a sheet's columns were understood, as lines of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.cells import cell_len, set_cell_size

from sim.cards.spreadsheet.understood import UnderstoodColumn

_TITLES = UnderstoodColumn("column", "read as", "what stands there")
_WIDTH_MAX = 28  # width of a column of text; a longer text moves only its own line


def understood_lines(rows: Sequence[UnderstoodColumn]) -> list[str]:
    """Return a line of titles, then one line per column of the sheet; none without columns."""
    if not rows:
        return []
    table = [_TITLES, *rows]
    widths = [min(max(cell_len(row[place]) for row in table), _WIDTH_MAX) for place in range(2)]
    return [
        "  ".join([*(_pad(text, width) for text, width in zip(row, widths, strict=False)), row[2]])
        for row in table
    ]


def _pad(text: str, width: int) -> str:
    """Return a text with spaces up to a width on the screen, where some letters are two wide."""
    return set_cell_size(text, width) if cell_len(text) < width else text


def size_remarks(sizes: Mapping[str, int]) -> list[str]:
    """Return a line if some decks differ in size from the most frequent size.

    Args:
        sizes: number of cards of each deck, by name.
    """
    if len(set(sizes.values())) < 2:
        return []
    usual, _ = Counter(sizes.values()).most_common(1)[0]
    others = [f"{name!r} {size}" for name, size in sizes.items() if size != usual]
    return [f"decks differ in size: {', '.join(others)}, the others {usual} cards"]
