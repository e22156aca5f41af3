"""Words for numbers, wherever they are shown: intervals, marks of bands, guards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, SupportsFloat

from balance import CONFIDENCE, Demands, Interval
from balance.risk import RISK, risk_of_try

Bounds = Iterable[SupportsFloat]
"""Estimate, low and high; an `Interval` of numbers, or a part of a row."""
_CERTAIN = 100.0


def percent(rate: Bounds) -> str:
    """`52.3 ±1.3`: a win rate in percent with half the width of its interval."""
    estimate, low, high = map(float, rate)
    return f"{100 * estimate:.1f} ±{50 * (high - low):.1f}"


def points(difference: Bounds) -> str:
    """`+3.1 ±1.1`: a difference of win rates in percentage points, likewise."""
    estimate, low, high = map(float, difference)
    return f"{100 * estimate:+.1f} ±{50 * (high - low):.1f}"


def level(confidence: float) -> str:
    """`95 %`, `98.33 %`, `99.998 %`: a confidence level, which is not rounded to certainty."""
    percent_told = next(
        (told for n in range(2, 12) if (told := round(100 * confidence, n)) != _CERTAIN), _CERTAIN
    )
    return f"{percent_told:.14g} %"


def percent_between(rate: Bounds, unit: str = " %") -> str:
    """`57.3 % (56.8 to 57.8)`: a share in percent with its interval, which may be lopsided."""
    estimate, low, high = in_pp(rate)
    return f"{estimate:.1f}{unit} ({low:.1f} to {high:.1f})"


def in_pp(bounds: Bounds) -> list[float]:
    """Estimate, low and high in percentage points, or in percent."""
    return [100 * float(bound) for bound in bounds]


def entry_of(bounds: Bounds, name: str = "win_rate") -> dict[str, float]:
    """`{"win_rate": ..., "low": ..., "high": ...}`, as summaries have it."""
    return dict(zip((name, "low", "high"), map(float, bounds), strict=True))


def demand_entries(told: Demands, rates: Interval) -> list[dict[str, Any]]:
    """Each demand's rate, between which it has to be, and where its interval lies."""
    verdicts = told.verdicts(rates)
    return [
        {
            "demand": name,
            **entry_of(rates.at(n)),
            "least": round(float(told.bounds[0, n]), 9),
            "most": round(float(told.bounds[1, n]), 9),
            "verdict": verdicts[n],
        }
        for n, name in enumerate(told.names)
    ]


_MOST_SETTINGS = 3  # that are named besides the one that helps most


def explanation_words(told: Mapping[str, Any], band_pp: float) -> list[str]:
    """Why no patch was certified, and what would help most (`balance.explanation`).

    Args:
        told: as in `summary.json`.
        band_pp: how far from its aim a rate may be.
    """
    expected = f"{told['expected_pp']:.1f} pp{_ends_of_expected(told)}"
    is_shown = told.get("low_pp", told["expected_pp"]) > band_pp
    if told["expected_pp"] <= band_pp:
        lines = [
            f"As far as models can tell a patch within these settings may come to {expected}; more "
            "games, rounds or another seed may find it"
        ]
    elif is_shown:
        lines = [
            "As far as models can tell no patch within these settings comes nearer than "
            f"{expected}, where {band_pp:g} are allowed"
        ]
    else:
        lines = [
            f"The nearest that models expect within these settings is {expected}; these games do "
            f"not show whether the {band_pp:g} that are allowed can be reached"
        ]
    if nearest := told.get("nearest"):
        lines[0] += (
            f". The nearest that was played reads {nearest['pp']:.1f} pp ({nearest['low']:.1f} to "
            f"{nearest['high']:.1f}), with change {nearest['change']:g}, n = {nearest['n']:,}"
        )
    cannot = "Cannot" if is_shown else "As models expect it cannot"
    if told["impossible"]:
        lines.append(f"{cannot} hold, whatever the rest: {'; '.join(told['impossible'])}")
    if told["contradicting"]:
        lines.append(f"{cannot} hold together: {'; '.join(told['contradicting'])}")
    if told["settings"]:
        best, *others = (
            f"{one['setting']} ({'tried' if one['is_tried'] else 'by straight slopes'}: "
            f"{one['imbalance_pp']:.1f} pp)"
            for one in told["settings"]
        )
        more = f"; else {', '.join(others[:_MOST_SETTINGS])}" if others else ""
        lines.append(f"What would help most: {best}{more}")
    return lines


def _ends_of_expected(told: Mapping[str, Any]) -> str:
    """` (9.6 to 11.8)`, as far as it is known; runs of earlier versions did not tell it."""
    low_pp = told.get("low_pp")
    high_pp = told.get("high_pp")
    if low_pp is None:
        return ""
    return f" (at least {low_pp:.1f})" if high_pp is None else f" ({low_pp:.1f} to {high_pp:.1f})"


def widened_words(widened: Sequence[str]) -> str:
    """What a run widened by itself (`balance.escalation`); empty for nothing."""
    return f"Widened, since nothing could be certified: {'; '.join(widened)}" if widened else ""


def wanted_words(least: SupportsFloat, most: SupportsFloat) -> str:
    """The bounds of a win rate in percent: `50 ±5`, `at least 45`, or nothing for any."""
    low = round(100 * float(least), 6)
    high = round(100 * float(most), 6)
    if low <= 0 and high >= 100:
        return ""
    if low <= 0 or high >= 100:
        return f"at most {high:g}" if low <= 0 else f"at least {low:g}"
    return f"{(low + high) / 2:.6g} ±{(high - low) / 2:.6g}"


# How what a guard limits is spoken of: a verb, a unit, what the number is scaled by, digits.
_WORDS = {
    "max_draw_rate": ("", "%", 100, 2),
    "max_first_seat_pp": ("grows by ", "pp", 1, 1),
    "median_turns": ("moves by ", "%", 100, 1),
}


def scale_of(name: str) -> tuple[float, str, int]:
    """How a guard's numbers are shown: times what, in which unit, with how many digits.

    Args:
        name: its key in `[guards]`.
    """
    _, unit, scale, digits = _WORDS[name]
    return scale, unit, digits


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
    verb, unit, scale, digits = _WORDS[name]
    read, most, allowed = (f"{abs(scale * value):.{digits}f}" for value in (estimate, bound, limit))
    sure = f"{100 * CONFIDENCE:g} %"
    if bound < 0:
        return f"shrinks by at least {most} {unit}; growth by {allowed} allowed, {sure}"
    if bound <= limit:
        return f"{verb}at most {most} of the {allowed} {unit} allowed, {sure}"
    verb, more = ("shrinks by ", "growth ") if estimate < 0 else (verb, "")
    possible = f"{more}up to {most} possible at {sure}"
    return f"{verb}{read} {unit}, {possible}; {allowed} {unit} allowed"


def failed_guard_words(
    name: str, estimate: float, bound: float, limit: float, *, passing_limit: float | None
) -> str:
    """Which guard keeps a patch from being certified, how far it reaches, and what would pass.

    Args:
        name: its key in `[guards]`.
        estimate: what is limited (`GuardVerdict`).
        bound: the most that the games leave possible.
        limit: the most that is allowed.
        passing_limit: the least limit by which these games would show it; runs of earlier versions
            did not tell it.
    """
    state = state_of(estimate, limit, holds=False)
    reach = reach_of(name, estimate, bound, limit)
    line = f"Guard {state}: [guards] {name} = {limit:g}: {reach}"
    if passing_limit is None:
        return line
    more = "more games.certify may show it, or" if state == "not shown" else "to allow it,"
    return f"{line}; {more} write: [guards] {name} = {passing_limit:g}"


def certificate_words(told: Mapping[str, Any]) -> str:
    """When a certificate was settled, and how seldom one like it is wrong.

    Args:
        told: `certificate` of a run's summary.
    """
    risk = f"{100 * told['risk']:.2g} %"
    number = told["try"]
    words = (
        f"settled by {told['n']:,} games per matchup, at look {told['looks']} of at most "
        f"{told['most_looks']}; with at most {risk} risk of certifying a patch that is not balanced"
    )
    if number is None or number == 1:
        return words
    return (
        f"{words} (try {number} of this question; the first had {100 * risk_of_try(1):.2g} %, all "
        f"tries together have {100 * RISK:g} %)"
    )


def estimate_words(n_games: float, seconds: float) -> str:
    """`about 1,100,000 games in 6.0 s, besides figures`: two digits of each."""
    games, seconds = (float(f"{value:.2g}") for value in (n_games, seconds))
    return f"about {games:,.0f} games in {duration(seconds)}, besides figures"


def duration(seconds: float) -> str:
    """`11.9 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
