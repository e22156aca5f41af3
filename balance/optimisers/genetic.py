"""A genetic algorithm (DEAP): smallest imbalance first, ties by change."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
from deap import base, tools

from balance.evaluation import Scores

TOURNAMENT_SIZE = 3
TIE_PP = 1.0
"""Imbalances are compared in steps of this many points: finer differences are noise."""


class _Fitness(base.Fitness):  # type: ignore[misc]
    """Guards, imbalance in steps, change, imbalance: all minimised, compared in this order."""

    weights = (-1.0, -1.0, -1.0, -1.0)


class _Individual:
    """A genome's position, in the shape that DEAP's selections take."""

    def __init__(self, position: int, violation: float, imbalance_pp: float, change: float) -> None:
        self.position = position
        self.fitness = _Fitness((violation, imbalance_pp // TIE_PP, change, imbalance_pp))


class GeneticAlgorithm:
    """Tournaments choose the parents; the best of parents and children live on.

    Reference: DEAP's `selTournament` and `selBest`, as in its (mu + lambda) algorithm.
    """

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
        """Winners of `n` tournaments."""
        with _global_random_seeded_by(rng):
            return _positions(tools.selTournament(_individuals(scores), n, TOURNAMENT_SIZE))

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:  # noqa: ARG002
        """The `n` best."""
        return _positions(tools.selBest(_individuals(scores), n))


def _individuals(scores: Scores) -> list[_Individual]:
    columns = zip(scores.violation, scores.imbalance_pp, scores.change, strict=True)
    return [_Individual(k, *map(float, values)) for k, values in enumerate(columns)]


def _positions(chosen: list[_Individual]) -> npt.NDArray[np.intp]:
    return np.array([individual.position for individual in chosen], dtype=np.intp)


@contextmanager
def _global_random_seeded_by(rng: np.random.Generator) -> Iterator[None]:
    """DEAP draws from the global generator; lend it ours and put everything back."""
    state = random.getstate()
    random.seed(int(rng.integers(2**63)))
    try:
        yield
    finally:
        random.setstate(state)
