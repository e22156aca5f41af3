"""Bookkeeping of evolutions: children that are new, and what is known of all that was played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Genomes = npt.NDArray[np.int16]
Keys = Callable[[Genomes], list[bytes]]


def keys_of(genomes: Genomes) -> list[bytes]:
    """One key for each genome."""
    return [genome.tobytes() for genome in genomes]


def new_children(
    population: Genomes, breed: Callable[[], Genomes], n: int, *, n_tries: int, keys: Keys = keys_of
) -> Genomes:
    """Up to `n` children, all different from each other and from the population.

    Args:
        population: ``[P, K]`` genomes.
        breed: makes a brood of children, other ones at each call.
        n: how many are wanted.
        n_tries: how many broods there may be.
        keys: what tells genomes apart.
    """
    known = set(keys(population))
    children: list[Genomes] = []
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
    seen: Genomes,
    played: Genomes,
    sums: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any]]],
    keys: Keys = keys_of,
) -> tuple[Genomes, list[npt.NDArray[Any]]]:
    """All genomes seen, those played just now among them, and sums over all that each came to.

    Args:
        seen: ``[S, K]`` genomes seen before.
        played: ``[P, K]`` those played just now, all different.
        sums: what the seen ones had come to, ``[S, ...]``, with what is added for those played,
            ``[P, ...]``.
        keys: what tells genomes apart.
    """
    position = {key: k for k, key in enumerate(keys(seen))}
    where = np.array([position.get(key, -1) for key in keys(played)])
    is_new = where < 0
    where[is_new] = len(seen) + np.arange(is_new.sum())
    totals = []
    for before, more in sums:
        total = np.concatenate([before, np.zeros_like(more[is_new])])
        total[where] += more
        totals.append(total)
    return np.concatenate([seen, played[is_new]]), totals
