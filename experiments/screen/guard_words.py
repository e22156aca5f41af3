"""What a certificate says of a guard, in a few words."""

from __future__ import annotations

from typing import NamedTuple

from balance.guards import GuardVerdict
from balance.statistics.intervals import CONFIDENCE


class _Words(NamedTuple):
    """How what a guard limits is spoken of: as ``scale`` times the number, in `unit`."""

    verb: str
    unit: str
    scale: float
    digits: int


_WORDS = {
    "max_draw_rate": _Words("", "%", 100, 2),
    "max_first_seat_pp": _Words("grows by ", "pp", 1, 1),
    "median_turns": _Words("moves by ", "%", 100, 1),
}


def state_of(estimate: float, limit: float, *, holds: bool) -> str:
    """`holds`, `not shown` (more games may show it) or `broken`."""
    if holds:
        return "holds"
    return "broken" if estimate > limit else "not shown"


def reach_of(name: str, estimate: float, bound: float, limit: float) -> str:
    """How far what a guard limits may reach: `grows by at most 0.8 of the 2.0 pp allowed, 95 %`.

    Args:
        name: as in `[guards]`.
        estimate: what is limited (`GuardVerdict`).
        bound: the most that the games leave possible.
        limit: the most that is allowed.
    """
    words = _WORDS[name]
    read, most, allowed = (
        f"{abs(words.scale * value):.{words.digits}f}" for value in (estimate, bound, limit)
    )
    unit, sure = words.unit, f"{100 * CONFIDENCE:g} %"
    if bound < 0:
        return f"shrinks by at least {most} {unit}; growth by {allowed} allowed, {sure}"
    if bound <= limit:
        return f"{words.verb}at most {most} of the {allowed} {unit} allowed, {sure}"
    verb, more = ("shrinks by ", "growth ") if estimate < 0 else (words.verb, "")
    possible = f"{more}up to {most} possible at {sure}"
    return f"{verb}{read} {unit}, {possible}; {allowed} {unit} allowed"


def verdict_words(guard: GuardVerdict) -> tuple[str, str]:
    """`state_of` and `reach_of` a guard."""
    state = state_of(guard.estimate, guard.limit, holds=guard.holds)
    return state, reach_of(guard.name, guard.estimate, guard.bound, guard.limit)


def advice(names: list[str], n_games: int) -> str:
    """What would help where guards are not shown to hold.

    Args:
        names: of the guards, at least one.
        n_games: per matchup, that did not show it.
    """
    which = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"
    return (
        f"{which} not shown to hold by {n_games:,} games per matchup; "
        "more games.certify or a looser limit would help"
    )
