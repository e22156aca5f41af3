"""Bands around targets: when a win rate is called off, wherever it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsFloat

_EDGE_PP = 1e-9  # so that a rate on the edge is inside, however it was rounded


def is_off(win_rate: SupportsFloat, target: SupportsFloat, band_pp: float) -> bool:
    """Whether a win rate, as it was measured, is further from its target than the band allows.

    Args:
        win_rate: in [0, 1].
        target: likewise.
        band_pp: half-width of the band, in percentage points.
    """
    return abs(100 * (float(win_rate) - float(target))) > band_pp + _EDGE_PP


def off_mark(rate: Iterable[SupportsFloat], target: SupportsFloat, band_pp: float) -> str:
    """`OFF` for a win rate that is off with its whole interval, `off?` where that reaches the band.

    Args:
        rate: estimate, low and high.
        target: in [0, 1].
        band_pp: half-width of the band, in percentage points.

    Returns:
        The mark; empty inside the band.
    """
    estimate, *bounds = map(float, rate)
    if not is_off(estimate, target, band_pp):
        return ""
    above = estimate > float(target)
    is_sure = all(
        is_off(bound, target, band_pp) and (bound > float(target)) == above for bound in bounds
    )
    return "OFF" if is_sure else "off?"
