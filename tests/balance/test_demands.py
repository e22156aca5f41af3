"""Demands: distances, intervals and bounds against brute force, and what is no demand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.demands import Demands
from balance.statistics.intervals import Interval, cautious_rate
from tests.balance.coins import coin_counts

rates = st.floats(0, 1)
ONE_SIDED = Demands(
    ("most", "least", "both"),
    np.array([[1.0, 0, 0], [0, 0.5, 0.5], [0, 0, 1]]),
    target=np.array([0.55, 0.4, 0.5]),
    low=np.array([-np.inf, 0.4, 0.45]),
    high=np.array([0.55, np.inf, 0.6]),
)


@st.composite
def matchups(draw: st.DrawFn):
    """Estimates inside their bounds, and targets."""
    bounds = draw(st.lists(st.tuples(rates, rates, rates).map(sorted), min_size=1, max_size=4))
    low, estimate, high = np.array(bounds).T
    targets = np.array(draw(st.lists(rates, min_size=len(bounds), max_size=len(bounds))))
    return Interval(estimate, low, high), targets


@given(matchups())
def test_bounds_are_the_extremes_of_the_largest_distance(given_matchups):
    intervals, targets = given_matchups
    found = Demands.around(targets, 5).imbalance_pp(intervals)
    # A distance is extreme at an end of the interval, or at the target if that lies inside.
    ends = np.stack([intervals.low, np.clip(targets, intervals.low, intervals.high),
                     intervals.high])  # fmt: skip
    distances = 100 * np.abs(ends - targets)
    assert found.low == pytest.approx(distances.min(axis=0).max(), abs=1e-9)
    assert found.high == pytest.approx(distances.max(axis=0).max(), abs=1e-9)
    assert found.estimate == pytest.approx(100 * np.abs(intervals.estimate - targets).max())
    assert found.low - 1e-9 <= found.estimate <= found.high + 1e-9


def test_many_genomes_are_many_single_ones():
    low, estimate, high = np.sort(np.random.default_rng(1).random((3, 5, 4)), axis=0)
    demands = Demands.around([0.5] * 4, 5)
    together = demands.imbalance_pp(Interval(estimate, low, high))
    for k in range(5):
        alone = demands.imbalance_pp(Interval(estimate[k], low[k], high[k]))
        assert [float(bound[k]) for bound in together] == [float(bound) for bound in alone]


def test_rates_and_means_of_several_are_over_seeds():
    counts = coin_counts(np.zeros((3, 3)), 200)
    found, by_seed = ONE_SIDED.read(counts, 0.9), counts.rates_by_seed(0)
    demanded = np.stack([by_seed[0], (by_seed[1] + by_seed[2]) / 2, by_seed[2]])
    for bound, over_seeds in zip(found, cautious_rate(demanded, 0.9), strict=True):
        np.testing.assert_array_equal(bound[0], over_seeds)
    np.testing.assert_allclose(ONE_SIDED.of(counts.rates), found.estimate, rtol=1e-12)


def test_where_a_side_is_open_only_the_excess_counts():
    demanded = np.array([[0.5, 0.6, 0.5], [0.58, 0.37, 0.56]])
    np.testing.assert_allclose(ONE_SIDED.distance_pp(demanded), [[0, 0, 0], [3, 3, 6]], atol=1e-9)
    np.testing.assert_allclose(ONE_SIDED.spare_pp(demanded), [5, -3], atol=1e-9)
    assert ONE_SIDED.widest_pp == pytest.approx(10)
    assert (
        Demands.around([0.5, 0.3], 5.0).widest_pp == 5.0
    )  # not a hair more: rates lie on the edge
    held = ONE_SIDED.hold(Interval(demanded, demanded - 0.01, demanded + 0.01))
    assert held.tolist() == [[True] * 3, [False, False, True]]


@pytest.mark.parametrize(
    ("weights", "bounds", "message"),
    [
        ([0.5, 0.4], (0.5, 0.4, 0.6), "'x': weights must be shares that add up to 1"),
        ([1.5, -0.5], (0.5, 0.4, 0.6), "'x': weights must be shares"),
        ([0.5, 0.5], (0.7, 0.4, 0.6), r"'x': target 0.7 must lie in 0.4 to 0.6"),
        ([0.5, 0.5], (0.5, -np.inf, 0.6), "on the bound where the other side is open"),
    ],
)
def test_what_is_no_demand_is_refused_by_name(weights, bounds, message: str):
    with pytest.raises(ValueError, match=message):
        Demands(("x",), np.array([weights]), *(np.array([bound]) for bound in bounds))
