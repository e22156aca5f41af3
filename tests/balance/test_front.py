"""The front: oracles, closed forms, and the course of a search that is known in full."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.indicators.hv import HV

from balance.front import dominated_area, first_seen, hypervolume_course, on_front
from balance.search import SearchState, run_search
from balance.selection import Selection, candidates, select
from balance.settings import Games, Guards, Search
from balance.statistics.intervals import Interval
from tests.balance.contests import THREE, evaluator_of, space_of

CORNER = (10.0, 20.0)
numbers = st.floats(0, 25, allow_subnormal=False)
points = st.lists(st.tuples(numbers, numbers), max_size=12)


def area(pairs: list[tuple[float, float]]) -> float:
    x, y = np.array(pairs, dtype=float).reshape(-1, 2).T
    return dominated_area(x, y, CORNER)


@given(points)
def test_areas_are_those_of_pymoo(pairs):
    inside = [pair for pair in pairs if pair[0] < CORNER[0] and pair[1] < CORNER[1]]
    expected = HV(ref_point=np.array(CORNER))(np.array(inside)) if inside else 0.0
    assert area(pairs) == pytest.approx(expected, abs=1e-9)


@given(points, points)
def test_more_points_never_dominate_less(some, more):
    assert area(some + more) >= area(some)  # not even by a rounding
    assert area(some + more) <= area(some) + area(more) + 1e-9


@pytest.fixture(scope="module")
def found() -> tuple[list[SearchState], Selection]:
    """All states of a search, and its best genomes played again."""
    evaluator = evaluator_of(THREE, space_of(THREE, fields=["attack"]), guards=Guards())
    states: list[SearchState] = []
    search = Search(method="nsga2", population=8, generations=4)
    run_search(evaluator, search, n_games=20, on_generation=states.append)
    games = Games(search=20, select=40, certify=40)
    chosen = candidates(states[-1], evaluator.space, evaluator.demands, n_search_games=20)
    selection = select(evaluator, states[-1], chosen, games)
    return states, selection


def exact(values: np.ndarray) -> Interval:
    return Interval(values, values, values)


def test_genomes_are_seen_first_in_the_first_state_that_knows_them(found):
    states, selection = found
    for genome, born in zip(
        selection.genomes, first_seen(states[-1], selection.genomes), strict=True
    ):
        knows = [(state.seen == genome).all(axis=1).any() for state in states]
        assert knows.index(True) == born


def test_the_course_is_that_of_the_genomes_seen_so_far(found):
    states, selection = found
    selection = replace(
        selection, scores=replace(selection.scores, violation=np.zeros(len(selection.genomes)))
    )
    imbalance = np.random.default_rng(1).uniform(0, 30, len(selection.genomes))
    course = hypervolume_course(states[-1], selection, exact(imbalance), today_pp=20.0)
    corner = (selection.scores.change.max() + 1, 20.0)
    for generation, state in enumerate(states):
        known = [(state.seen == genome).all(axis=1).any() for genome in selection.genomes]
        change = selection.scores.change[known]
        expected = dominated_area(change, imbalance[known], corner) / (corner[0] * corner[1])
        assert course.estimate[generation] == pytest.approx(expected)
    assert course.estimate[-1] > course.estimate[0] > 0
    assert (np.diff(course.estimate) >= 0).all()


def test_bounds_hold_the_estimate(found):
    states, selection = found
    imbalance = selection.scores.imbalance_pp
    bounds = Interval(imbalance, np.maximum(imbalance - 2, 0), imbalance + 2)
    course = hypervolume_course(states[-1], selection, bounds, today_pp=15.0)
    assert (course.low <= course.estimate).all()
    assert (course.estimate <= course.high).all()
    assert 0 <= course.low.min() <= course.high.max() <= 1


def test_genomes_that_break_a_guard_conquer_nothing(found):
    states, selection = found
    broken = replace(selection.scores, violation=np.ones(len(selection.genomes)))
    imbalance = exact(np.zeros(len(selection.genomes)))
    course = hypervolume_course(
        states[-1], replace(selection, scores=broken), imbalance, today_pp=20.0
    )
    assert not course.estimate.any()


def test_where_nothing_is_to_be_mended_there_is_no_plane(found):
    states, selection = found
    nothing = exact(np.zeros(len(selection.genomes)))
    course = hypervolume_course(states[-1], selection, nothing, today_pp=0.0)
    assert course.estimate.tolist() == [0.0] * len(states)


def test_the_largest_patch_counts_too(found):
    states, selection = found
    n = len(selection.genomes)
    alike = replace(selection.scores, change=np.full(n, 3.0), violation=np.zeros(n))
    course = hypervolume_course(
        states[-1], replace(selection, scores=alike), exact(np.full(n, 5.0)), today_pp=20.0
    )
    assert course.estimate[-1] == pytest.approx(1 / 4 * 15 / 20)


few_points = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12)


@given(few_points)
def test_a_point_is_on_the_front_if_nobody_is_better(pairs):
    x, y = np.array(pairs, dtype=float).T
    expected = [not any((p, q) != (a, b) and p <= a and q <= b for p, q in pairs) for a, b in pairs]
    assert on_front(x, y).tolist() == expected
