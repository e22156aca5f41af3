"""Fronts and hypervolumes: pymoo as oracle, closed forms, and the course of a known search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.indicators.hv import HV

from balance import Interval, SearchState, run_search
from balance.run.front import dominated_area, first_seen, hypervolume_course, on_front
from balance.search.selection import Selection, candidates, select
from balance.settings.tables import Games, Guards, Search
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
def search_run() -> tuple[list[SearchState], Selection]:
    """Return all states of a search, and its best genomes played again."""
    evaluator = evaluator_of(THREE, space_of(THREE, fields=["attack"]), guards=Guards())
    states: list[SearchState] = []
    search = Search(method="nsga2", population=8, generations=4)
    run_search(evaluator, search, n_games=20, on_generation=states.append)
    games = Games(search=20, select=40, certify=40)
    chosen = candidates(states[-1], evaluator.space, evaluator.demands, n_search_games=20)
    return states, select(evaluator, states[-1], chosen, games)


def test_genomes_are_seen_first_in_the_first_state_that_knows_them(search_run):
    states, selection = search_run
    for genome, born in zip(
        selection.genomes, first_seen(states[-1], selection.genomes), strict=True
    ):
        knows = [(state.seen == genome).all(axis=1).any() for state in states]
        assert knows.index(True) == born


def course_of(
    search_run, imbalance: Interval | np.ndarray | float, today_pp=20.0, **scores
) -> Interval:
    """Return the course for a selection with given imbalance and given other scores."""
    states, selection = search_run
    n = len(selection.genomes)
    if not isinstance(imbalance, Interval):
        imbalance = Interval(*[np.broadcast_to(imbalance, n)] * 3)
    changes = {name: np.full(n, value) for name, value in {"violation": 0.0, **scores}.items()}
    selection = replace(selection, scores=replace(selection.scores, **changes))
    return hypervolume_course(states[-1], selection, imbalance, today_pp=today_pp)


def test_the_course_is_that_of_the_genomes_seen_so_far(search_run):
    states, selection = search_run
    imbalance = np.random.default_rng(1).uniform(0, 30, len(selection.genomes))
    course = course_of(search_run, imbalance)
    corner = (selection.scores.size.max() + 1, 20.0)
    for generation, state in enumerate(states):
        known = [(state.seen == genome).all(axis=1).any() for genome in selection.genomes]
        size = selection.scores.size[known]
        expected = dominated_area(size, imbalance[known], corner) / (corner[0] * corner[1])
        assert course.estimate[generation] == pytest.approx(expected)
    assert course.estimate[-1] > course.estimate[0] > 0
    assert (np.diff(course.estimate) >= 0).all()


def test_bounds_hold_the_estimate(search_run):
    imbalance = search_run[1].scores.imbalance_pp
    bounds = Interval(imbalance, np.maximum(imbalance - 2, 0), imbalance + 2)
    course = course_of(search_run, bounds, today_pp=15.0)
    assert (np.diff([course.low, course.estimate, course.high], axis=0) >= 0).all()
    assert 0 <= course.low.min() < course.high.max() <= 1


def test_genomes_that_break_a_guard_conquer_nothing(search_run):
    assert not course_of(search_run, 0.0, violation=1.0).estimate.any()


def test_without_imbalance_or_change_there_is_no_plane(search_run):
    assert course_of(search_run, 0.0, today_pp=0.0).estimate.tolist() == [0.0] * len(search_run[0])


def test_the_largest_patch_counts_too(search_run):
    assert course_of(search_run, 5.0, size=3.0).estimate[-1] == pytest.approx(1 / 4 * 15 / 20)


@pytest.mark.parametrize("n_coordinates", [1, 2, 3])
@given(st.data())
def test_a_point_is_on_the_front_if_no_other_dominates_it(n_coordinates, data):
    point = st.tuples(*[st.integers(0, 5)] * n_coordinates)
    drawn = data.draw(st.lists(point, min_size=1, max_size=12))
    expected = [
        not any(q != p and all(b <= a for a, b in zip(p, q, strict=True)) for q in drawn)
        for p in drawn
    ]
    assert on_front(*np.array(drawn, dtype=float).T).tolist() == expected
