"""Two numbers that should both be small: which points are best, and how much they dominate."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from balance.statistics.intervals import Floats


def on_front(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
    """``[n]`` whether no other point is as good in both coordinates and better in one."""
    as_good = (x[:, np.newaxis] <= x) & (y[:, np.newaxis] <= y)
    better = (x[:, np.newaxis] < x) | (y[:, np.newaxis] < y)
    beaten: npt.NDArray[np.bool_] = np.any(as_good & better, axis=0)
    return ~beaten


def dominated_area(x: Floats, y: Floats, corner: tuple[float, float]) -> float:
    """Area of what is no better than some point and no worse than `corner`, both to be small.

    The exact hypervolume indicator in two dimensions (Zitzler and Thiele, 1998), rounded once, so
    that more points never come to less.

    Args:
        x: ``[n]`` first coordinates.
        y: ``[n]`` second coordinates.
        corner: the reference point; points beyond it add nothing.
    """
    inside = (x < corner[0]) & (y < corner[1])
    right, top = map(Fraction, corner)
    area, lowest = Fraction(0), top
    for left, height in sorted(zip(x[inside].tolist(), y[inside].tolist(), strict=True)):
        if height < lowest:
            area += (right - Fraction(left)) * (lowest - Fraction(height))
            lowest = Fraction(height)
    return float(area)
