"""Ordered sums, and elementary functions without a library's rounding."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.statistics.arithmetic import exponential, log10, natural_log, weighted_sum


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_a_weighted_sum_is_rounded_term_after_term(n, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(3, 5, n))
    weights = rng.random(n)
    found = weighted_sum(values, weights)
    turned = weighted_sum(np.asfortranarray(values), weights)  # BLAS would add in another order
    plain = np.zeros((3, 5))
    for k, weight in enumerate(weights.tolist()):
        plain += weight * values[..., k]
    assert found.tolist() == turned.tolist() == plain.tolist()


@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=20))
def test_logarithms_are_right_to_a_few_units_of_the_last_bit(numbers):
    for found, number in zip(natural_log(np.array(numbers)).tolist(), numbers, strict=True):
        assert found == pytest.approx(math.log(number), rel=2e-15, abs=1e-16)


def test_logarithms_near_one_lose_no_digits():
    numbers = np.array([1.0, 1 + 2**-52, 1 - 2**-53, 1.001, 0.999])
    np.testing.assert_allclose(natural_log(numbers), np.log1p(numbers - 1), rtol=1e-15)


def test_exponentials_and_decimal_logarithms():
    for number in (-3.5, 0.0, 1e-9, 0.7, 20.0):
        assert exponential(number) == pytest.approx(math.exp(number), rel=1e-15)
    for whole in (1, 5, 10**15 + 1, 10**400):
        assert log10(whole) == pytest.approx(math.log10(whole), rel=1e-15)


def test_these_logarithms_are_the_same_to_the_last_bit_everywhere():
    found = [number.hex() for number in natural_log(np.array([0.3, 7.0, 1e4])).tolist()]
    assert found == ["-0x1.34378fcbda720p+0", "0x1.f2272ae325a56p+0", "0x1.26bb1bbb55515p+3"]
