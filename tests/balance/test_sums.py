"""Sums: what is off, how far at least from being mended, and what is on the way."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from balance.search_space import Sums

K = 4
halves = st.integers(-4, 4).map(lambda n: n / 2)
rows = st.lists(st.lists(halves, min_size=K, max_size=K).filter(any), min_size=1, max_size=2)
bounds = st.integers(0, 6).map(lambda n: n / 2)
genomes = st.lists(st.integers(-3, 3), min_size=K, max_size=K)


@st.composite
def sums(draw: st.DrawFn) -> Sums:
    """One or two sums, in halves, which floats hold exactly."""
    weights = np.array(draw(rows))
    low, high = ([draw(bounds) for _ in weights] for _ in range(2))
    return Sums(weights, -np.array(low), np.array(high))


def one(genome: list[int]) -> np.ndarray:
    return np.array([genome], np.int16)


@given(sums(), genomes)
def test_what_is_off_is_off_by_the_plain_sum(some: Sums, genome: list[int]) -> None:
    for total, off, low, high in zip(
        some.weights @ genome, some.off(one(genome))[0], some.low, some.high, strict=True
    ):
        assert off == max(total - high, 0) + min(total - low, 0)
    assert (some.breaches(one(genome))[0] == 0) == (not some.off(one(genome)).any())


@given(sums(), genomes, st.integers(0, K - 1), st.sampled_from([-1, 1]))
def test_a_step_mends_no_more_than_it_may(some: Sums, genome: list[int], k: int, step: int) -> None:
    before = some.breaches(one(genome))[0]
    genome[k] += step
    assert before - some.breaches(one(genome))[0] <= len(some.weights)


@given(sums(), genomes)
def test_there_is_a_way_to_every_genome_that_keeps_a_sum(some: Sums, genome: list[int]) -> None:
    some = Sums(some.weights[:1], some.low[:1], some.high[:1])
    assume(some.breaches(one(genome))[0] == 0)
    ends = [range(min(n, 0), max(n, 0) + 1) for n in genome]
    on_the_way = {at for at in product(*ends) if some.are_near(one([*at]))[0]}
    reached, found = {(0,) * K}, [(0,) * K]
    while found:
        at = found.pop()
        for k, last in enumerate(genome):
            after = (*at[:k], at[k] + int(np.sign(last)), *at[k + 1 :])
            if after in on_the_way - reached:
                reached.add(after)
                found.append(after)
    assert tuple(genome) in reached


@given(sums(), genomes, st.sets(st.integers(0, K - 1), min_size=1))
def test_a_part_of_the_numbers_is_judged_as_if_the_others_stayed(
    some: Sums, genome: list[int], kept: set[int]
) -> None:
    places = np.array(sorted(kept))
    whole = [n if k in kept else 0 for k, n in enumerate(genome)]
    part = some.restricted_to(places)
    np.testing.assert_array_equal(part.off(one(genome)[:, places]), some.off(one(whole)))
