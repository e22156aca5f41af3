"""First populations, crossover and mutation of integer genomes, for both styles of search.

`dense`, as published work has it: random numbers everywhere, mutation draws anew. `sparse`:
today's cards plus a few edits, and a mutation that undoes edits as readily as it makes them;
this alone makes patches several times smaller.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from balance.search_space import SearchSpace, Steps

CROSSOVER_RATE = 0.9
MUTATIONS_PER_CHILD = 1.5  # expected
UNDO_RATE = 0.5  # how often a sparse mutation of an edited number takes the edit back
FIRST_EDITS = 3  # most edits of a sparse first genome

Mask = npt.NDArray[np.bool_]


def first_population(space: SearchSpace, style: str, n: int, rng: np.random.Generator) -> Steps:
    """``[n, K]`` genomes to begin with; the first of a sparse start is the unmodified pool."""
    uniform = rng.integers(space.low, space.high + 1, size=(n, len(space.genes))).astype(np.int16)
    if style == "dense":
        return uniform
    n_genes = len(space.genes)
    n_edits = rng.integers(1, min(FIRST_EDITS, n_genes) + 1, size=(n, 1))
    n_edits[0] = 0
    order = rng.random(uniform.shape).argsort(axis=1, kind="stable")
    steps = _one_step(space, np.zeros_like(uniform), rng)
    return np.where(order < n_edits, steps, 0).astype(np.int16)


def crossover(parents: Steps, rng: np.random.Generator) -> Steps:
    """Children of consecutive parents, each number from one of the two (uniform crossover).

    Args:
        parents: ``[2 n, K]``.
        rng: consumed.

    Returns:
        ``[n, K]``; a share of `1 - CROSSOVER_RATE` are copies of their first parent.
    """
    first, second = parents[0::2], parents[1::2]
    from_second = rng.random(first.shape) < 0.5
    is_crossed = rng.random((len(first), 1)) < CROSSOVER_RATE
    return np.where(from_second & is_crossed, second, first)


def mutate(genomes: Steps, space: SearchSpace, style: str, rng: np.random.Generator) -> Steps:
    """Change each number with probability `MUTATIONS_PER_CHILD / K`."""
    hit = rng.random(genomes.shape) < MUTATIONS_PER_CHILD / len(space.genes)
    if style == "dense":
        fresh = rng.integers(space.low, space.high + 1, size=genomes.shape)
        return np.where(hit, fresh, genomes).astype(np.int16)
    undone = (genomes != 0) & (rng.random(genomes.shape) < UNDO_RATE)
    moved = np.where(undone, 0, _one_step(space, genomes, rng))
    return np.where(hit, moved, genomes).astype(np.int16)


def _one_step(space: SearchSpace, genomes: Steps, rng: np.random.Generator) -> Steps:
    """Every number one step up or down; at the edge of its range, back into it."""
    direction = np.where(rng.random(genomes.shape) < 0.5, -1, 1)
    direction = np.where(genomes == space.low, 1, direction)
    direction = np.where(genomes == space.high, -1, direction)
    return (genomes + direction).astype(np.int16)
