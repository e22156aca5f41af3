"""Genomes stay within bounds, and sparse search stays near the baseline."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.search.crossover import crossover
from balance.search.evolution import (
    FIRST_EDITS,
    UNDO_RATE,
    first_population,
    mutate,
    repaired,
)
from balance.settings.breeding import CROSSOVER_RATE, MUTATIONS_PER_CHILD
from balance.space.search_space import SearchSpace, Sums
from tests.balance.contests import free_space

bounds = st.tuples(st.integers(-4, 0), st.integers(0, 4)).filter(lambda ends: ends[0] < ends[1])
spaces = st.lists(bounds, min_size=1, max_size=8).map(
    lambda ends: free_space(*zip(*ends, strict=True))
)
styles = st.sampled_from(["sparse", "dense"])
seeds = st.integers(0, 2**32)
WIDE = free_space([-2] * 10, [2] * 10)


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def assert_within(genomes: np.ndarray, space: SearchSpace) -> None:
    assert genomes.dtype == np.int16
    assert (space.low <= genomes).all()
    assert (genomes <= space.high).all()


@given(spaces, styles, st.integers(1, 20), seeds)
def test_everything_stays_within_bounds(space: SearchSpace, style: str, n: int, seed: int) -> None:
    rng = rng_of(seed)
    genomes = first_population(space, style, 2 * n, rng)
    assert genomes.shape == (2 * n, len(space.genes))
    assert_within(genomes, space)
    before = genomes.copy()
    assert_within(mutate(genomes, space, style, rng), space)
    children = crossover(genomes, rng)
    assert children.shape == (n, len(space.genes))
    assert_within(children, space)
    np.testing.assert_array_equal(genomes, before)


@given(spaces, st.integers(1, 20), seeds)
def test_a_sparse_start_is_todays_cards_and_a_few_single_steps(
    space: SearchSpace, n: int, seed: int
) -> None:
    genomes = first_population(space, "sparse", n, rng_of(seed))
    n_edits = (genomes != 0).sum(axis=1)
    assert n_edits[0] == 0
    assert (n_edits[1:] >= 1).all()
    assert (n_edits <= FIRST_EDITS).all()
    assert (np.abs(genomes) <= 1).all()


@pytest.mark.parametrize(
    ("style", "steps", "share"),
    [
        ("sparse", (-1, 1), 0.1),  # 2 edits of 10 numbers on average, either way
        ("dense", range(-2, 3), 0.2),
    ],
)
def test_a_start_takes_all_steps_of_all_numbers_alike(style: str, steps, share: float) -> None:
    genomes = first_population(WIDE, style, 4000, rng_of(1))
    for step in steps:
        np.testing.assert_allclose((genomes == step).mean(axis=0), share, atol=0.03)


@given(spaces, st.integers(1, 10), seeds)
def test_crossover_takes_each_number_from_one_of_the_two_parents(
    space: SearchSpace, n: int, seed: int
) -> None:
    parents = first_population(space, "dense", 2 * n, rng_of(seed))
    children = crossover(parents, rng_of(seed + 1))
    assert ((children == parents[0::2]) | (children == parents[1::2])).all()


def test_crossover_mixes_evenly_when_it_happens() -> None:
    parents = np.tile(np.array([[1], [2]], np.int16), (4000, 40))
    from_second = (crossover(parents, rng_of(1)) == 2).mean(axis=1)
    is_copy = from_second == 0
    assert is_copy.mean() == pytest.approx(1 - CROSSOVER_RATE, abs=0.02)
    assert from_second[~is_copy].mean() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("style", ["sparse", "dense"])
def test_a_mutation_hits_the_expected_number_of_numbers(style: str) -> None:
    space = free_space([-400] * 30, [400] * 30)
    genomes = np.full((4000, 30), 100, np.int16)
    hits = (mutate(genomes, space, style, rng_of(1)) != 100).sum(axis=1)
    assert hits.mean() == pytest.approx(MUTATIONS_PER_CHILD, abs=0.06)


@given(spaces, seeds)
def test_a_sparse_mutation_is_one_step_or_none_at_all(space: SearchSpace, seed: int) -> None:
    genomes = first_population(space, "dense", 20, rng_of(seed))
    mutants = mutate(genomes, space, "sparse", rng_of(seed + 1))
    moved = mutants != genomes
    is_step = np.abs(mutants - genomes) == 1
    assert (is_step | (mutants == 0))[moved].all()


def test_a_sparse_mutation_undoes_edits() -> None:
    genomes = np.full((20_000, 10), 2, np.int16)
    mutants = mutate(genomes, WIDE, "sparse", rng_of(1))
    moved = mutants[mutants != 2]
    assert (moved == 0).mean() == pytest.approx(UNDO_RATE, abs=0.02)
    assert set(moved.tolist()) == {0, 1}


@given(spaces, seeds)
def test_repair_restores_sums_before_it_removes_edits(space: SearchSpace, seed: int) -> None:
    space = replace(space, sums=Sums(np.ones((1, len(space.genes))), np.zeros(1), np.zeros(1)))
    genomes = first_population(space, "dense", 20, rng_of(seed))
    before = genomes.copy()
    result = repaired(genomes, space, rng_of(seed))
    np.testing.assert_array_equal(genomes, before)
    assert_within(result, space)
    assert not result.sum(axis=1).any()
    np.testing.assert_array_equal(abs(result - genomes).sum(axis=1), abs(genomes.sum(axis=1)))


def test_steps_that_restore_sums_respect_other_limits() -> None:
    space = replace(WIDE, sums=Sums(np.ones((1, 10)), np.zeros(1), np.zeros(1)), most_cards=2)
    genomes = np.zeros((30, 10), np.int16)
    genomes[:, :2] = 1
    result = repaired(genomes, space, rng_of(1))
    assert space.allows(result).all()
    assert result.any(axis=1).mean() > 0.5
