"""The interval of an imbalance against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.imbalance import imbalance_interval_pp
from balance.statistics.intervals import Interval

rates = st.floats(0, 1)


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
    found = imbalance_interval_pp(intervals, targets)
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
    targets = np.full(4, 0.5)
    together = imbalance_interval_pp(Interval(estimate, low, high), targets)
    for k in range(5):
        alone = imbalance_interval_pp(Interval(estimate[k], low[k], high[k]), targets)
        assert [float(bound[k]) for bound in together] == [float(bound) for bound in alone]
