"""Comparison of intervals with their bounds.

Verdicts, tables and pictures all call these functions, so that they cannot disagree.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from balance.statistics.intervals import Flags, Interval

BandVerdict = Literal["inside", "outside", "not shown"]
"""Position of an interval: wholly inside its bounds, wholly outside, or across a bound (`not
shown`).
"""

# Tolerance in the unit of the rates, so that an interval that ends exactly on a bound counts as
# inside. Floats have rounding errors: 0.55 - 0.05 exceeds 0.5. Bounds are rounded to 12 digits.
_EDGE = 1e-11


def lies_inside(rates: Interval, least: npt.ArrayLike, most: npt.ArrayLike) -> Flags:
    """Return whether each interval lies wholly inside its bounds, shape ``[...]``.

    An end that exceeds a bound by no more than a rounding error counts as inside.

    Args:
        rates: intervals, shape ``[...]``.
        least: lower bounds in the unit of `rates`; `-inf` for a rate without a lower bound.
        most: upper bounds in the unit of `rates`; `inf` for a rate without an upper bound.
    """
    low = np.asarray(rates.low)
    high = np.asarray(rates.high)
    return np.asarray(
        (low >= np.subtract(least, _EDGE)) & (high <= np.add(most, _EDGE)), dtype=np.bool_
    )


def lies_outside(rates: Interval, least: npt.ArrayLike, most: npt.ArrayLike) -> Flags:
    """Return whether each interval lies wholly above or below its bounds, shape ``[...]``.

    Args:
        rates: intervals, shape ``[...]``.
        least: lower bounds in the unit of `rates`; `-inf` for a rate without a lower bound.
        most: upper bounds in the unit of `rates`; `inf` for a rate without an upper bound.
    """
    low = np.asarray(rates.low)
    high = np.asarray(rates.high)
    return np.asarray(
        (low > np.add(most, _EDGE)) | (high < np.subtract(least, _EDGE)), dtype=np.bool_
    )


def band_verdict(rate: Interval, least: float, most: float) -> BandVerdict:
    """Return the position of one rate's interval relative to its bounds.

    Args:
        rate: estimate and interval; the estimate is ignored.
        least: lower bound in the unit of `rate`; `-inf` if the rate has no lower bound.
        most: upper bound in the unit of `rate`; `inf` if the rate has no upper bound.
    """
    if lies_inside(rate, least, most):
        return "inside"
    return "outside" if lies_outside(rate, least, most) else "not shown"
