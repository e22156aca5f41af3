"""CSV files that people write: which cards a player owns, and what is wanted of every matchup."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from balance.settings import COPIES_MAX
from balance.target import FREE
from sim import InputError, Pool, did_you_mean, error_place
from sim.cards.names import card_names
from sim.files.csv_file import Row, filled_lines, whole_number
from sim.files.validation import shown_value
from sim.names import Names

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
    names = card_names(pool)
    line_of: dict[str, int] = {}
    owned = {}
    for number, cells in lines[1:]:
        source = f"{path}: line {number}"
        if stray := [cell for cell in cells[n_columns:] if cell]:
            raise InputError(f"{source}: {shown_value(stray[0])} stands in no column")
        filled = [*cells, *[""] * (n_columns - len(cells))]
        with error_place(source):
            card = _card(filled[card_place], names)
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


def _card(text: str, names: Names) -> str:
    if not text:
        raise InputError(f"column {CARD}: must not be blank")
    return names.find(text)


def _copies(text: str, source: str) -> int:
    with error_place(f"{source}: column {COPIES[0]}"):
        if not text:
            raise InputError("must not be blank")
        copies = whole_number(text)
        if not 0 <= copies <= COPIES_MAX:
            raise InputError(f"{copies} must be from 0 to {COPIES_MAX:,}")
    return copies


_NUMBER = r"(\d+(?:[.,]\d+)?) *%?"
_FORMS: tuple[tuple[str, Callable[..., Any]], ...] = (
    (_NUMBER, lambda at: at),
    (rf"{_NUMBER} *(?:±|\+-|\+/-) *{_NUMBER}", lambda at, half: {"at": at, "band_pp": 100 * half}),
    (rf"{_NUMBER} *(?:-|to) *{_NUMBER}", lambda low, high: [low, high]),
    (rf">=? *{_NUMBER}", lambda low: [low, 1.0]),
    (rf"<=? *{_NUMBER}", lambda high: [0.0, high]),
)


def read_target_matrix(path: Path) -> dict[str, Any]:
    """The goals of a `win_rate` table (`balance.target`) in a CSV file.

    The first line names players, and so does the first cell of each further line; the cell between
    them is what is wanted of the line's player against the column's, in percent: `60`, `60 +- 3`,
    `45-55`, `>=45`, `<=55`, or nothing where anything will do. What is given twice, as above the
    diagonal and below it, must agree; what stands on it does not matter.

    Args:
        path: the file.

    Raises:
        InputError: names the file, the line, the value and what may stand there.
    """
    lines = filled_lines(path)
    if not lines:
        raise InputError(f"{path}: is empty; wants a line of players, then a line for each of them")
    (number, (_, *columns)), *rows = lines
    while columns and not columns[-1]:
        columns.pop()
    if len({*columns}) < len(columns) or not all(columns):
        raise InputError(f"{path}: line {number}: every column needs the name of another player")
    goals: dict[str, Any] = {"others": FREE}
    for number, (named, *cells) in rows:
        source = f"{path}: line {number}"
        if stray := [cell for cell in cells[len(columns) :] if cell]:
            raise InputError(f"{source}: {shown_value(stray[0])} stands in no column")
        player = _named_so(named, columns)
        for opponent, cell in zip(columns, cells, strict=False):
            if not cell or opponent == player:
                continue
            goal = _goal(cell, f"{source}: column {opponent!r}")
            name = f"{player} vs {opponent}"
            mirrored = f"{opponent} vs {player}"
            known = _turned(goals[mirrored]) if mirrored in goals else goals.setdefault(name, goal)
            if known != goal:
                raise InputError(
                    f"{source}: {player!r} vs {opponent!r} is given twice, not the same; keep one"
                )
    return goals


def _named_so(player: str, columns: Sequence[str]) -> str:
    """The title of a player's own column, however it is spelt there."""
    found = Names("player", columns).matches(player)
    return found[0] if len(found) == 1 else player


def _goal(cell: str, source: str) -> Any:
    for form, goal in _FORMS:
        if found := re.fullmatch(form, cell.replace("\N{EN DASH}", "-")):
            return goal(*(_share(float(number.replace(",", "."))) for number in found.groups()))
    raise InputError(
        f"{source}: {shown_value(cell)} must be percent, such as 60, 60 +- 3, 45-55, >=45 or <=55, "
        "or nothing"
    )


def _turned(goal: Any) -> Any:
    """What it asks of the column's player."""
    if isinstance(goal, dict):
        return goal | {"at": _share(100 - 100 * goal["at"])}
    return [*map(_turned, goal[::-1])] if isinstance(goal, list) else _share(100 - 100 * goal)


def _share(percent: float) -> float:
    return round(percent / 100, 9)
