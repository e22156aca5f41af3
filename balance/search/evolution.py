"""Operations on integer genomes in evolutionary searches: initial population, mutation, repair.

Searches have one of two styles. `dense` follows published work: the initial numbers are random, and
mutation replaces numbers by random ones. `sparse` starts with a few edits of the baseline, and its
mutation removes an edit with the same probability as it changes one. This alone makes patches
several times smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.settings.breeding import MUTATIONS_PER_CHILD
from balance.space.search_space import SearchSpace, Steps, Sums
from balance.statistics.intervals import Positions

Keys = Callable[[Steps], list[bytes]]
"""Function that returns one key per genome; genomes with equal keys are the same candidate."""

# Probability that sparse mutation removes an edit instead of changing it by a step; chosen by hand,
# not tuned.
UNDO_RATE = 0.5
# Maximum number of edits of a genome in a sparse initial population; chosen by hand, not tuned.
FIRST_EDITS = 3
# Repair removes a tenth of the edits of a genome at once, since removing single edits from dense
# genomes takes long.
_TAKEN_AT_ONCE = 10


def keys_of(genomes: Steps) -> list[bytes]:
    """Return one key per genome, shape ``[P]``; keys are equal only if all steps are equal."""
    return [genome.tobytes() for genome in genomes]


def places_in(seen: Steps, genomes: Steps, keys: Keys = keys_of) -> Positions:
    """Return the position of each genome among the evaluated candidates, shape ``[P]``.

    The position is -1 for a genome that has not been evaluated.

    Args:
        seen: evaluated candidates, shape ``[S, K]``.
        genomes: genomes to look up, shape ``[P, K]``.
        keys: function that returns the keys by which genomes are identified.
    """
    position_by_key = {key: k for k, key in enumerate(keys(seen))}
    return np.array([position_by_key.get(key, -1) for key in keys(genomes)], dtype=np.intp)


def new_children(
    population: Steps, breed: Callable[[], Steps], n: int, *, n_tries: int, keys: Keys = keys_of
) -> Steps:
    """Return up to `n` children that differ from each other and from the population.

    Args:
        population: genomes of the current generation, shape ``[P, K]``.
        breed: function that returns new children at each call, shape ``[B, K]``.
        n: maximum number of children to return.
        n_tries: maximum number of calls of `breed`.
        keys: function that returns the keys by which genomes are identified.

    Returns:
        Children, shape ``[C, K]``; fewer than `n` if `breed` made too few different ones.
    """
    known_keys = set(keys(population))
    children: list[Steps] = []
    for _ in range(n_tries):
        brood = breed()
        for child, key in zip(brood, keys(brood), strict=True):
            if len(children) < n and key not in known_keys:
                known_keys.add(key)
                children.append(child)
        if len(children) == n:
            break
    return np.array(children, dtype=np.int16).reshape(len(children), population.shape[1])


def add_to_seen(
    seen: Steps,
    played: Steps,
    sums: Mapping[str, tuple[npt.NDArray[Any], npt.NDArray[Any]]],
    keys: Keys = keys_of,
) -> dict[str, Any]:
    """Return the evaluated candidates and their sums after further genomes were played.

    New genomes are appended; the values of known genomes are added to their sums.

    Args:
        seen: evaluated candidates so far, shape ``[S, K]``.
        played: genomes that were played, all different, shape ``[P, K]``.
        sums: for each name, the sums over all games of the evaluated candidates, shape ``[S,
            ...]``, and the values to add for the played genomes, shape ``[P, ...]``.
        keys: function that returns the keys by which genomes are identified.

    Returns:
        Dictionary with the candidates under `seen`, and the new sums under their names.
    """
    where = places_in(seen, played, keys)
    is_new = where < 0
    where[is_new] = len(seen) + np.arange(is_new.sum())
    changed = {"seen": np.concatenate([seen, played[is_new]])}
    for name, (so_far, more) in sums.items():
        changed[name] = np.concatenate([so_far, np.zeros_like(more[is_new])])
        changed[name][where] += more
    return changed


def first_population(space: SearchSpace, style: str, n: int, rng: np.random.Generator) -> Steps:
    """Return a random initial population, shape ``[n, K]``.

    In the style `sparse` the first genome is the baseline, and the other genomes have 1 to
    `FIRST_EDITS` edits of one step. In the style `dense` every number is drawn from its range.

    Args:
        space: search space with the ranges of the numbers.
        style: style of the search, `sparse` or `dense`.
        n: number of genomes.
        rng: random generator; advanced by the call.
    """
    uniform = rng.integers(space.low, space.high + 1, size=(n, len(space.genes))).astype(np.int16)
    if style == "dense":
        return uniform
    # Each genome gets its number of edits at positions of a random order of the numbers.
    n_edits = rng.integers(1, min(FIRST_EDITS, len(space.genes)) + 1, size=(n, 1))
    n_edits[0] = 0  # the unmodified baseline
    order = rng.random(uniform.shape).argsort(axis=1, kind="stable")
    steps = _one_step(space, np.zeros_like(uniform), rng)
    return np.where(order < n_edits, steps, 0).astype(np.int16)


def mutate(
    genomes: Steps,
    space: SearchSpace,
    style: str,
    rng: np.random.Generator,
    *,
    rate: float | None = None,
) -> Steps:
    """Return genomes in which each number is changed with a given probability, shape ``[P, K]``.

    In the style `sparse` a change moves a number by one step, or removes its edit with probability
    `UNDO_RATE`. In the style `dense` it draws the number from its range.

    Args:
        genomes: genomes to mutate, shape ``[P, K]``.
        space: search space with the ranges of the numbers.
        style: style of the search, `sparse` or `dense`.
        rng: random generator; advanced by the call.
        rate: probability that a number is changed; default `MUTATIONS_PER_CHILD / K`.
    """
    rate = MUTATIONS_PER_CHILD / len(space.genes) if rate is None else rate
    hit = rng.random(genomes.shape) < rate
    if style == "dense":
        fresh = rng.integers(space.low, space.high + 1, size=genomes.shape)
        return np.where(hit, fresh, genomes).astype(np.int16)
    undone = (genomes != 0) & (rng.random(genomes.shape) < UNDO_RATE)
    moved = np.where(undone, 0, _one_step(space, genomes, rng))
    return np.where(hit, moved, genomes).astype(np.int16)


def repaired(genomes: Steps, space: SearchSpace, rng: np.random.Generator) -> Steps:
    """Return genomes changed such that they satisfy the space's constraints, shape ``[P, K]``.

    First, violated bounds on sums are restored by changing other numbers. Then, edits are removed
    from each genome that still violates a constraint: one at a time, or a tenth of its edits if it
    has many. The first edits to be removed are those without which the genome has the fewest
    violations.

    Args:
        genomes: genomes to repair, shape ``[P, K]``.
        space: search space with the constraints.
        rng: random generator, which breaks ties; advanced by the call.
    """
    genomes = (
        genomes.copy() if space.sums is None else _restore_sums(genomes, space, space.sums, rng)
    )
    while len(broken := np.flatnonzero(~space.allows(genomes))):
        # For each edit of a violating genome there is one row: the genome without this edit.
        row, gene = np.nonzero(genomes[broken])
        without = genomes[broken[row]]
        without[np.arange(len(row)), gene] = 0
        best = np.lexsort([rng.random(len(row)), space.breaches(without), row])
        n_edits = np.bincount(row)
        # `best` lists the removals genome by genome; `rank` counts from 0 within each genome.
        rank = np.arange(len(row)) - np.repeat(n_edits.cumsum() - n_edits, n_edits)
        removed = best[rank < np.maximum(1, n_edits // _TAKEN_AT_ONCE)[row]]
        genomes[broken[row[removed]], gene[removed]] = 0
    return genomes


def _restore_sums(
    genomes: Steps, space: SearchSpace, sums: Sums, rng: np.random.Generator
) -> Steps:
    """Return genomes with steps added that restore violated bounds on sums, shape ``[P, K]``.

    Each step is the one that leaves the fewest violations; ties are broken at random. A genome for
    which no step reduces the violations keeps them.

    Args:
        genomes: genomes to repair, shape ``[P, K]``.
        space: search space with the ranges of the numbers and all constraints.
        sums: bounds on sums of the search space.
        rng: random generator, which breaks ties; advanced by the call.
    """
    genomes = genomes.copy()
    violating = np.arange(len(genomes))
    while len(violating := violating[sums.breaches(genomes[violating]) > 0]):
        desired = np.zeros((len(violating), len(space.genes)))
        for above, weights in zip(sums.off(genomes[violating]).T, sums.weights, strict=True):
            desired -= above[:, np.newaxis] * weights
        row, gene = np.nonzero(desired)
        moved = genomes[violating[row]]
        moved[np.arange(len(row)), gene] += np.sign(desired[row, gene]).astype(np.int16)
        inside = ((space.low <= moved) & (moved <= space.high)).all(axis=1)
        row = row[inside]
        moved = moved[inside]
        n_violations = space.breaches(moved)
        best = np.lexsort([rng.random(len(row)), n_violations, row])
        best = best[np.unique(row[best], return_index=True)[1]]
        best = best[n_violations[best] < space.breaches(genomes[violating])[row[best]]]
        violating = violating[row[best]]
        genomes[violating] = moved[best]
    return genomes


def _one_step(space: SearchSpace, genomes: Steps, rng: np.random.Generator) -> Steps:
    """Return genomes in which every number is moved one step up or down at random.

    A number at an end of its range is moved inward.
    """
    direction = np.where(rng.random(genomes.shape) < 0.5, -1, 1)
    direction = np.where(genomes == space.low, 1, direction)
    direction = np.where(genomes == space.high, -1, direction)
    return (genomes + direction).astype(np.int16)
