"""Genetic algorithm (DEAP) that balances cards, and its selection operators."""

from __future__ import annotations

from functools import cache

import numpy as np
from deap import base, tools

from balance.search.lent_random import global_random_seeded_by
from balance.settings.breeding import TOURNAMENT_SIZE, Selection
from balance.statistics.intervals import Floats, Positions
from balance.verdict.evaluation import Scores

# Step in which imbalances are compared, in points: with the usual numbers of games in a search,
# finer differences are noise. Chosen by hand.
TIE_PP = 1.0


class GeneticAlgorithm:
    """Optimiser that ranks genomes by guard violation, imbalance and size, in this order.

    Imbalance is compared in steps of `TIE_PP`; ties in size are broken by exact imbalance. The
    best of parents and children survive, so that the best genome is never lost (elitism).
    """

    def __init__(
        self, selection: Selection = "tournament", tournament_size: int = TOURNAMENT_SIZE
    ) -> None:
        """Configure the selection of parents.

        Args:
            selection: method of selection, `tournament` or `roulette`.
            tournament_size: number of genomes in a tournament.
        """
        self._selection = selection
        self._tournament_size = tournament_size

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Return the positions of the winners of `n` tournaments or roulette spins, shape [n]."""
        criteria = _criteria(scores)
        if self._selection == "roulette":
            return roulette_winners(criteria, n, rng)
        return tournament_winners(criteria, n, rng, size=self._tournament_size)

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:  # noqa: ARG002
        """Return the positions of the `n` best genomes, best first."""
        return best(_criteria(scores), n)


def tournament_winners(
    criteria: Floats, n: int, rng: np.random.Generator, *, size: int = TOURNAMENT_SIZE
) -> Positions:
    """Return the position of the best of `size` random genomes, `n` times, shape [n].

    Args:
        criteria: criteria of each genome, all minimised, most important first, shape [P, F].
        n: number of tournaments.
        rng: generator of the random choices, which is advanced.
        size: number of genomes in a tournament, drawn with replacement.

    Reference: DEAP's `selTournament`, as in its (mu + lambda) algorithm.
    """
    individuals = [
        _Individual(position, values) for position, values in enumerate(criteria.tolist())
    ]
    with global_random_seeded_by(rng):
        winners = tools.selTournament(individuals, n, size)
    return np.array([winner.position for winner in winners], dtype=np.intp)


def roulette_winners(criteria: Floats, n: int, rng: np.random.Generator) -> Positions:
    """Return the positions of `n` genomes, drawn in proportion to their fitness, shape [n].

    The fitness is 1 plus the number of genomes that are worse (linear ranking); it is equal for
    genomes with equal criteria. Ranks are used because several criteria in order of importance are
    not a single number, and because ranks do not depend on the scale of the criteria.

    Args:
        criteria: criteria of each genome, all minimised, most important first, shape [P, F].
        n: number of draws, with replacement.
        rng: generator of the random choices, which is advanced.

    Reference: DEAP's `selRoulette`; J. E. Baker, "Adaptive selection methods for genetic
    algorithms", Proc. 1st International Conference on Genetic Algorithms (1985).
    """
    # `unique` sorts rows lexicographically, so that ranks follow the importance of the criteria.
    _, ranks = np.unique(criteria, axis=0, return_inverse=True)
    ranks = ranks.ravel()
    # For each rank, the number of genomes of this or a worse rank.
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
    """Return the positions of the `n` best genomes, best first; all genomes if there are fewer.

    Genomes with equal criteria keep their order.

    Args:
        criteria: criteria of each genome, all minimised, most important first, shape [P, F].
        n: maximum number of genomes to return.
    """
    return np.lexsort(criteria.T[::-1])[:n]


class _Individual:
    """Genome of a population in the form that DEAP's selection functions read."""

    def __init__(self, position: int, criteria: list[float], weight: float = -1.0) -> None:
        self.position = position
        self.fitness = _fitness_class(len(criteria), weight)(criteria)


@cache
def _fitness_class(n_criteria: int, weight: float) -> type:
    """Return a DEAP fitness class for a number of criteria in order of importance.

    Args:
        n_criteria: number of criteria.
        weight: common weight of the criteria: negative to minimise them, positive to maximise them.
    """
    return type("Fitness", (base.Fitness,), {"weights": (weight,) * n_criteria})


def _criteria(scores: Scores) -> Floats:
    """Return the criteria of genomes, all minimised, most important first, shape [P, 4]."""
    imbalance_pp = scores.imbalance_pp
    return np.column_stack([scores.violation, imbalance_pp // TIE_PP, scores.size, imbalance_pp])
