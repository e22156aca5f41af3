"""Lines for the screen on the interpretation of a sheet: its columns, and sizes of decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.cells import cell_len, set_cell_size

from experiments.screen import counted
from experiments.spreadsheet.card_texts import ReadText
from experiments.spreadsheet.understood import UnderstoodColumn

_TITLES = UnderstoodColumn("column", "read as", "what stands there")
_TEXTS_MAX = 60  # maximum number of texts shown, so that the lines before them stay in sight
_WIDTH_MAX = 28  # maximum width of a column; a longer text shifts only the rest of its own line


def understood_lines(rows: Sequence[UnderstoodColumn]) -> list[str]:
    """Return a table as lines: a line of titles, and a line for each column of the sheet.

    Args:
        rows: columns of the sheet with their meanings; if empty, no lines are returned.
    """
    if not rows:
        return []
    table = [_TITLES, *rows]
    widths = [min(max(cell_len(row[place]) for row in table), _WIDTH_MAX) for place in range(2)]
    return [
        "  ".join([*(_pad(text, width) for text, width in zip(row, widths, strict=False)), row[2]])
        for row in table
    ]


def text_lines(texts: Sequence[ReadText]) -> list[str]:
    """Return lines on the texts of cards that were read as effects, in the words of card texts.

    Args:
        texts: the texts with their cards; if empty, no lines are returned.
    """
    if not texts:
        return []
    shown = [f"  {text.card}: {text.says}" for text in texts[:_TEXTS_MAX]]
    more = len(texts) - _TEXTS_MAX
    rest = [f"  and {counted(more, 'further card')}; see: evenhand cards list"] if more > 0 else []
    return [f"effects of {counted(len(texts), 'card')} were read from their texts:", *shown, *rest]


def _pad(text: str, width: int) -> str:
    """Return a text padded with spaces to a width in terminal cells.

    A text that is wider is returned unchanged. Some letters take two cells.
    """
    return set_cell_size(text, width) if cell_len(text) < width else text


def size_remarks(sizes: Mapping[str, int]) -> list[str]:
    """Return one line on the decks that differ from the most frequent size.

    No line is returned if all decks have the same size.

    Args:
        sizes: number of cards of each deck, by name.
    """
    if len(set(sizes.values())) < 2:
        return []
    usual, _ = Counter(sizes.values()).most_common(1)[0]
    others = [f"{name!r} {size}" for name, size in sizes.items() if size != usual]
    return [f"decks differ in size: {', '.join(others)}, the others {usual} cards"]
