"""Texts on each edit of a patch: the rates that it moves, and the limits that break without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from balance import Interval
from balance.contest.band import band_verdict
from balance.run.edit_rows import EditRow
from balance.verdict.edit_reasons import EditReason
from experiments.screen.guard_words import GUARD_WORDS, reach_of
from experiments.screen.wording import between, percent_between

_MOST_NAMED = 3  # maximum number of rates or reasons to name, so that the largest stay visible
_BROKEN = frozenset({"matchup", "guard", "rule", "never ends"})  # reasons that a limit is broken


class WhyEdit(NamedTuple):
    """Text on an edit of a patch: its effect, and the reason to keep it.

    Attributes:
        edit: description of the edit.
        players: names of the players with the edited card in their decks; may be empty.
        does: rates that the edit moves, with their changes.
        without: limits that break if the edit is left out.
    """

    edit: str
    players: str
    does: str
    without: str


def why_edits(rows: Iterable[EditRow], reasons: Sequence[EditReason] = ()) -> list[WhyEdit]:
    """Return the texts on each edit; edits with measured effects come first.

    Args:
        rows: effects of the edits (`balance.run.edit_rows`), sorted by edit.
        reasons: reasons to keep each edit, sorted by edit. Runs of earlier versions have no
            reasons; the texts are then derived from `rows`.
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
    """Return a sentence on the games that measured the effects; `rows` must not be empty."""
    return (
        "Each effect compares the patch with the patch without that edit, on equal game seeds "
        f"(n = {rows[0].n:,} games per matchup of each; 95 % intervals)."
    )


def _why(rows: Sequence[EditRow], reasons: Sequence[EditReason]) -> WhyEdit:
    """Return the texts on one edit, which must have rows or reasons.

    Args:
        rows: measured effects of the edit, one per rate; empty if not measured.
        reasons: reasons to keep the edit; empty for runs of earlier versions.
    """
    first = rows[0] if rows else None
    shown = _main_reasons(reasons)
    without = "; ".join(map(_reason_words, shown)) if reasons else ""
    if first is not None and not any(reason.kind in _BROKEN or reason.by for reason in shown):
        # No reason names a broken limit or results from games, so the measured imbalance is added.
        # Runs of earlier versions have no reasons.
        without = (
            f"{without or _breaks(rows)}; imbalance {first.imbalance_without_pp:.1f} pp instead of "
            f"{first.imbalance_pp:.1f}"
        )
    edit = reasons[0].edit if first is None else first.edit
    return WhyEdit(edit, "" if first is None else first.players, _does(rows), without)


def _main_reasons(reasons: Sequence[EditReason]) -> list[EditReason]:
    """Return at most `_MOST_NAMED` reasons: those with a broken limit, or any if there are none."""
    broken = [reason for reason in reasons if reason.kind in _BROKEN]
    return (broken or [*reasons])[:_MOST_NAMED]


def _does(rows: Sequence[EditRow]) -> str:
    """Return a text on the rates that an edit moves, by decreasing effect.

    Only changes with an interval that excludes 0 count; at most `_MOST_NAMED` rates are named.
    """
    if not rows:
        return "not measured"
    moved = [row for row in rows if row.effect.low > 0 or row.effect.high < 0]
    largest = sorted(moved, key=lambda row: -abs(row.effect.estimate))
    does = [f"{row.demand} {between(row.effect, ' pp', '+.1f')}" for row in largest[:_MOST_NAMED]]
    does += [f"{len(moved) - _MOST_NAMED} more"] if len(moved) > _MOST_NAMED else []
    return ", ".join(does) or "moves no rate by more than the noise of these games"


_RULES = {
    "tune.sense.dominance": "{0} would be better than {1} in everything",
    "tune.sense.direction": "{0} would get better in one number and worse in another",
}


def _reason_words(reason: EditReason) -> str:
    """Return a reason to keep an edit as a clause of a sentence."""
    if reason.kind == "rule":
        names = reason.card_names.split("; ") if reason.card_names else []
        template = _RULES.get(reason.name)
        has_all_names = template is not None and len(names) >= template.count("{")
        # Runs of earlier versions may name fewer cards than the sentence needs.
        broken_rule = (
            template.format(*names) if template is not None and has_all_names else ", ".join(names)
        )
        return f"a rule is broken, {reason.name}{': ' * bool(broken_rule)}{broken_rule}"
    words = {
        "not tried": "not tried: the clean-up ran out of games before this edit",
        "not begun": "not tried: in the games that chose the patch, it had no margin itself",
        "never ends": "games never end",
    }
    if reason.kind in words:
        return words[reason.kind]
    if reason.kind.startswith("guard"):
        return _guard_words(reason)
    return _rate_words(reason)


_NEVER_ENOUGH = "with so few games, no reading leaves the margin that a certificate needs"


def _guard_words(reason: EditReason) -> str:
    """Return the clause on a guard that is broken, or too near its limit, without an edit."""
    reading, high, limit = (
        value or 0.0 for value in (reason.reading, reason.reading_high, reason.limit)
    )
    reach = reach_of(reason.name, reading, high, limit)
    if reason.kind == "guard":
        return f"guard {reason.name} reads broken: {reach} (n = {reason.n:,})"
    words = GUARD_WORDS[reason.name]
    enough = _NEVER_ENOUGH
    if reason.needed is not None:
        needed = f"{words.limit_scale * reason.needed:.{words.limit_digits}f}"
        enough = f"a certificate needs at most {needed} {words.limit_unit}"
    return f"guard {reason.name} is too near its limit: {reach}; {enough} (n = {reason.n:,})"


def _rate_words(reason: EditReason) -> str:
    """Return the clause on a rate that, without an edit, is outside its band or near its bounds."""
    reading, low, high, limit = (
        value or 0.0
        for value in (reason.reading, reason.reading_low, reason.reading_high, reason.limit)
    )
    reading_words = f"at {percent_between((reading, low, high))}, n = {reason.n:,}"
    if reason.kind == "matchup":
        rate = Interval(*map(np.array, (reading, low, high)))
        least, most = (limit, inf) if reading < limit else (-inf, limit)
        is_shown = band_verdict(rate, least, most) == "outside"
        verb = "leaves its band" if is_shown else "reads outside its band, but is not shown to be,"
        return f"{reason.name} {verb} by {100 * abs(reading - limit):.1f} pp, {reading_words}"
    enough = _NEVER_ENOUGH
    if reason.needed is not None:
        side = "at most" if reason.needed < limit else "at least"
        enough = f"a certificate needs {side} {100 * reason.needed:.1f} %"
    return f"{reason.name} reads inside, {reading_words}, but too near {100 * limit:g} %: {enough}"


def _breaks(rows: Sequence[EditRow]) -> str:
    """Return a text on the limits that are broken, or too near, without an edit."""
    failing = [f"{row.demand} at {100 * row.without.estimate:.1f} %" for row in rows if row.fails]
    more = f" and {len(failing) - _MOST_NAMED} more" if len(failing) > _MOST_NAMED else ""
    broken = [f"outside: {', '.join(failing[:_MOST_NAMED])}{more}"] if failing else []
    broken += ["a guard reads broken"] if rows[0].breaks_guard else []
    broken += ["a rule of [tune] is broken"] if rows[0].breaks_rule else []
    if not broken and rows[0].rates_lack_room:
        broken = ["a rate is too near its bounds to be shown inside them"]
    if not any((failing, rows[0].breaks_guard, rows[0].breaks_rule)) and rows[0].guards_lack_room:
        broken += ["a guard is too near its limit to be shown to hold"]
    return "; ".join(broken) or "nothing leaves its band"
