"""Evolution: first populations and mutation of integer genomes, and the bookkeeping.

There are two styles of search.

`dense`, as published work has it: random numbers everywhere, mutation draws anew. `sparse`:
today's cards plus a few edits, and a mutation that undoes edits as readily as it makes them;
this alone makes patches several times smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.breeding import MUTATIONS_PER_CHILD
from balance.search_space import SearchSpace, Steps, Sums
from balance.statistics.intervals import Positions

Keys = Callable[[Steps], list[bytes]]

UNDO_RATE = 0.5  # how often a sparse mutation of an edited number takes the edit back
FIRST_EDITS = 3  # most edits of a sparse first genome
_TAKEN_AT_ONCE = 10  # one edit in so many


def keys_of(genomes: Steps) -> list[bytes]:
    """One key for each genome."""
    return [genome.tobytes() for genome in genomes]


def places_in(seen: Steps, genomes: Steps, keys: Keys = keys_of) -> Positions:
    """``[P]`` where genomes stand among those seen; -1 for one that is not there."""
    place = {key: k for k, key in enumerate(keys(seen))}
    return np.array([place.get(key, -1) for key in keys(genomes)], dtype=np.intp)


def new_children(
    population: Steps, breed: Callable[[], Steps], n: int, *, n_tries: int, keys: Keys = keys_of
) -> Steps:
    """Up to `n` children, all different from each other and from the population.

    Args:
        population: ``[P, K]`` genomes.
        breed: makes a brood of children, other ones at each call.
        n: how many are wanted.
        n_tries: how many broods there may be.
        keys: what tells genomes apart.
    """
    known = set(keys(population))
    children: list[Steps] = []
    for _ in range(n_tries):
        brood = breed()
        for child, key in zip(brood, keys(brood), strict=True):
            if len(children) < n and key not in known:
                known.add(key)
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
    """What a search has `seen` once more is played, and sums of what it came to, by name.

    Args:
        seen: ``[S, K]`` those before.
        played: ``[P, K]`` those played just now, all different.
        sums: by name, ``[S, ...]`` over all that each of those seen came to, and ``[P, ...]`` what
            is added for those played.
        keys: what tells genomes apart.
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
    """``[n, K]`` genomes to begin with; the first of a sparse start is the unmodified pool."""
    uniform = rng.integers(space.low, space.high + 1, size=(n, len(space.genes))).astype(np.int16)
    if style == "dense":
        return uniform
    n_edits = rng.integers(1, min(FIRST_EDITS, len(space.genes)) + 1, size=(n, 1))
    n_edits[0] = 0
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
    """``[P, K]`` the genomes with some numbers changed.

    Args:
        genomes: ``[P, K]``.
        space: bounds of the numbers.
        style: of the search, `sparse` or `dense`.
        rng: consumed.
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
    """The genomes, without some edits where they break what the space has to keep.

    Edits are taken back one by one, of many some at once: those without which the fewest breaches
    are left. Sums that others could make up for are first made up for.
    """
    genomes = genomes.copy() if space.sums is None else _evened(genomes, space, space.sums, rng)
    while len(broken := np.flatnonzero(~space.allows(genomes))):
        row, gene = np.nonzero(genomes[broken])
        without = genomes[broken[row]]
        without[np.arange(len(row)), gene] = 0
        best = np.lexsort([rng.random(len(row)), space.breaches(without), row])
        n_edits = np.bincount(row)
        place = np.arange(len(row)) - np.repeat(n_edits.cumsum() - n_edits, n_edits)
        taken = best[place < np.maximum(1, n_edits // _TAKEN_AT_ONCE)[row]]
        genomes[broken[row[taken]], gene[taken]] = 0
    return genomes


def _evened(genomes: Steps, space: SearchSpace, sums: Sums, rng: np.random.Generator) -> Steps:
    """The genomes, each with random ones of those steps that mend its sums and break nothing."""
    genomes = genomes.copy()
    off = np.arange(len(genomes))
    while len(off := off[sums.breaches(genomes[off]) > 0]):
        wanted = np.zeros((len(off), len(space.genes)))
        for above, weights in zip(sums.off(genomes[off]).T, sums.weights, strict=True):
            wanted -= above[:, np.newaxis] * weights
        row, gene = np.nonzero(wanted)
        moved = genomes[off[row]]
        moved[np.arange(len(row)), gene] += np.sign(wanted[row, gene]).astype(np.int16)
        inside = ((space.low <= moved) & (moved <= space.high)).all(axis=1)
        row = row[inside]
        moved = moved[inside]
        left = space.breaches(moved)
        best = np.lexsort([rng.random(len(row)), left, row])
        best = best[np.unique(row[best], return_index=True)[1]]
        best = best[left[best] < space.breaches(genomes[off])[row[best]]]
        off = off[row[best]]
        genomes[off] = moved[best]
    return genomes


def _one_step(space: SearchSpace, genomes: Steps, rng: np.random.Generator) -> Steps:
    """Every number one step up or down; at the edge of its range, back into it."""
    direction = np.where(rng.random(genomes.shape) < 0.5, -1, 1)
    direction = np.where(genomes == space.low, 1, direction)
    direction = np.where(genomes == space.high, -1, direction)
    return (genomes + direction).astype(np.int16)
