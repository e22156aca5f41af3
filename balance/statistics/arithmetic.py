"""Arithmetic with the same result on every processor, to the last bit.

A single sum, product, quotient or square root is rounded in one way only (IEEE 754). Products of
matrices are not: BLAS adds in an order that depends on the processor. Logarithms and powers differ
too, because numpy computes them by different steps on wider registers. Values that are compared,
ranked or reported are therefore computed by this module, in a fixed order of steps.
"""

from __future__ import annotations

from decimal import Context

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_DIGITS = Context(prec=30)  # 30 decimal digits round correctly to the 16 of a float
_LN_2 = 0.6931471805599453  # a literal, since libraries round logarithms differently
# Number of terms of the power series of both functions: further terms are below the last bit of the
# sum.
_N_TERMS = 12
# Minimum distance of a rate from 0 and 1 if its log-odds are used, which would be infinite there.
# It limits log-odds to 3.9 in size. Chosen by hand.
_NEAREST = 0.02


def weighted_sum(values: npt.NDArray[np.generic], weights: Floats) -> Floats:
    """Return the weighted sum over the last axis, added from first to last, shape [...].

    Args:
        values: values to sum, shape [..., N].
        weights: weight of each value of the last axis, shape [N].
    """
    total = np.zeros(values.shape[:-1])
    for k, weight in enumerate(weights.tolist()):
        total += weight * values[..., k]
    return total


def ordered_sum(values: Floats, axis: int = -1) -> Floats:
    """Return sums along an axis, added from first to last; 0 if the axis is empty.

    Args:
        values: values of any shape.
        axis: axis to sum over.
    """
    empty = not values.shape[axis]
    return np.asarray(values.sum(axis) if empty else np.take(values.cumsum(axis), -1, axis))


def mean_of(values: Floats) -> float:
    """Return the mean of a vector with at least one value, added from first to last."""
    return float(ordered_sum(values)) / len(values)


def hypotenuse(x: Floats, y: Floats) -> Floats:
    """Return sqrt(x^2 + y^2), computed by operations that all processors round equally."""
    return np.sqrt(x * x + y * y)


def natural_log(numbers: Floats) -> Floats:
    """Return the logarithms of positive numbers, with errors of a few units of the last bit.

    A number is written as m 2^e with m between sqrt(1/2) and sqrt(2). Its logarithm is e log 2 + 2
    artanh((m - 1) / (m + 1)), by the power series of artanh with an argument below 0.172 in size.
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
    """Return ``e`` to the power of a number, correctly rounded."""
    return float(_DIGITS.exp(_DIGITS.create_decimal_from_float(number)))


def exponentials(powers: Floats) -> Floats:
    """Return ``e`` to the given powers, with errors of a few units of the last bit.

    A power is written as n log 2 + r with r at most half of log 2 in size. The result is 2^n times
    the power series of r. Powers are limited to the range from -700 to 700.
    """
    whole = np.rint(np.clip(powers, -700.0, 700.0) / _LN_2)
    rest = np.clip(powers, -700.0, 700.0) - whole * _LN_2
    series = np.ones_like(rest)
    for k in range(_N_TERMS, 0, -1):
        series = 1 + series * rest / k
    return np.ldexp(series, whole.astype(np.int64))


def powers_of_two(exponents: Floats) -> Floats:
    """Return 2 to the power of each exponent, with about 15 correct digits."""
    return exponentials(_LN_2 * exponents)


def inside(rates: Floats) -> Floats:
    """Return rates limited to the range from 0.02 to 0.98, in which log-odds are moderate."""
    return np.clip(rates, _NEAREST, 1 - _NEAREST)


def logit(rates: Floats) -> Floats:
    """Return the log-odds of rates, log(p / (1 - p)), with rates limited by `inside`."""
    return natural_log(inside(rates) / (1 - inside(rates)))


def rate(logits: Floats) -> Floats:
    """Return the rates of log-odds, 1 / (1 + exp(-x))."""
    return np.asarray(1 / (1 + exponentials(-logits)))


def steepness(rates: Floats) -> Floats:
    """Return p (1 - p) of rates, limited by `inside`.

    It is the derivative of a rate with respect to its log-odds, and the variance of one game.
    """
    return inside(rates) * (1 - inside(rates))


def normal_share(scores: Floats) -> Floats:
    """Return the share of a standard normal distribution below each score, with errors below 1e-7.

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
    """Return the decimal logarithm of a positive whole number of any size, correctly rounded."""
    return float(_DIGITS.log10(number))
