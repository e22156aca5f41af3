"""The guards of a run, in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from experiments.report.wording import fixed, general, number
from experiments.runs.finished_run import FinishedRun


class _Guard(NamedTuple):
    """How one guard is spoken of: a reading is shown as ``scale * reading + shift``."""

    what: str
    unit: str
    scale: float
    shift: float
    digits: int


_GUARDS = {
    "max_draw_rate": _Guard("games drawn", "%", 100, 0, 2),
    "max_first_seat_pp": _Guard("first seat wins", "%", 1, 50, 1),
    "median_turns": _Guard("median length", "turns", 1, 0, 1),
}


def guards(run: FinishedRun) -> list[dict[str, Any]]:
    """Each guard before and after, with what is allowed."""
    rows = []
    for row in run.rows("guards.csv"):
        words = _GUARDS[row["guard"]]
        sides = {side: _reading(words, row, side) for side in ("before", "after")}
        allowed = _allowed(row["guard"], float(row["least"]), float(row["most"]))
        rows.append(
            {
                "name": row["guard"],
                "what": words.what,
                **sides,
                "allowed": allowed,
                "holds": row["holds"] == "True",
                "n": int(row["n"]),
            }
        )
    return rows


def broken_guards(summary: dict[str, Any]) -> list[str]:
    """A sentence for each guard that does not hold."""
    sentences = []
    for name, guard in summary["guards"].items():
        if not guard["holds"]:
            words = _GUARDS[name]
            value = _shown(words, guard["value"])
            allowed = _allowed(name, guard["low"], guard["high"])
            sentences.append(f"Guard {name}: {words.what} {value} {words.unit}; allowed: {allowed}")
    return sentences


def _reading(words: _Guard, row: dict[str, str], side: str) -> dict[str, str | None]:
    low, high = (number(row[f"{side}_{bound}"]) for bound in ("low", "high"))
    interval = None if low is None else f"{_shown(words, low)} to {_shown(words, high)}"
    return {"value": f"{_shown(words, float(row[side]))} {words.unit}", "interval": interval}


def _shown(words: _Guard, reading: float | None) -> str:
    if reading is None:
        return fixed(None)
    value = words.scale * reading + words.shift
    return general(value) if words.unit == "turns" else fixed(value, words.digits)


def _allowed(name: str, least: float, most: float) -> str:
    """What a guard allows, in a few words."""
    words = _GUARDS[name]
    low, high = _shown(words, least), _shown(words, most)
    return f"at most {high} {words.unit}" if least == 0 else f"{low} to {high} {words.unit}"
