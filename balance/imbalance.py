"""Imbalance: how far matchups are from where they should be."""

from __future__ import annotations

import numpy as np

from balance.statistics.intervals import Floats, Interval


def imbalance_pp(win_rate: Floats, targets: Floats) -> Floats:
    """Distance of each matchup from its target in percentage points."""
    distance: Floats = 100 * np.abs(win_rate - targets)
    return distance


def imbalance_interval_pp(rates: Interval, targets: Floats) -> Interval:
    """Largest distance of ``[..., M]`` win rates from their targets, in percentage points.

    As the intervals of all matchups hold together, so does that of the largest distance: take
    them at the level ``1 - 0.05 / M`` (`balance.certificate.matchup_confidence`) for 95 %.

    Args:
        rates: win rates with the bounds of their intervals.
        targets: ``[M]`` where the win rates should be.
    """
    nearest = np.maximum(np.maximum(rates.low - targets, targets - rates.high), 0)
    farthest = np.maximum(np.abs(rates.low - targets), np.abs(rates.high - targets))
    distances = (np.abs(rates.estimate - targets), nearest, farthest)
    return Interval(*(100 * distance.max(axis=-1) for distance in distances))
