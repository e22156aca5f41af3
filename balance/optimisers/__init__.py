"""Optimisers by name.

An optimiser makes two choices of a generation: which genomes breed, and which survive. Everything
else (first population, crossover, mutation, evaluation, checkpoints) is common to all, so that a
comparison of two optimisers compares these choices alone. An optimiser is made from the breeding
settings (`balance.breeding`), some of which may be for it alone. To add one, write the class, add a
line to `OPTIMISERS`, and add its name to the settings that it uses; the conformance tests include
it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from balance.breeding import Breeding
from balance.evaluation import Scores
from balance.statistics.intervals import Positions
from sim.errors import known_word


class Optimiser(Protocol):
    """The two choices of a generation; scores are comparable within one batch only."""

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Return the genomes that breed, with repeats.

        Args:
            scores: scores of the population.
            n: number of parents.
            rng: generator, which is consumed.

        Returns:
            Positions, shape [n].
        """

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Return the genomes that survive, best first.

        Args:
            scores: scores of parents and children.
            n: most survivors.
            rng: generator, which is consumed.

        Returns:
            Positions, shape [min(n, genomes)].
        """


def _genetic(breeding: Breeding) -> Optimiser:
    """Return the genetic algorithm."""
    from balance.optimisers.genetic import GeneticAlgorithm  # noqa: PLC0415 (loads DEAP)

    return GeneticAlgorithm(breeding.selection, breeding.tournament_size)


def _nsga2(_: Breeding) -> Optimiser:
    """Return NSGA-II, which has no breeding settings of its own."""
    from balance.optimisers.nsga2 import Nsga2  # noqa: PLC0415 (loads pymoo)

    return Nsga2()


OPTIMISERS: dict[str, Callable[[Breeding], Optimiser]] = {"ga": _genetic, "nsga2": _nsga2}


def optimiser_named(name: str, breeding: Breeding | None = None) -> Optimiser:
    """Return the optimiser of a name.

    Args:
        name: a key of `OPTIMISERS`.
        breeding: breeding settings; default those of `[search]`.

    Raises:
        InputError: no optimiser has this name.
    """
    make = OPTIMISERS[known_word("optimiser", name, OPTIMISERS, "search.method")]
    return make(Breeding() if breeding is None else breeding)
