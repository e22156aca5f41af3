"""Registry of optimisers by name.

An optimiser makes two choices in each generation: the genomes that breed, and the genomes that
survive. Everything else (first population, crossover, mutation, evaluation, checkpoints) is common
to all optimisers, so that a comparison of two optimisers compares these choices alone. Optimisers
are created from the breeding settings (`balance.settings.breeding`), some of which apply to one
optimiser only. To add an optimiser, write the class, add a line to `OPTIMISERS`, and add its name
to the settings that it uses; the conformance tests then include it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from balance.settings.breeding import Breeding
from balance.statistics.intervals import Positions
from balance.verdict.evaluation import Scores
from sim.errors import known_word


class Optimiser(Protocol):
    """Interface of an optimiser: selection of parents and survivors in a generation.

    Scores may be compared only with scores that are passed in the same call.
    """

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Return the positions of the genomes that breed, possibly with repeats, shape [n].

        Args:
            scores: scores of the population.
            n: number of parents.
            rng: generator of the random choices, which is advanced.
        """

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Return the positions of the genomes that survive, best first, shape [min(n, P)].

        Args:
            scores: scores of the ``P`` parents and children.
            n: maximum number of survivors.
            rng: generator of the random choices, which is advanced.
        """


def _genetic(breeding: Breeding) -> Optimiser:
    """Return the genetic algorithm with the selection of parents that the settings define."""
    from balance.search.optimisers.genetic import GeneticAlgorithm  # noqa: PLC0415 (loads DEAP)

    return GeneticAlgorithm(breeding.selection, breeding.tournament_size)


def _nsga2(_: Breeding) -> Optimiser:
    """Return NSGA-II, which uses none of the breeding settings."""
    from balance.search.optimisers.nsga2 import Nsga2  # noqa: PLC0415 (loads pymoo)

    return Nsga2()


OPTIMISERS: dict[str, Callable[[Breeding], Optimiser]] = {"ga": _genetic, "nsga2": _nsga2}


def optimiser_named(name: str, breeding: Breeding | None = None) -> Optimiser:
    """Return a new optimiser, by its name.

    Args:
        name: name of the optimiser, a key of `OPTIMISERS`.
        breeding: breeding settings; by default `Breeding()`.

    Raises:
        InputError: no optimiser has this name.
    """
    make = OPTIMISERS[known_word("optimiser", name, OPTIMISERS, "search.method")]
    return make(Breeding() if breeding is None else breeding)
