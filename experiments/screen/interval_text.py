"""Intervals as people and summaries read them: in percent, in points, under their names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsFloat

Bounds = Iterable[SupportsFloat]
"""Estimate, low and high; an `Interval` of numbers, or a part of a row."""


def percent(rate: Bounds) -> str:
    """`52.3 ±1.3`: a win rate in percent with half the width of its interval."""
    estimate, low, high = map(float, rate)
    return f"{100 * estimate:.1f} ±{50 * (high - low):.1f}"


def points(difference: Bounds) -> str:
    """`+3.1 ±1.1`: a difference of win rates in percentage points, likewise."""
    estimate, low, high = map(float, difference)
    return f"{100 * estimate:+.1f} ±{50 * (high - low):.1f}"


def percent_between(rate: Bounds, unit: str = " %") -> str:
    """`57.3 % (56.8 to 57.8)`: a share in percent with its interval, which may be lopsided."""
    estimate, low, high = in_pp(rate)
    return f"{estimate:.1f}{unit} ({low:.1f} to {high:.1f})"


def points_between(difference: Bounds) -> str:
    """`+3.1 pp (+2.0 to +4.2)`: a difference in percentage points, likewise."""
    estimate, low, high = in_pp(difference)
    return f"{estimate:+.1f} pp ({low:+.1f} to {high:+.1f})"


def in_pp(bounds: Bounds) -> list[float]:
    """Estimate, low and high in percentage points, or in percent."""
    return [100 * float(bound) for bound in bounds]


def entry_of(bounds: Bounds, name: str = "win_rate") -> dict[str, float]:
    """`{"win_rate": ..., "low": ..., "high": ...}`, as summaries have it."""
    return dict(zip((name, "low", "high"), map(float, bounds), strict=True))
