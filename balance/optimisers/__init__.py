"""Optimisers by name.

An optimiser is two choices: who breeds, and who lives on. Everything else (first population,
crossover, mutation, evaluation, checkpoints) is common to all, so a comparison of two
optimisers compares just these choices. It is made from the settings that say how to breed
(`balance.breeding`), of which some may be for it alone. To add one: write the class, add a line
here and its name to the settings that count for it; the conformance tests pick it up.
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
    """The choices of a generation; both see scores of one batch only."""

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """``[n]`` positions of the genomes that breed, repeats allowed."""

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """``[<= n]`` positions of the genomes that live on, best first."""


def _genetic(breeding: Breeding) -> Optimiser:
    from balance.optimisers.genetic import GeneticAlgorithm  # noqa: PLC0415 (loads DEAP)

    return GeneticAlgorithm(breeding.selection, breeding.tournament_size)


def _nsga2(_: Breeding) -> Optimiser:
    from balance.optimisers.nsga2 import Nsga2  # noqa: PLC0415 (loads pymoo)

    return Nsga2()


OPTIMISERS: dict[str, Callable[[Breeding], Optimiser]] = {"ga": _genetic, "nsga2": _nsga2}


def optimiser_named(name: str, breeding: Breeding | None = None) -> Optimiser:
    """The optimiser that an experiment calls `name`.

    Args:
        name: one of `OPTIMISERS`.
        breeding: how to breed; default as `[search]` does by default.

    Raises:
        InputError: there is none.
    """
    make = OPTIMISERS[known_word("optimiser", name, OPTIMISERS, "search.method")]
    return make(Breeding() if breeding is None else breeding)
