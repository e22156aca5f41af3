"""The guards of a run, in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from balance.statistics.intervals import Interval
from experiments.report.wording import fixed
from experiments.results.stages import GuardRow
from experiments.runs.finished_run import FinishedRun
from experiments.screen.wording import reach_of, state_of


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
    for row in run.rows("guards.csv", GuardRow):
        words = _GUARDS[row.guard]
        rows.append(
            {
                "name": row.guard,
                "what": words.what,
                "before": _reading(words, row.before),
                "after": _reading(words, row.after),
                "allowed": _allowed(words, row.least, row.most),
                "holds": row.holds,
                **_verdict(row.guard, row._asdict()),
                "n": row.n,
            }
        )
    return rows


def failed_guards(summary: dict[str, Any]) -> list[str]:
    """A sentence for each guard that is not shown to hold."""
    sentences = []
    for name, guard in summary["guards"].items():
        if not guard["holds"]:
            verdict = _verdict(name, guard)
            sentences.append(f"Guard {name} {verdict['state']}: {verdict['reach']}")
    return sentences


def _verdict(name: str, guard: dict[str, Any]) -> dict[str, str]:
    """State and reach of a guard from a table or a summary."""
    estimate, bound, limit = (float(guard[key]) for key in ("estimate", "bound", "limit"))
    return {
        "state": state_of(estimate, limit, holds=guard["holds"]),
        "reach": reach_of(name, estimate, bound, limit),
    }


def _reading(words: _Guard, reading: Interval) -> dict[str, str]:
    value, low, high = (_shown(words, bound) for bound in reading)
    return {"value": f"{value} {words.unit}", "interval": f"{low} to {high}"}


def _shown(words: _Guard, reading: Any) -> str:
    return fixed(words.scale * reading + words.shift, words.digits)


def _allowed(words: _Guard, least: float, most: float) -> str:
    """What a guard allows, in a few words."""
    low, high = _shown(words, least), _shown(words, most)
    return f"at most {high} {words.unit}" if least == 0 else f"{low} to {high} {words.unit}"
