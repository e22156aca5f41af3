"""Selection as genetic algorithms do it (DEAP), and the one that balances cards with it."""

from __future__ import annotations

from functools import cache

import numpy as np
from deap import base, tools

from balance.breeding import TOURNAMENT_SIZE, Selection
from balance.evaluation import Scores
from balance.lent_random import global_random_seeded_by
from balance.statistics.intervals import Floats, Positions

TIE_PP = 1.0
"""Imbalances are compared in steps of this many points: finer differences are noise."""


class GeneticAlgorithm:
    """Smallest imbalance first, ties by change.

    Guards come before both, and imbalance is compared in steps, then exactly. The best of parents
    and children live on, so the best one so far is never lost (elitism).
    """

    def __init__(
        self, selection: Selection = "tournament", tournament_size: int = TOURNAMENT_SIZE
    ) -> None:
        """Draw parents in a way of `balance.breeding.Breeding`."""
        self._selection = selection
        self._tournament_size = tournament_size

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Winners of `n` tournaments, or `n` spins of the roulette wheel."""
        criteria = _criteria(scores)
        if self._selection == "roulette":
            return roulette_winners(criteria, n, rng)
        return tournament_winners(criteria, n, rng, size=self._tournament_size)

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:  # noqa: ARG002
        """The `n` best."""
        return best(_criteria(scores), n)


def tournament_winners(
    criteria: Floats, n: int, rng: np.random.Generator, *, size: int = TOURNAMENT_SIZE
) -> Positions:
    """The best of `size` genomes drawn at random, `n` times.

    Args:
        criteria: ``[P, F]`` of each genome, all minimised, the first the most important.
        n: tournaments.
        rng: consumed.
        size: genomes in a tournament; one may be drawn more than once.

    Reference: DEAP's `selTournament`, as in its (mu + lambda) algorithm.
    """
    individuals = [_Individual(position, one) for position, one in enumerate(criteria.tolist())]
    with global_random_seeded_by(rng):
        winners = tools.selTournament(individuals, n, size)
    return np.array([winner.position for winner in winners], dtype=np.intp)


def roulette_winners(criteria: Floats, n: int, rng: np.random.Generator) -> Positions:
    """Genomes drawn with probabilities proportional to their fitness, `n` times.

    A wheel needs one positive number that is to be large. Criteria that are compared one after the
    other are no such number, and shares of points of imbalance would hang on where 0 is: two
    genomes at 40 and 41 points would breed alike, and so would a good and a bad one once all are
    near. So the fitness is 1 and the number of genomes that are worse (linear ranking): from 1 for
    the worst to `P` for the best, equal ones equal.

    Args:
        criteria: ``[P, F]`` of each genome, all minimised, the first the most important.
        n: spins.
        rng: consumed.

    Reference: DEAP's `selRoulette`; J. E. Baker, "Adaptive selection methods for genetic
    algorithms", Proc. 1st International Conference on Genetic Algorithms (1985).
    """
    _, ranks = np.unique(criteria, axis=0, return_inverse=True)  # rows in lexicographic order
    ranks = ranks.ravel()
    n_as_good = np.bincount(ranks)[::-1].cumsum()[::-1]  # by rank: genomes of it, and all worse
    n_worse = n_as_good[ranks] - np.bincount(ranks)[ranks]
    individuals = [
        _Individual(position, [1.0 + worse], weight=1.0)
        for position, worse in enumerate(n_worse.tolist())
    ]
    with global_random_seeded_by(rng):
        winners = tools.selRoulette(individuals, n)
    return np.array([winner.position for winner in winners], dtype=np.intp)


def best(criteria: Floats, n: int) -> Positions:
    """The `n` best by ``[P, F]`` criteria, all minimised, the first the most important."""
    return np.lexsort(criteria.T[::-1])[:n]


class _Individual:
    """A genome's position, in the shape that DEAP's selections take."""

    def __init__(self, position: int, criteria: list[float], weight: float = -1.0) -> None:
        self.position = position
        self.fitness = _fitness_class(len(criteria), weight)(criteria)


@cache
def _fitness_class(n_criteria: int, weight: float) -> type:
    """DEAP's fitness with so many criteria, compared in their order; minimised if `weight` < 0."""
    return type("Fitness", (base.Fitness,), {"weights": (weight,) * n_criteria})


def _criteria(scores: Scores) -> Floats:
    imbalance_pp = scores.imbalance_pp
    return np.column_stack([scores.violation, imbalance_pp // TIE_PP, scores.change, imbalance_pp])
