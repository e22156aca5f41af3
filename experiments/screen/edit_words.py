"""Words for why a patch has its edits: what each moves, and what would be without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from balance import Interval
from balance.band import band_verdict
from balance.edit_reasons import EditReason
from experiments.results.stages import EditRow
from experiments.screen.wording import reach_of, scale_of

_MOST_NAMED = 3  # rates
_BROKEN = frozenset({"matchup", "guard", "rule", "never ends"})  # kinds of reasons


class WhyEdit(NamedTuple):
    """An edit, who plays its card, what it does, and what would be without it."""

    edit: str
    players: str
    does: str
    without: str


def why_edits(rows: Iterable[EditRow], reasons: Sequence[EditReason] = ()) -> list[WhyEdit]:
    """What is told of each edit, of those with effects first.

    Args:
        rows: effects (`experiments.results.stages`).
        reasons: why each stays; runs of earlier versions have none, and then the rows tell it.
    """
    effects = {
        (card, field): [*of_edit]
        for (card, field), of_edit in groupby(rows, key=attrgetter("card", "field"))
    }
    by_edit = {
        (card, field): [*of_edit]
        for (card, field), of_edit in groupby(reasons, key=attrgetter("card", "field"))
    }
    return [
        _why(effects.get(edit, []), by_edit.get(edit, []))
        for edit in dict.fromkeys([*effects, *by_edit])
    ]


def how_measured(rows: Sequence[EditRow]) -> str:
    """How the effects were measured, in a sentence."""
    return (
        "The patch with each edit against the patch without it, on equal seeds "
        f"(n = {rows[0].n:,} games per matchup of each; 95 % intervals)."
    )


def _why(rows: Sequence[EditRow], reasons: Sequence[EditReason]) -> WhyEdit:
    first = rows[0] if rows else None
    shown = _weightiest(reasons)
    without = "; ".join(map(_reason_words, shown)) if reasons else ""
    if first is not None and not any(one.kind in _BROKEN or one.by for one in shown):
        # Nothing else was measured without the edit; runs of earlier versions told no reasons.
        without = (
            f"{without or _breaks(rows)}; imbalance {first.imbalance_without_pp:.1f} pp instead of "
            f"{first.imbalance_pp:.1f}"
        )
    edit = reasons[0].edit if first is None else first.edit
    return WhyEdit(edit, "" if first is None else first.players, _does(rows), without)


def _weightiest(reasons: Sequence[EditReason]) -> list[EditReason]:
    """What is broken without an edit; where nothing is, what lacks margin, and what was not tried.

    All of them are in the table of reasons.
    """
    broken = [one for one in reasons if one.kind in _BROKEN]
    return (broken or [*reasons])[:_MOST_NAMED]


def _does(rows: Sequence[EditRow]) -> str:
    """Which rates an edit moves, those that it moves most first."""
    if not rows:
        return "not measured"
    moved = [row for row in rows if row.effect.low > 0 or row.effect.high < 0]
    largest = sorted(moved, key=lambda row: -abs(row.effect.estimate))
    does = [
        f"{row.demand} {row.effect.estimate:+.1f} pp ({row.effect.low:+.1f} to "
        f"{row.effect.high:+.1f})"
        for row in largest[:_MOST_NAMED]
    ]
    does += [f"{len(moved) - _MOST_NAMED} more"] if len(moved) > _MOST_NAMED else []
    return ", ".join(does) or "moves no rate by more than the luck of these games"


_RULES = {
    "tune.sense.dominance": "{0} would be better than {1} in everything",
    "tune.sense.direction": "{0} would be bettered in one number and worsened in another",
}


def _reason_words(reason: EditReason) -> str:
    """A reason in a clause."""
    if reason.kind == "rule":
        names = reason.card_names.split("; ") if reason.card_names else []
        form = _RULES.get(reason.name)
        is_whole = form is not None and len(names) >= form.count("{")
        what = form.format(*names) if form is not None and is_whole else ", ".join(names)
        return f"a rule is broken, {reason.name}{': ' * bool(what)}{what}"
    words = {
        "not tried": "not tried: the clean-up ran out of games before",
        "not begun": "not tried: in the games that chose it the patch itself had no margin",
        "never ends": "games never end",
    }
    if reason.kind in words:
        return words[reason.kind]
    if reason.kind.startswith("guard"):
        return _guard_words(reason)
    return _rate_words(reason)


_NEVER_ENOUGH = "no reading of so few games leaves the margin that a certificate needs"


def _guard_words(reason: EditReason) -> str:
    reading, high, limit = (
        value or 0.0 for value in (reason.reading, reason.reading_high, reason.limit)
    )
    reach = reach_of(reason.name, reading, high, limit)
    if reason.kind == "guard":
        return f"guard {reason.name} reads broken: {reach} (n = {reason.n:,})"
    scale, unit, digits = scale_of(reason.name)
    enough = _NEVER_ENOUGH
    if reason.needed is not None:
        enough = f"a certificate needs at most {scale * reason.needed:.{digits}f} {unit}"
    return f"guard {reason.name} is too near its limit: {reach}; {enough} (n = {reason.n:,})"


def _rate_words(reason: EditReason) -> str:
    reading, low, high, limit = (
        value or 0.0
        for value in (reason.reading, reason.reading_low, reason.reading_high, reason.limit)
    )
    at = f"at {100 * reading:.1f} % ({100 * low:.1f} to {100 * high:.1f}, n = {reason.n:,})"
    if reason.kind == "matchup":
        rate = Interval(*map(np.array, (reading, low, high)))
        least, most = (limit, inf) if reading < limit else (-inf, limit)
        is_shown = band_verdict(rate, least, most) == "outside"
        verb = "leaves its band" if is_shown else "reads outside its band, but is not shown to be,"
        return f"{reason.name} {verb} by {100 * abs(reading - limit):.1f} pp, {at}"
    enough = _NEVER_ENOUGH
    if reason.needed is not None:
        side = "at most" if reason.needed < limit else "at least"
        enough = f"a certificate needs {side} {100 * reason.needed:.1f} %"
    return f"{reason.name} reads inside, {at}, but too near {100 * limit:g} %: {enough}"


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
