"""Target matrices: what is wanted of every matchup, as a spreadsheet has it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from balance.target import FREE
from sim import InputError
from sim.files.csv_file import filled_lines
from sim.files.validation import shown_value

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
    for number, (player, *cells) in rows:
        source = f"{path}: line {number}"
        if stray := [cell for cell in cells[len(columns) :] if cell]:
            raise InputError(f"{source}: {shown_value(stray[0])} stands in no column")
        for opponent, cell in zip(columns, cells, strict=False):
            if not cell or opponent == player:
                continue
            goal = _goal(cell, f"{source}: column {opponent!r}")
            name, mirrored = f"{player} vs {opponent}", f"{opponent} vs {player}"
            first = (
                goals.setdefault(name, goal) if mirrored not in goals else _turned(goals[mirrored])
            )
            if first != goal:
                raise InputError(
                    f"{source}: {player!r} vs {opponent!r} is given twice, not the same; keep one"
                )
    return goals


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
