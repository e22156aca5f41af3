"""CSV files that users write: a player's card collection, and the target of every matchup."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from balance.contest.target import FREE
from balance.settings.tables import COPIES_MAX
from sim import InputError, Pool, error_place
from sim.cards.names import card_names
from sim.errors import nearest_spelling
from sim.files.csv_file import Row, filled_lines, whole_number
from sim.names import Names
from sim.value_error import shown_value

CARD = "card"
COPIES = ("copies", "owned", "count")
_COLUMNS = f"{CARD} and {COPIES[0]} (or {' or '.join(COPIES[1:])})"


def read_collection(path: Path, pool: Pool) -> dict[str, int]:
    """Read the number of copies of each card that a player owns.

    The first line names the columns in any order. The column `card` contains ids or names of cards,
    and the column `copies` (or `owned`, or `count`) whole numbers. Other columns are ignored. Cells
    are separated by commas, semicolons or tabs.

    Args:
        path: CSV file of the collection.
        pool: pool with the cards.

    Returns:
        Number of copies by card id, for each card with a line.

    Raises:
        InputError: the file cannot be read, is empty, lacks a column, or has an invalid or repeated
            card or number; the message names the file, the line and the value.
    """
    lines = filled_lines(path)
    if not lines:
        raise InputError("is empty", place=path, remedy=f"add a line with the columns {_COLUMNS}")
    n_columns = len(lines[0][1])
    card_place, copies_place = _find_columns(lines[0], path)
    names = card_names(pool)
    line_of: dict[str, int] = {}
    owned = {}
    for number, cells in lines[1:]:
        source = f"{path}: line {number}"
        if stray := [cell for cell in cells[n_columns:] if cell]:
            raise _stray_cell_error(stray[0], source)
        filled = [*cells, *[""] * (n_columns - len(cells))]
        with error_place(source):
            card = _card(filled[card_place], names)
        if card in line_of:
            raise InputError(
                f"card {card!r} is already in line {line_of[card]}",
                place=source,
                value=card,
                remedy="keep one",
            )
        line_of[card] = number
        owned[card] = _copies(filled[copies_place], source)
    return owned


def _find_columns(header: Row, path: Path) -> tuple[int, int]:
    """Return the positions of the column of cards and of the column of copies.

    Args:
        header: number and cells of the first line.
        path: CSV file, for messages.

    Raises:
        InputError: a column is missing, or two columns have the same meaning.
    """
    number, titles = header
    columns = [title.lower() for title in titles]
    places = []
    for spellings in ((CARD,), COPIES):
        matches = [place for place, column in enumerate(columns) if column in spellings]
        if not matches:
            nearest = nearest_spelling(spellings[0], [title for title in titles if title])
            meant = f"; if {nearest!r} is meant, rename it to {spellings[0]!r}" if nearest else ""
            raise InputError(
                f"no column {spellings[0]!r}",
                place=f"{path}: line {number}",
                limit=spellings,
                remedy=f"the file needs the columns {_COLUMNS}{meant}",
            )
        if len(matches) > 1:
            twice = " and ".join(repr(titles[place]) for place in matches[:2])
            raise InputError(
                f"columns {twice} have the same meaning",
                place=f"{path}: line {number}",
                value=twice,
                remedy="keep one of them",
            )
        places += matches
    return places[0], places[1]


def _card(text: str, names: Names) -> str:
    """Return the id of the card in a cell.

    Raises:
        InputError: the cell is blank, or its text is not the id or name of a card.
    """
    if not text:
        raise InputError("must not be blank", place=f"column {CARD!r}", value=text)
    return names.find(text)


def _copies(text: str, source: str) -> int:
    """Return the number of copies in a cell.

    Raises:
        InputError: the cell is blank, or is not a whole number in the permitted range.
    """
    with error_place(f"{source}: column {COPIES[0]}"):
        if not text:
            raise InputError("must not be blank", value=text)
        copies = whole_number(text)
        if not 0 <= copies <= COPIES_MAX:
            raise InputError(
                f"{copies} must be from 0 to {COPIES_MAX:,}", value=copies, limit=(0, COPIES_MAX)
            )
    return copies


def _stray_cell_error(cell: str, source: str) -> InputError:
    """Return the error for a cell to the right of all columns."""
    return InputError(
        f"{shown_value(cell)} is to the right of the last column",
        place=source,
        value=cell,
        remedy="delete it, or give its column a title",
    )


_NUMBER = r"(\d+(?:[.,]\d+)?) *%?"
# Forms of a cell, and functions from the shares in it to a target as in a `win_rate` table.
_FORMS: tuple[tuple[str, Callable[..., Any]], ...] = (
    (_NUMBER, lambda at: at),
    (rf"{_NUMBER} *(?:±|\+-|\+/-) *{_NUMBER}", lambda at, half: {"at": at, "band_pp": 100 * half}),
    (rf"{_NUMBER} *(?:-|to) *{_NUMBER}", lambda low, high: [low, high]),
    (rf">=? *{_NUMBER}", lambda low: [low, 1.0]),
    (rf"<=? *{_NUMBER}", lambda high: [0.0, high]),
)


def read_target_matrix(path: Path) -> dict[str, Any]:
    """Read the targets of all matchups as the content of a `win_rate` table of `[target]`.

    The first line and the first cell of each further line contain names of players. All other cells
    are targets for the line's player against the column's player, in percent: `60`, `60 +- 3`,
    `45-55`, `>=45`, `<=55`, or blank for no target. If a matchup is given twice, above and below
    the diagonal, both targets must agree. The diagonal is ignored.

    Args:
        path: CSV file of the targets.

    Raises:
        InputError: the file cannot be read or is empty, a column has no name or a repeated one, or
            a target is invalid or contradicts another; the message names the file and the line.
    """
    lines = filled_lines(path)
    if not lines:
        raise InputError(
            "is empty", place=path, remedy="add a line of players, then a line for each of them"
        )
    (number, (_, *columns)), *rows = lines
    # Spreadsheets often write empty cells after the last title.
    while columns and not columns[-1]:
        columns.pop()
    if len({*columns}) < len(columns) or not all(columns):
        raise InputError(
            "a title is blank or occurs twice",
            place=f"{path}: line {number}",
            remedy="give each column a title of its own",
        )
    goals: dict[str, Any] = {"others": FREE}
    for number, (named, *cells) in rows:
        source = f"{path}: line {number}"
        if stray := [cell for cell in cells[len(columns) :] if cell]:
            raise _stray_cell_error(stray[0], source)
        player = _spelling_in_columns(named, columns)
        for opponent, cell in zip(columns, cells, strict=False):
            if not cell or opponent == player:
                continue
            goal = _goal(cell, f"{source}: column {opponent!r}")
            name = f"{player} vs {opponent}"
            mirrored = f"{opponent} vs {player}"
            # Rounding in `_share` makes both halves of a matrix comparable: 100 - 47.7 and 52.3.
            known = _mirror(goals[mirrored]) if mirrored in goals else goals.setdefault(name, goal)
            if known != goal:
                raise InputError(
                    f"{player!r} vs {opponent!r} has two different targets",
                    place=source,
                    value=goal,
                    limit=known,
                    remedy="keep one",
                )
    return goals


def _spelling_in_columns(player: str, columns: Sequence[str]) -> str:
    """Return the column title that matches a player's name.

    The name is returned unchanged if no title or more than one title matches.
    """
    matches = Names("player", columns).matches(player)
    return matches[0] if len(matches) == 1 else player


def _goal(cell: str, source: str) -> Any:
    """Return the target in a cell, in the form of a `win_rate` table.

    Args:
        cell: text of the cell.
        source: place of the cell, for messages.

    Raises:
        InputError: the text has none of the permitted forms.
    """
    for form, goal in _FORMS:
        if match := re.fullmatch(form, cell.replace("\N{EN DASH}", "-")):
            return goal(*(_share(float(number.replace(",", "."))) for number in match.groups()))
    raise InputError(
        f"{shown_value(cell)} must be a percentage, such as 60, 60 +- 3, 45-55, >=45 or <=55, "
        "or blank",
        place=source,
        value=cell,
    )


def _mirror(goal: Any) -> Any:
    """Return a target in the form of a `win_rate` table from the view of the second player."""
    if isinstance(goal, dict):
        return goal | {"at": _share(100 - 100 * goal["at"])}
    return [*map(_mirror, goal[::-1])] if isinstance(goal, list) else _share(100 - 100 * goal)


def _share(percent: float) -> float:
    """Return a percentage as a share, rounded to nine decimals.

    Equal percentages thereby give equal shares, even if they were computed as 100 minus another.
    """
    return round(percent / 100, 9)
