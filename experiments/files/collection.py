"""Collections: which cards a player owns, as CSV."""

from __future__ import annotations

from pathlib import Path

from balance.settings import COPIES_MAX
from sim import InputError, Pool, blaming, did_you_mean
from sim.cards.spreadsheet.deck_list import Spellings
from sim.files.csv_file import Row, filled_lines, whole_number
from sim.files.validation import shown_value

CARD = "card"
COPIES = ("copies", "owned", "count")
_COLUMNS = f"{CARD} and {COPIES[0]} (or {' or '.join(COPIES[1:])})"


def read_collection(path: Path, pool: Pool) -> dict[str, int]:
    """Copies that are owned, by card id.

    The first line names the columns, in any order and letter case: `card` holds a card's id or
    name, `copies` (or `owned`, or `count`) a whole number. Other columns do not matter, and
    cards that are not listed are not owned. Commas, semicolons or tabs may stand between cells.

    Args:
        path: the file.
        pool: the cards that there are.

    Raises:
        InputError: names the file, the line, the value and the limit.
    """
    lines = filled_lines(path)
    if not lines:
        raise InputError(f"{path}: is empty; wants a line with the columns {_COLUMNS}")
    n_columns = len(lines[0][1])
    card_place, copies_place = _places(lines[0], path)
    spellings = Spellings(pool.cards, f" in pool {pool.name!r}")
    line_of: dict[str, int] = {}
    owned = {}
    for number, cells in lines[1:]:
        source = f"{path}: line {number}"
        if stray := [cell for cell in cells[n_columns:] if cell]:
            raise InputError(f"{source}: {shown_value(stray[0])} stands in no column")
        filled = [*cells, *[""] * (n_columns - len(cells))]
        with blaming(source):
            card = spellings.id_of(filled[card_place])
        if card in line_of:
            raise InputError(f"{source}: card {card!r} is already in line {line_of[card]}")
        line_of[card] = number
        owned[card] = _copies(filled[copies_place], source)
    return owned


def _places(header: Row, path: Path) -> tuple[int, int]:
    """Where a line has its card and its copies."""
    number, titles = header
    columns = [title.lower() for title in titles]
    places = []
    for spellings in ((CARD,), COPIES):
        found = [place for place, column in enumerate(columns) if column in spellings]
        if not found:
            meant = did_you_mean(spellings[0], [title for title in titles if title])
            raise InputError(
                f"{path}: line {number}: no column {spellings[0]!r}; wants the columns "
                f"{_COLUMNS}{meant}"
            )
        if len(found) > 1:
            twice = " and ".join(repr(titles[place]) for place in found[:2])
            raise InputError(f"{path}: line {number}: columns {twice} say the same; keep one")
        places += found
    return places[0], places[1]


def _copies(text: str, source: str) -> int:
    if not text:
        raise InputError(f"{source}: column {COPIES[0]}: must not be blank")
    with blaming(f"{source}: column {COPIES[0]}"):
        copies = whole_number(text)
    if not 0 <= copies <= COPIES_MAX:
        raise InputError(f"{source}: column {COPIES[0]}: {copies} must be from 0 to {COPIES_MAX:,}")
    return copies
