"""Words for why a patch has its edits: what each moves, and what would be without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from experiments.results.stages import EditRow

_MOST_NAMED = 3  # rates


class WhyEdit(NamedTuple):
    """An edit, who plays its card, what it does, and what would be without it."""

    edit: str
    players: str
    does: str
    without: str


def why_edits(rows: Iterable[EditRow]) -> list[WhyEdit]:
    """What is told of each edit, from its rows (`experiments.results.stages`)."""
    by_edit = groupby(rows, key=attrgetter("card", "field"))
    return [_why([*of_edit]) for _, of_edit in by_edit]


def how_measured(rows: Sequence[EditRow]) -> str:
    """How the effects were measured, in a sentence."""
    return (
        "The patch with each edit against the patch without it, on equal seeds "
        f"(n = {rows[0].n:,} games per matchup of each; 95 % intervals)."
    )


def _why(rows: Sequence[EditRow]) -> WhyEdit:
    first = rows[0]
    moved = [row for row in rows if row.effect.low > 0 or row.effect.high < 0]
    largest = sorted(moved, key=lambda row: -abs(row.effect.estimate))
    does = [
        f"{row.demand} {row.effect.estimate:+.1f} pp ({row.effect.low:+.1f} to "
        f"{row.effect.high:+.1f})"
        for row in largest[:_MOST_NAMED]
    ]
    does += [f"{len(moved) - _MOST_NAMED} more"] if len(moved) > _MOST_NAMED else []
    return WhyEdit(
        first.edit,
        first.players,
        ", ".join(does) or "moves no rate by more than the luck of these games",
        f"{_breaks(rows)}; imbalance {first.imbalance_without_pp:.1f} pp instead of "
        f"{first.imbalance_pp:.1f}",
    )


def _breaks(rows: Sequence[EditRow]) -> str:
    """What would not hold without the edit."""
    failing = [f"{row.demand} at {100 * row.without.estimate:.1f} %" for row in rows if row.fails]
    more = f" and {len(failing) - _MOST_NAMED} more" if len(failing) > _MOST_NAMED else ""
    broken = [f"out of band: {', '.join(failing[:_MOST_NAMED])}{more}"] if failing else []
    broken += ["a guard reads broken"] if rows[0].breaks_guard else []
    broken += ["a rule of [tune] is broken"] if rows[0].breaks_rule else []
    if not broken and rows[0].rates_lack_room:
        broken = ["a rate is too near its bounds to be shown inside them"]
    if not any((failing, rows[0].breaks_guard, rows[0].breaks_rule)) and rows[0].guards_lack_room:
        broken += ["a guard is too near its limit to be shown to hold"]
    return "; ".join(broken) or "nothing leaves its band"
