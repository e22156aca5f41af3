"""Crossover operators for integer genomes: uniform, one-point and two-point."""

from __future__ import annotations

import numpy as np

from balance.search.lent_random import global_random_seeded_by
from balance.settings.breeding import CROSSOVER_RATE, Crossover
from balance.space.search_space import Steps


def crossover(
    parents: Steps,
    rng: np.random.Generator,
    *,
    kind: Crossover = "uniform",
    rate: float = CROSSOVER_RATE,
) -> Steps:
    """Return one child of each pair of parents, which takes each number from one of the two.

    Args:
        parents: parents, shape ``[2 n, K]``; rows 2i and 2i + 1 form a pair.
        rng: random generator; advanced by the call.
        kind: rule that selects the numbers from the second parent
            (`balance.settings.breeding.Breeding`).
        rate: probability that a pair is crossed.

    Returns:
        Children, shape ``[n, K]``. A pair that is not crossed yields a copy of its first parent.
    """
    first = parents[0::2]
    second = parents[1::2]
    if kind == "uniform":
        # The numbers are drawn for all pairs, crossed or not, so that the rate does not shift the
        # random stream of later pairs.
        from_second = rng.random(first.shape) < 0.5
        is_crossed = rng.random((len(first), 1)) < rate
        return np.where(from_second & is_crossed, second, first)
    is_crossed = rng.random(len(first)) < rate
    children = first.copy()
    # Between two genomes of a single number there is no point to cut at.
    if first.shape[1] > 1 and is_crossed.any():
        children[is_crossed] = _cross_by_deap(first[is_crossed], second[is_crossed], kind, rng)
    return children


def _cross_by_deap(first: Steps, second: Steps, kind: Crossover, rng: np.random.Generator) -> Steps:
    """Return the first of the two children that DEAP's operator makes of each pair of parents.

    Args:
        first: first parents, shape ``[n, K]``.
        second: second parents, shape ``[n, K]``.
        kind: `one_point` or `two_point`.
        rng: random generator that seeds the operator; advanced by the call.

    Returns:
        Children, shape ``[n, K]``.
    """
    from deap import tools  # noqa: PLC0415 (slow to import; the method `model` does not need it)

    cross = tools.cxOnePoint if kind == "one_point" else tools.cxTwoPoint
    with global_random_seeded_by(rng):
        # The operators swap slices in place. Slices of arrays are views, which a swap would
        # overwrite before they are copied, so the genomes are passed as lists.
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        children = [cross(mother, father)[0] for mother, father in pairs]
    return np.array(children, dtype=first.dtype)
