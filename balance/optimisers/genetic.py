"""Selection as genetic algorithms do it (DEAP), and the one that balances cards with it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
from deap import base, tools

from balance.evaluation import Scores
from balance.statistics.intervals import Floats, Positions

TOURNAMENT_SIZE = 3
TIE_PP = 1.0
"""Imbalances are compared in steps of this many points: finer differences are noise."""


class GeneticAlgorithm:
    """Smallest imbalance first, ties by change.

    Guards come before both, and imbalance is compared in steps, then exactly.
    """

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Winners of `n` tournaments."""
        return tournament_winners(_criteria(scores), n, rng)

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:  # noqa: ARG002
        """The `n` best."""
        return best(_criteria(scores), n)


def tournament_winners(criteria: Floats, n: int, rng: np.random.Generator) -> Positions:
    """The best of `TOURNAMENT_SIZE` genomes drawn at random, `n` times.

    Args:
        criteria: ``[P, F]`` of each genome, all minimised, the first the most important.
        n: tournaments.
        rng: consumed.

    Reference: DEAP's `selTournament`, as in its (mu + lambda) algorithm.
    """
    individuals = [_Individual(position, one) for position, one in enumerate(criteria.tolist())]
    with _global_random_seeded_by(rng):
        winners = tools.selTournament(individuals, n, TOURNAMENT_SIZE)
    return np.array([winner.position for winner in winners], dtype=np.intp)


def best(criteria: Floats, n: int) -> Positions:
    """The `n` best by ``[P, F]`` criteria, all minimised, the first the most important."""
    return np.lexsort(criteria.T[::-1])[:n]


class _Individual:
    """A genome's position, in the shape that DEAP's selections take."""

    def __init__(self, position: int, criteria: list[float]) -> None:
        self.position = position
        self.fitness = _fitness_class(len(criteria))(criteria)


@cache
def _fitness_class(n_criteria: int) -> type:
    """DEAP's fitness with so many criteria, all minimised and compared in their order."""
    return type("Fitness", (base.Fitness,), {"weights": (-1.0,) * n_criteria})


def _criteria(scores: Scores) -> Floats:
    imbalance_pp = scores.imbalance_pp
    return np.column_stack([scores.violation, imbalance_pp // TIE_PP, scores.change, imbalance_pp])


@contextmanager
def _global_random_seeded_by(rng: np.random.Generator) -> Iterator[None]:
    """DEAP draws from the global generator; lend it ours and put everything back."""
    state = random.getstate()
    random.seed(int(rng.integers(2**63)))
    try:
        yield
    finally:
        random.setstate(state)
