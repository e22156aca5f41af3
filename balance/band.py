"""The band of a rate: the one rule that says where an interval lies, wherever that is shown."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from balance.statistics.intervals import Flags, Interval

BandVerdict = Literal["inside", "outside", "not shown"]
"""An interval lies wholly inside its bounds, wholly outside, or across one: not shown either way.
"""

# So that an interval that ends on a bound is inside, however both were rounded: bounds are kept to
# 12 digits, and 0.55 - 0.05 is a hair more than 0.5 in floats.
_EDGE = 1e-11


def lies_inside(rates: Interval, least: npt.ArrayLike, most: npt.ArrayLike) -> Flags:
    """``[...]`` whether whole intervals lie inside their bounds.

    Args:
        rates: ``[...]`` intervals.
        least: what is allowed, in the unit of `rates`; `-inf` where any less is welcome.
        most: likewise, with `inf`.
    """
    low = np.asarray(rates.low)
    high = np.asarray(rates.high)
    return np.asarray(
        (low >= np.subtract(least, _EDGE)) & (high <= np.add(most, _EDGE)), dtype=np.bool_
    )


def lies_outside(rates: Interval, least: npt.ArrayLike, most: npt.ArrayLike) -> Flags:
    """``[...]`` whether whole intervals lie outside their bounds, see `lies_inside`."""
    low = np.asarray(rates.low)
    high = np.asarray(rates.high)
    return np.asarray(
        (low > np.add(most, _EDGE)) | (high < np.subtract(least, _EDGE)), dtype=np.bool_
    )


def band_verdict(rate: Interval, least: float, most: float) -> BandVerdict:
    """Where the interval of one rate lies.

    Args:
        rate: estimate, low and high; the estimate decides nothing.
        least: what is allowed, in the same unit.
        most: likewise.
    """
    if lies_inside(rate, least, most):
        return "inside"
    return "outside" if lies_outside(rate, least, most) else "not shown"
