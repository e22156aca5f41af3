"""Two numbers that should both be small: which points are best, and how much they dominate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from balance.intervals import Floats


def on_front(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
    """``[n]`` whether no other point is as good in both coordinates and better in one."""
    as_good = (x[:, np.newaxis] <= x) & (y[:, np.newaxis] <= y)
    better = (x[:, np.newaxis] < x) | (y[:, np.newaxis] < y)
    beaten: npt.NDArray[np.bool_] = np.any(as_good & better, axis=0)
    return ~beaten


def dominated_area(x: Floats, y: Floats, corner: tuple[float, float]) -> float:
    """Area of what is no better than some point and no worse than `corner`, both to be small.

    The exact hypervolume indicator in two dimensions (Zitzler and Thiele, 1998).

    Args:
        x: ``[n]`` first coordinates.
        y: ``[n]`` second coordinates.
        corner: the reference point; points beyond it add nothing.
    """
    inside = (x < corner[0]) & (y < corner[1])
    order = np.lexsort([y[inside], x[inside]])
    left, height = x[inside][order], np.minimum.accumulate(y[inside][order])
    widths = np.diff(left, append=corner[0])
    return float(widths @ (corner[1] - height))
