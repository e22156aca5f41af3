"""Names, units and states of guards, and sentences on them; for the screen, notes and the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from balance import CONFIDENCE


class GuardWords(NamedTuple):
    """Words and number formats of a guard.

    A reading of the game is shown as ``scale * reading + shift``. The value that the guard limits,
    such as the growth of a reading, is shown as ``limit_scale * value``.

    Attributes:
        what: quantity that the guard reads.
        unit: unit of a shown reading.
        scale: factor that converts a reading to the unit.
        shift: number that is added to the scaled reading.
        digits: number of decimals of a shown reading.
        verb: verb before a limited value; empty if the value is the reading itself.
        limit_unit: unit of a shown limited value.
        limit_scale: factor that converts a limited value to the unit.
        limit_digits: number of decimals of a shown limited value.
    """

    what: str
    unit: str
    scale: float
    shift: float
    digits: int
    verb: str
    limit_unit: str
    limit_scale: float
    limit_digits: int

    def reading(self, value: float) -> str:
        """Return a reading as text with its unit."""
        return f"{self.number(value)} {self.unit}"

    def number(self, value: float) -> str:
        """Return a reading as text without its unit."""
        return f"{self.scale * value + self.shift:.{self.digits}f}"


GUARD_WORDS = {
    "max_draw_rate": GuardWords("draws", "%", 100, 0, 2, "", "%", 100, 2),
    # The guard reads the distance from 50 %, which is shown as a win rate.
    "max_first_seat_pp": GuardWords("first seat wins", "%", 1, 50, 1, "grows by ", "pp", 1, 1),
    "median_turns": GuardWords("median length", "turns", 1, 0, 1, "moves by ", "%", 100, 1),
}
"""Words of each guard, by its key in `[guards]`."""


def state_of(estimate: float, limit: float, *, holds: bool) -> str:
    """Return the state of a guard: `holds`, `not shown` or `broken`.

    A guard that is `not shown` has an estimate within its limit, and more games may verify it.

    Args:
        estimate: estimated value of the guard (`GuardVerdict`).
        limit: maximum permitted value.
        holds: whether the guard is verified.
    """
    if holds:
        return "holds"
    return "broken" if estimate > limit else "not shown"


def reach_of(name: str, estimate: float, bound: float, limit: float) -> str:
    """Return a text on a guard's bound: `grows by at most 0.8 of the 2.0 pp allowed, 95 %`.

    Args:
        name: key of the guard in `[guards]`.
        estimate: estimated value of the guard (`GuardVerdict`).
        bound: upper confidence bound of the value.
        limit: maximum permitted value.
    """
    words = GUARD_WORDS[name]
    unit = words.limit_unit
    estimated, largest, allowed = (
        f"{abs(words.limit_scale * value):.{words.limit_digits}f}"
        for value in (estimate, bound, limit)
    )
    confidence = f"{100 * CONFIDENCE:g} %"
    # The upper bound is below zero, so the value has certainly decreased.
    if bound < 0:
        return f"shrinks by at least {largest} {unit}; growth by {allowed} allowed, {confidence}"
    verb = words.verb
    if bound <= limit:
        return f"{verb}at most {largest} of the {allowed} {unit} allowed, {confidence}"
    verb, more = ("shrinks by ", "growth ") if estimate < 0 else (verb, "")
    possible = f"{more}up to {largest} possible at {confidence}"
    return f"{verb}{estimated} {unit}, {possible}; {allowed} {unit} allowed"


def failed_guard_lines(guards: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a line on each guard that is not verified.

    Args:
        guards: entry `guards` of a run's summary, without the guards that are not watched.
    """
    return [
        failed_guard_words(
            name,
            *(guard[key] for key in ("estimate", "bound", "limit")),
            passing_limit=guard.get("passing_limit"),
        )
        for name, guard in guards.items()
        if not guard["holds"]
    ]


def failed_guard_words(
    name: str, estimate: float, bound: float, limit: float, *, passing_limit: float | None
) -> str:
    """Return a line on an unverified guard: its bound, and a limit that would pass, if known.

    Args:
        name: key of the guard in `[guards]`.
        estimate: estimated value of the guard (`GuardVerdict`).
        bound: upper confidence bound of the value.
        limit: maximum permitted value.
        passing_limit: smallest limit that these games would verify; `None` for runs of earlier
            versions.
    """
    state = state_of(estimate, limit, holds=False)
    reach = reach_of(name, estimate, bound, limit)
    line = f"Guard {state}: [guards] {name} = {limit:g}: {reach}"
    if passing_limit is None:
        return line
    remedy = "a larger [games] certify may show it, or" if state == "not shown" else "to allow it,"
    return f"{line}; {remedy} write: [guards] {name} = {passing_limit:g}"
