"""Crossover of integer genomes: uniform, with one point and with two."""

from __future__ import annotations

import numpy as np

from balance.breeding import CROSSOVER_RATE, Crossover
from balance.lent_random import global_random_seeded_by
from balance.search_space import Steps


def crossover(
    parents: Steps,
    rng: np.random.Generator,
    *,
    kind: Crossover = "uniform",
    rate: float = CROSSOVER_RATE,
) -> Steps:
    """Children of consecutive parents, each number from one of the two.

    Args:
        parents: ``[2 n, K]``.
        rng: consumed.
        kind: which numbers come from the second parent (`balance.breeding.Breeding`).
        rate: share of the pairs that are crossed.

    Returns:
        ``[n, K]``; the children of pairs that are not crossed are copies of their first parent.
    """
    first = parents[0::2]
    second = parents[1::2]
    if kind == "uniform":
        from_second = rng.random(first.shape) < 0.5
        is_crossed = rng.random((len(first), 1)) < rate
        return np.where(from_second & is_crossed, second, first)
    is_crossed = rng.random(len(first)) < rate
    children = first.copy()
    # Between two genomes of a single number there is no point to cut at.
    if first.shape[1] > 1 and is_crossed.any():
        children[is_crossed] = _cut(first[is_crossed], second[is_crossed], kind, rng)
    return children


def _cut(first: Steps, second: Steps, kind: Crossover, rng: np.random.Generator) -> Steps:
    """``[n, K]`` the first of the two children that DEAP's operator makes of each pair."""
    from deap import tools  # noqa: PLC0415 (takes a while to load, and `model` does without)

    cross = tools.cxOnePoint if kind == "one_point" else tools.cxTwoPoint
    with global_random_seeded_by(rng):
        # Lists, since the operators swap slices, which of arrays would be views.
        children = [
            cross(one, other)[0] for one, other in zip(first.tolist(), second.tolist(), strict=True)
        ]
    return np.array(children, dtype=first.dtype)
