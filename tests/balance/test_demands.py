"""Demands: distances, intervals and bounds against brute force, and refused demands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.contest.demands import Demands
from balance.statistics.intervals import Interval, cautious_rate
from tests.balance.coins import coin_counts
from tests.refusals import refusal_of

rates = st.floats(0, 1)
MIXED = Demands(
    ("most", "least", "both", "one's own field"),
    np.array([[1.0, 0, 0], [0, 0.5, 0.5], [0, 0, 1], [-0.25, 0.75, 0]]),
    low=np.array([-np.inf, 0.4, 0.45, 0.3]),
    high=np.array([0.55, np.inf, 0.6, 0.7]),
    band_pp=5.0,
)


@st.composite
def matchups(draw: st.DrawFn):
    """Draw estimates with intervals around them, and targets."""
    bounds = draw(st.lists(st.tuples(rates, rates, rates).map(sorted), min_size=1, max_size=4))
    low, estimate, high = np.array(bounds).T
    targets = np.array(draw(st.lists(rates, min_size=len(bounds), max_size=len(bounds))))
    return Interval(estimate, low, high), targets


@given(matchups())
def test_bounds_are_the_extremes_of_the_largest_distance(given_matchups):
    intervals, targets = given_matchups
    result = Demands.around(targets, 5).imbalance_pp(intervals)
    # A distance is extreme at an end of the interval, or at the target if that lies inside.
    ends = np.stack([intervals.low, np.clip(targets, intervals.low, intervals.high),
                     intervals.high])  # fmt: skip
    distances = 100 * np.abs(ends - targets)
    own = 100 * np.abs(intervals.estimate - targets).max()
    expected = own, distances.min(axis=0).max(), distances.max(axis=0).max()
    assert result == pytest.approx(expected, abs=1e-9)
    assert result.low - 1e-9 <= result.estimate <= result.high + 1e-9


def test_many_genomes_are_many_single_ones():
    low, estimate, high = np.sort(np.random.default_rng(1).random((3, 5, 4)), axis=0)
    demands = Demands.around([0.5] * 4, 5)
    intervals = Interval(estimate, low, high)
    together = demands.imbalance_pp(intervals)
    for k in range(5):
        assert together.at(k) == demands.imbalance_pp(intervals.at(k))


def test_rates_and_means_of_several_are_over_seeds():
    counts = coin_counts(np.zeros((3, 3)), 200)
    result = MIXED.read(counts, 0.9)
    by_seed = counts.rates_by_seed(0)
    own_field = 0.25 * (1 - by_seed[0]) + 0.75 * by_seed[1]
    demanded = np.stack([by_seed[0], (by_seed[1] + by_seed[2]) / 2, by_seed[2], own_field])
    np.testing.assert_allclose(MIXED.by_seed(counts)[0], demanded, rtol=1e-12)
    for bound, over_seeds in zip(result, cautious_rate(demanded, 0.9), strict=True):
        np.testing.assert_allclose(bound[0], over_seeds, rtol=1e-12)
    np.testing.assert_allclose(MIXED.of(counts.rates), result.estimate, rtol=1e-12)


def test_the_first_seat_is_a_rate_of_its_own():
    counts = coin_counts(np.zeros((3, 3)), 200)
    rows = np.eye(4)[[0, 3]]
    bounds = np.array([[0.4] * 2, [0.6] * 2])
    demands = Demands(("x", "first"), rows, *bounds, 5.0, with_first_seat=True)
    first = counts.first_seat_by_seed().mean(axis=1)
    np.testing.assert_array_equal(demands.rates(counts)[:, :3], counts.rates)
    np.testing.assert_allclose(demands.rates(counts)[:, 3], first.mean(axis=1), rtol=1e-12)
    result = demands.read(counts, 0.9)
    np.testing.assert_array_equal(result.low[:, 1], cautious_rate(first, 0.9).low)


def test_all_hold_where_no_rate_is_farther_from_its_aim_than_the_band():
    np.testing.assert_allclose(MIXED.aims, [[-np.inf, 0.45, 0.5, 0.35], [0.5, np.inf, 0.55, 0.65]])
    demanded = np.array([[0.5, 0.6, 0.52, 0.6], [0.58, 0.37, 0.56, 0.7]])
    np.testing.assert_allclose(MIXED.distance_pp(demanded), [[0, 0, 0, 0], [8, 8, 1, 5]], atol=1e-9)
    np.testing.assert_allclose(MIXED.spare_pp(demanded), [5, -3], atol=1e-9)
    holds = MIXED.hold(Interval(demanded, demanded, demanded))
    assert holds.tolist() == [[True] * 4, [False, False, True, True]]
    held = MIXED.hold(Interval(demanded, demanded - 0.01, demanded + 0.01))
    assert held.tolist() == [[True] * 4, [False, False, True, False]]


def test_room_is_less_where_an_error_is_smaller():
    np.testing.assert_allclose(MIXED.errors, [1, 0.5**0.5, 1, 0.625**0.5])
    inside_by_1_pp = [0.54, 0.9, 0.5, 0.5], [0.0, 0.4 + 0.5**0.5 / 100, 0.5, 0.5]
    np.testing.assert_allclose(MIXED.spare_pp(np.array(inside_by_1_pp), 1.0), 0, atol=1e-9)


def test_reports_list_every_matchup():
    listed = MIXED.with_matchups(["most", "b vs c", "both"])
    assert listed.names == ("most", "b vs c", "both", "least", "one's own field")
    np.testing.assert_array_equal(listed.bounds, [[0, 0, 0.45, 0.4, 0.3], [0.55, 1, 0.6, 1, 0.7]])
    rates = np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(listed.of(rates)[:3], rates)
    np.testing.assert_allclose(listed.of(rates)[3:], MIXED.of(rates)[[1, 3]])
    assert MIXED.with_matchups(["a", "b", "c"]).names == ("a", "b", "c", *MIXED.names)


@pytest.mark.parametrize(
    ("weights", "bounds", "limit"),
    [
        ([0.5, 0.4], (0.4, 0.6), 1),
        ([1.5, -0.5], (0.4, 0.6), 1),
        ([0.5, 0.5], (0.4, 0.45), 5.0),
    ],
)
def test_invalid_demands_are_refused_by_name(weights, bounds, limit: float):
    low, high = (np.array([bound]) for bound in bounds)
    error = refusal_of(Demands, ("x",), np.array([weights]), low, high, 5.0)
    assert (error.place, error.limit) == ("demand 'x'", limit)
