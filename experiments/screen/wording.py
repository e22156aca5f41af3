"""Text for numbers: intervals, targets, guards, certificates and durations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, SupportsFloat

from balance import Demands, Interval
from balance.verdict.risk import RISK, risk_of_try

Bounds = Iterable[SupportsFloat]
"""Estimate, lower end and upper end: an `Interval` of numbers, or a part of a table row."""
_CERTAIN = 100.0  # percent; a confidence level below it must not be printed as 100 %
_DIGITS = range(2, 12)  # numbers of decimal places to try for a confidence level


def plus_minus(bounds: Bounds, form: str = ".1f") -> str:
    """Return an estimate with half the width of its interval, such as `52.3 ±1.3`.

    Args:
        bounds: estimate, lower end and upper end.
        form: format of the estimate, such as `+.1f` for a sign; the half-width has no sign.
    """
    estimate, low, high = map(float, bounds)
    return f"{estimate:{form}} ±{(high - low) / 2:{form.removeprefix('+')}}"


def between(bounds: Bounds, unit: str = "", form: str = ".1f") -> str:
    """Return an estimate with the ends of its interval, such as `57.3 % (56.8 to 57.8)`.

    Args:
        bounds: estimate, lower end and upper end.
        unit: text after the estimate, such as ` %`.
        form: format of the numbers, such as `+.1f` for signs.
    """
    estimate, low, high = map(float, bounds)
    return f"{estimate:{form}}{unit} ({low:{form}} to {high:{form}})"


def percent(rate: Bounds) -> str:
    """Return a win rate in percent with half the width of its interval, such as `52.3 ±1.3`."""
    return plus_minus(in_pp(rate))


def points(difference: Bounds) -> str:
    """Return a difference of win rates in points with half of its interval, such as `+3.1 ±1.1`."""
    return plus_minus(in_pp(difference), "+.1f")


def level(confidence: float) -> str:
    """Return a confidence level in percent, with enough digits to differ from 100 %.

    Examples are `95 %`, `98.33 %` and `99.998 %`.
    """
    rounded = (round(100 * confidence, n) for n in _DIGITS)
    shown = next((value for value in rounded if value != _CERTAIN), _CERTAIN)
    return f"{shown:.14g} %"


def percent_between(rate: Bounds, unit: str = " %") -> str:
    """Return a share in percent with its interval, such as `57.3 % (56.8 to 57.8)`."""
    return between(in_pp(rate), unit)


def patched_rate_words(name: str, before: Bounds, after: Bounds, verdict: str) -> str:
    """Return a line on a patched rate, such as `a vs b: 61.5 % -> 49.9 % (47.2 to 52.6), inside`.

    Args:
        name: name of the rate.
        before: rate without the patch.
        after: rate with the patch.
        verdict: band verdict on the rate with the patch.
    """
    return f"{name}: {in_pp(before)[0]:.1f} % -> {percent_between(after)}, {verdict}"


def counted(value: int, thing: str) -> str:
    """Return a number with a noun, such as `1 card` or `4 cards`; plurals are formed with `s`."""
    return f"{value:,} {thing}{'' if value == 1 else 's'}"


def in_pp(bounds: Bounds) -> list[float]:
    """Return an estimate and the ends of its interval, as percent or percentage points."""
    return [100 * float(bound) for bound in bounds]


def demand_entries(demands: Demands, rates: Interval) -> list[dict[str, Any]]:
    """Return the entry of each demand in a summary: its rate, its bounds, and the verdict.

    Args:
        demands: demands on the rates, with their bounds.
        rates: rate of each demand, with its interval, in the order of the demands.
    """
    verdicts = demands.verdicts(rates)
    return [
        {
            "demand": name,
            **rates.at(n).as_entry(),
            "least": round(float(demands.bounds[0, n]), 9),
            "most": round(float(demands.bounds[1, n]), 9),
            "verdict": verdicts[n],
        }
        for n, name in enumerate(demands.names)
    ]


def few_games_words(room_pp: float, band_pp: float, total: int | None) -> str:
    """Return a sentence on games that are too few for any patch to be likely certified.

    Margins shrink with the square root of the games, so the margin is half of the band with the
    named number of games.

    Args:
        room_pp: margin that a likely certificate needs, in percentage points.
        band_pp: permitted distance of a rate from its target, in percentage points.
        total: total number of games of the run; `None` if each stage has its own number.
    """
    times = ceil((2 * room_pp / band_pp) ** 2)
    remedy = f"{times} times the games" if total is None else f"--games {times * total}"
    return (
        f"So few games are unlikely to certify a patch: it needs a margin of {room_pp:.1f} pp, "
        f"more than the {band_pp:g} pp of the band. With {remedy}, it is likely if such a patch "
        "exists"
    )


_MOST_SETTINGS = 3  # maximum number of settings to name after the one that helps most


def explanation_words(explanation: Mapping[str, Any], band_pp: float) -> list[str]:
    """Return sentences on why no patch was certified and what would help.

    Args:
        explanation: entry `explanation` of a run's summary.
        band_pp: permitted distance of a rate from its target, in percentage points.
    """
    expected = f"{explanation['expected_pp']:.1f} pp{_ends_of_expected(explanation)}"
    # Only the lower end of the interval can show that no patch reaches the band.
    is_shown = explanation.get("low_pp", explanation["expected_pp"]) > band_pp
    if explanation["expected_pp"] <= band_pp:
        lines = [
            f"The models expect that a patch within these settings can reach {expected}; more "
            "games may find it"
        ]
    elif is_shown:
        lines = [
            "By the models, no patch within these settings comes nearer to the target than "
            f"{expected}, and {band_pp:g} pp are allowed"
        ]
    else:
        lines = [
            f"The models expect that the nearest patch within these settings reaches {expected}; "
            f"these games do not show whether it can be brought within the {band_pp:g} pp allowed"
        ]
    if nearest := explanation.get("nearest"):
        reading = between((nearest["pp"], nearest["low"], nearest["high"]), " pp")
        lines[0] += (
            f". The nearest patch played reads {reading}, with change {nearest['change']:g}, "
            f"n = {nearest['n']:,}"
        )
    cannot = "Cannot" if is_shown else "By the models, cannot"
    if explanation["impossible"]:
        impossible = "; ".join(explanation["impossible"])
        lines.append(f"{cannot} hold, even without the other demands: {impossible}")
    if explanation["contradicting"]:
        lines.append(f"{cannot} hold together: {'; '.join(explanation['contradicting'])}")
    if explanation["settings"]:
        best, *others = (
            f"{relaxation['setting']} "
            f"({'tried' if relaxation['is_tried'] else 'by linear extrapolation'}: "
            f"{relaxation['imbalance_pp']:.1f} pp)"
            for relaxation in explanation["settings"]
        )
        alternatives = f"; or {', '.join(others[:_MOST_SETTINGS])}" if others else ""
        lines.append(f"What would help most: {best}{alternatives}")
    return lines


def _ends_of_expected(explanation: Mapping[str, Any]) -> str:
    """Return the interval of the expected imbalance, such as ` (9.6 to 11.8)`.

    Runs of earlier versions have only its lower end, or no interval, which gives an empty text.
    """
    low_pp = explanation.get("low_pp")
    high_pp = explanation.get("high_pp")
    if low_pp is None:
        return ""
    return f" (at least {low_pp:.1f})" if high_pp is None else f" ({low_pp:.1f} to {high_pp:.1f})"


def widened_words(widened: Sequence[str]) -> str:
    """Return a sentence on the limits that a run widened by itself; empty if it widened none."""
    return f"Widened, since nothing could be certified: {'; '.join(widened)}" if widened else ""


def wanted_words(least: SupportsFloat, most: SupportsFloat) -> str:
    """Return the bounds of a win rate in percent: `50 ±5`, `at least 45`, or an empty text."""
    # Without rounding, a bound such as 0.1 + 0.2 would be printed with 15 digits.
    low = round(100 * float(least), 6)
    high = round(100 * float(most), 6)
    if low <= 0 and high >= 100:
        return ""
    if low <= 0 or high >= 100:
        return f"at most {high:g}" if low <= 0 else f"at least {low:g}"
    return f"{(low + high) / 2:.6g} ±{(high - low) / 2:.6g}"


def certificate_words(certificate: Mapping[str, Any]) -> str:
    """Return a phrase on the number of games of a certificate, and on its false-positive rate.

    Args:
        certificate: entry `certificate` of a run's summary.
    """
    risk = f"{100 * certificate['risk']:.2g} %"
    number = certificate["try"]
    words = (
        f"settled by {certificate['n']:,} games per matchup, at look {certificate['looks']} of at "
        f"most {certificate['most_looks']}; with at most {risk} risk of certifying a patch that is "
        "not balanced"
    )
    if number is None or number == 1:
        return words
    return (
        f"{words} (try {number} of this question; the first had {100 * risk_of_try(1):.2g} %, all "
        f"tries together have {100 * RISK:g} %)"
    )


def estimate_words(n_games: float, seconds: float) -> str:
    """Return an estimate of games and time as text: `about 1,100,000 games in 6.0 s, plus ...`."""
    # Two significant digits, because an estimate is hardly more precise.
    games, seconds = (float(f"{value:.2g}") for value in (n_games, seconds))
    return f"about {games:,.0f} games in {duration(seconds)}, plus the time to draw figures"


def duration(seconds: float) -> str:
    """Return a time as text: `11.9 s`, `3 min 5 s` or `2 h 10 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
