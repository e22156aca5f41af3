"""Rank correlations are scipy's, with an interval that covers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from balance.statistics.ranks import rank_correlation

values = st.lists(st.integers(-5, 5), min_size=4, max_size=12).filter(lambda v: len(set(v)) > 1)


@given(values, st.data())
def test_the_correlation_is_that_of_scipy_ties_included(x, data):
    other = st.lists(st.integers(-5, 5), min_size=len(x), max_size=len(x))
    y = data.draw(other.filter(lambda v: len(set(v)) > 1))
    agreement = rank_correlation(np.array(x, float), np.array(y, float))
    assert agreement.estimate == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert -1 <= agreement.low <= agreement.estimate + 1e-9
    assert agreement.estimate - 1e-9 <= agreement.high <= 1


@pytest.mark.parametrize(("x", "y"), [([1, 2, 3], [1, 2, 3]), ([1, 1, 1, 1], [1, 2, 3, 4])])
def test_three_things_or_a_measure_without_order_say_nothing(x, y):
    assert rank_correlation(np.array(x, float), np.array(y, float)) is None


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(3)
    rho = 0.6
    truth = 6 / np.pi * np.arcsin(rho / 2)  # Spearman's for two normal variables
    draws = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=(1000, 15))
    covered = [
        found.low <= truth <= found.high for found in (rank_correlation(*one.T) for one in draws)
    ]
    assert 0.92 < np.mean(covered) < 0.98
