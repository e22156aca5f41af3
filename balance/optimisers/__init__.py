"""Optimisers by name.

An optimiser is two choices: who breeds, and who lives on. Everything else (first population,
crossover, mutation, evaluation, checkpoints) is common to all, so a comparison of two
optimisers compares just these choices. To add one: write the class, add a line here; the
conformance tests pick it up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from balance.evaluation import Scores
from balance.statistics.intervals import Positions
from sim.errors import known_word


class Optimiser(Protocol):
    """The choices of a generation; both see scores of one batch only."""

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """``[n]`` positions of the genomes that breed, repeats allowed."""

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """``[<= n]`` positions of the genomes that live on, best first."""


def _genetic() -> Optimiser:
    from balance.optimisers.genetic import GeneticAlgorithm  # noqa: PLC0415 (loads DEAP)

    return GeneticAlgorithm()


def _nsga2() -> Optimiser:
    from balance.optimisers.nsga2 import Nsga2  # noqa: PLC0415 (loads pymoo)

    return Nsga2()


OPTIMISERS: dict[str, Callable[[], Optimiser]] = {"ga": _genetic, "nsga2": _nsga2}


def optimiser_named(name: str) -> Optimiser:
    """The optimiser that an experiment calls `name`.

    Raises:
        InputError: there is none.
    """
    return OPTIMISERS[known_word("optimiser", name, OPTIMISERS, "search.method")]()
