"""Arithmetic that comes out alike on every processor, to the last bit.

A single sum, product, quotient or square root is rounded in one way only (IEEE 754). A product of
matrices is not: BLAS adds up in an order that it chooses by the processor. Nor are logarithms and
powers, which numpy computes in other steps where there are wider registers. So what is compared,
ranked or told is reckoned here, in steps whose order is fixed.
"""

from __future__ import annotations

from decimal import Context

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_DIGITS = Context(prec=30)
_LN_2 = 0.6931471805599453
_N_TERMS = 12
_NEAREST = 0.02  # as far from 0 or 1 rates count at least: odds of a won matchup have no end


def weighted_sum(values: npt.NDArray[np.generic], weights: Floats) -> Floats:
    """``[..., N]`` values times ``[N]`` weights, added up from the first to the last: ``[...]``."""
    total = np.zeros(values.shape[:-1])
    for k, weight in enumerate(weights.tolist()):
        total += weight * values[..., k]
    return total


def ordered_sum(values: Floats, axis: int = -1) -> Floats:
    """Sums along an axis, added up from the first to the last."""
    empty = not values.shape[axis]
    return np.asarray(values.sum(axis) if empty else np.take(values.cumsum(axis), -1, axis))


def mean_of(values: Floats) -> float:
    """The mean, added up from the first to the last."""
    return float(ordered_sum(values)) / len(values)


def hypotenuse(one: Floats, other: Floats) -> Floats:
    """The root of the sum of two squares, which libraries round as they like."""
    return np.sqrt(one * one + other * other)


def natural_log(numbers: Floats) -> Floats:
    """Logarithms of positive numbers, to a few units of the last bit.

    Of a number ``m 2^e`` with m near 1 it is ``e log 2 + 2 artanh((m - 1) / (m + 1))``, by the
    power series, whose argument is at most 0.172 in size.
    """
    fraction, exponent = np.frexp(numbers)
    is_small = fraction < np.sqrt(0.5)
    fraction = np.where(is_small, 2 * fraction, fraction)
    ratio = (fraction - 1) / (fraction + 1)
    square = ratio * ratio
    series = np.zeros_like(ratio)
    for k in reversed(range(_N_TERMS)):
        series = series * square + 1 / (2 * k + 1)
    return np.asarray((exponent - is_small) * _LN_2 + 2 * ratio * series)


def exponential(number: float) -> float:
    """``e`` to a power, correctly rounded."""
    return float(_DIGITS.exp(_DIGITS.create_decimal_from_float(number)))


def exponentials(powers: Floats) -> Floats:
    """``e`` to powers between -700 and 700, to a few units of the last bit.

    Of a power ``n log 2 + r``, r at most half of log 2 in size: ``2^n`` times the series of r.
    """
    whole = np.rint(np.clip(powers, -700.0, 700.0) / _LN_2)
    rest = np.clip(powers, -700.0, 700.0) - whole * _LN_2
    series = np.ones_like(rest)
    for k in range(_N_TERMS, 0, -1):
        series = 1 + series * rest / k
    return np.ldexp(series, whole.astype(np.int64))


def inside(rates: Floats) -> Floats:
    """Rates, none of them too near to 0 or 1."""
    return np.clip(rates, _NEAREST, 1 - _NEAREST)


def logit(rates: Floats) -> Floats:
    """Logarithms of odds."""
    return natural_log(inside(rates) / (1 - inside(rates)))


def rate(logits: Floats) -> Floats:
    """Rates that have these log-odds."""
    return np.asarray(1 / (1 + exponentials(-logits)))


def steepness(rates: Floats) -> Floats:
    """How far rates move for a small change of log-odds; a game's variance too: p (1 - p)."""
    return inside(rates) * (1 - inside(rates))


def normal_share(scores: Floats) -> Floats:
    """Share of a standard normal distribution below each score, to 1e-7.

    Reference: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions" (1964), 26.2.17.
    """
    size = np.abs(scores)
    t = 1 / (1 + 0.2316419 * size)
    series = np.zeros_like(t)
    for factor in (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530):
        series = (series + factor) * t
    tail = 0.3989422804014327 * exponentials(-size * size / 2) * series
    return np.where(scores < 0, tail, 1 - tail)


def log10(number: int) -> float:
    """The decimal logarithm of a positive whole number of any size, correctly rounded."""
    return float(_DIGITS.log10(number))
