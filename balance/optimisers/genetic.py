"""Genetic algorithm (DEAP) that balances cards, and its selection operators."""

from __future__ import annotations

from functools import cache

import numpy as np
from deap import base, tools

from balance.breeding import TOURNAMENT_SIZE, Selection
from balance.evaluation import Scores
from balance.lent_random import global_random_seeded_by
from balance.statistics.intervals import Floats, Positions

# Step in which imbalances are compared, in points: finer differences are noise with the usual
# numbers of games in a search.
TIE_PP = 1.0


class GeneticAlgorithm:
    """Genetic algorithm for the smallest imbalance, ties by the smallest change.

    Violations of guards come before both. Imbalance is compared in steps of `TIE_PP`, then change,
    then exact imbalance. The best of parents and children survive, so that the best genome is never
    lost (elitism).
    """

    def __init__(
        self, selection: Selection = "tournament", tournament_size: int = TOURNAMENT_SIZE
    ) -> None:
        """Set how parents are selected.

        Args:
            selection: `tournament` or `roulette`.
            tournament_size: genomes in a tournament.
        """
        self._selection = selection
        self._tournament_size = tournament_size

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Return the winners of `n` tournaments, or of `n` spins of a roulette wheel."""
        criteria = _criteria(scores)
        if self._selection == "roulette":
            return roulette_winners(criteria, n, rng)
        return tournament_winners(criteria, n, rng, size=self._tournament_size)

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:  # noqa: ARG002
        """Return the `n` best genomes."""
        return best(_criteria(scores), n)


def tournament_winners(
    criteria: Floats, n: int, rng: np.random.Generator, *, size: int = TOURNAMENT_SIZE
) -> Positions:
    """Return the best of `size` genomes drawn at random, `n` times.

    Args:
        criteria: criteria of each genome, all minimised, most important first, shape [P, F].
        n: number of tournaments.
        rng: generator, which is consumed.
        size: genomes in a tournament; one may be drawn more than once.

    Reference: DEAP's `selTournament`, as in its (mu + lambda) algorithm.
    """
    individuals = [
        _Individual(position, values) for position, values in enumerate(criteria.tolist())
    ]
    with global_random_seeded_by(rng):
        winners = tools.selTournament(individuals, n, size)
    return np.array([winner.position for winner in winners], dtype=np.intp)


def roulette_winners(criteria: Floats, n: int, rng: np.random.Generator) -> Positions:
    """Draw genomes with probabilities proportional to their fitness, `n` times.

    The fitness is 1 plus the number of genomes that are worse (linear ranking): from 1 for the
    worst to P for the best, equal for equal genomes. Ranks are used because criteria that are
    compared one after the other are no single number, and because shares of imbalance in points
    would depend on the position of 0: genomes at 40 and 41 points would breed alike, and a good and
    a bad one too once all are near.

    Args:
        criteria: criteria of each genome, all minimised, most important first, shape [P, F].
        n: number of spins.
        rng: generator, which is consumed.

    Reference: DEAP's `selRoulette`; J. E. Baker, "Adaptive selection methods for genetic
    algorithms", Proc. 1st International Conference on Genetic Algorithms (1985).
    """
    _, ranks = np.unique(criteria, axis=0, return_inverse=True)  # rows in lexicographic order
    ranks = ranks.ravel()
    # For each rank, the number of genomes of that rank or a worse one.
    n_as_good = np.bincount(ranks)[::-1].cumsum()[::-1]
    n_worse = n_as_good[ranks] - np.bincount(ranks)[ranks]
    individuals = [
        _Individual(position, [1.0 + worse], weight=1.0)
        for position, worse in enumerate(n_worse.tolist())
    ]
    with global_random_seeded_by(rng):
        winners = tools.selRoulette(individuals, n)
    return np.array([winner.position for winner in winners], dtype=np.intp)


def best(criteria: Floats, n: int) -> Positions:
    """Return the `n` best genomes, best first.

    Args:
        criteria: criteria of each genome, all minimised, most important first, shape [P, F].
        n: number of genomes.
    """
    return np.lexsort(criteria.T[::-1])[:n]


class _Individual:
    """Position of a genome, with the attributes that DEAP's selections read."""

    def __init__(self, position: int, criteria: list[float], weight: float = -1.0) -> None:
        self.position = position
        self.fitness = _fitness_class(len(criteria), weight)(criteria)


@cache
def _fitness_class(n_criteria: int, weight: float) -> type:
    """Return DEAP's fitness class for some number of criteria, compared in their order.

    Args:
        n_criteria: number of criteria.
        weight: negative to minimise, positive to maximise.
    """
    return type("Fitness", (base.Fitness,), {"weights": (weight,) * n_criteria})


def _criteria(scores: Scores) -> Floats:
    """Return the criteria of genomes, all minimised, most important first, shape [P, 4]."""
    imbalance_pp = scores.imbalance_pp
    return np.column_stack([scores.violation, imbalance_pp // TIE_PP, scores.change, imbalance_pp])
