"""Features: conversion from and to genomes, single steps, and pairs counted one by one."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from balance.search.model.features import Features, pairs_of, pairs_shared
from tests.balance.contests import free_space

SPACE = free_space([-2, 0, -1, -3], [2, 1, 0, 3])
FEATURES = Features.of(SPACE)
genomes = st.lists(
    st.tuples(*(st.integers(low, high) for low, high in zip(SPACE.low, SPACE.high, strict=True))),
    min_size=1,
    max_size=4,
).map(lambda rows: np.array(rows, np.int16))


@given(genomes)
def test_genomes_come_back(rows: np.ndarray) -> None:
    read = FEATURES.read(rows)
    assert np.abs(read).sum(axis=1).tolist() == np.abs(rows).sum(axis=1).tolist()
    assert (read >= 0).all()
    np.testing.assert_array_equal(FEATURES.genomes(read), rows)


def test_a_number_that_cannot_move_has_no_feature() -> None:
    assert FEATURES.most.tolist() == [2, 2, 1, 1, 3, 3]
    assert FEATURES.opposite.tolist() == [1, 0, 2, 3, 5, 4]


@given(genomes)
def test_single_steps_stay_inside_and_are_all_there_are(rows: np.ndarray) -> None:
    centre = rows[0]
    moved, feature = FEATURES.single_steps(centre)
    assert ((SPACE.low <= moved) & (moved <= SPACE.high)).all()
    assert (np.abs(moved - centre).sum(axis=1) == 1).all()
    assert len(np.unique(moved, axis=0)) == len(moved)
    up = (SPACE.high > 0) & (centre < SPACE.high)
    down = (SPACE.low < 0) & (centre > SPACE.low)
    assert len(moved) == up.sum() + down.sum()
    own = (moved - centre)[np.arange(len(moved)), FEATURES.gene[feature]]
    assert own.tolist() == FEATURES.direction[feature].tolist()


def pairs_by_hand(one: np.ndarray, other: np.ndarray) -> float:
    """Return the pairs of steps of different features, and of two steps of one feature."""
    apart = sum(one[i] * one[j] * other[i] * other[j] for i, j in combinations(range(len(one)), 2))
    twice = sum(a * (a - 1) / 2 * b * (b - 1) / 2 for a, b in zip(one, other, strict=True))
    return float(apart + twice)


@given(genomes, genomes)
def test_pairs_are_those_that_are_counted(some: np.ndarray, others: np.ndarray) -> None:
    one = FEATURES.read(some)
    other = FEATURES.read(others)
    expected = [[pairs_by_hand(a, b) for b in other] for a in one]
    np.testing.assert_array_equal(pairs_shared(one, other), expected)
    np.testing.assert_array_equal(pairs_of(one), [pairs_by_hand(a, a) for a in one])
