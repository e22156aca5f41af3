"""Fronts of two objectives; areas are tested with the hypervolume."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from balance.statistics.pareto import on_front

points = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12)


@given(points)
def test_a_point_is_on_the_front_if_nobody_is_better(pairs):
    x, y = np.array(pairs, dtype=float).T
    expected = [not any((p, q) != (a, b) and p <= a and q <= b for p, q in pairs) for a, b in pairs]
    assert on_front(x, y).tolist() == expected


def test_what_beats_all_with_less_change_is_on_the_front():
    change = np.array([3, 0, 1, 1, 2, 4], dtype=float)
    imbalance = np.array([2, 9, 5, 4, 4, 1], dtype=float)
    assert on_front(change, imbalance).tolist() == [True, True, False, True, False, True]
