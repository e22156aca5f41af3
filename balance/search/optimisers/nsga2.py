"""NSGA-II (pymoo): minimise imbalance and size together, with guards as constraints."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from pymoo.algorithms.moo.nsga2 import RankAndCrowding, binary_tournament
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.operators.selection.tournament import TournamentSelection
from pymoo.operators.survival.rank_and_crowding.metrics import get_crowding_function
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

from balance.statistics.intervals import Floats, Positions
from balance.verdict.evaluation import Scores

# Pymoo reads only the numbers of objectives and constraints from the problem.
_PROBLEM = Problem(n_var=1, n_obj=2, n_ieq_constr=1)
_RULES = "comp_by_rank_and_crowding"  # pymoo's name of the tournament of NSGA-II


class Nsga2:
    """Optimiser with the selection of NSGA-II: by front of dominance, then by crowding distance.

    The objectives are imbalance and size. Ranks, crowding distances and tournaments are computed
    by pymoo.

    Reference: K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
    Transactions on Evolutionary Computation 6 (2002).
    """

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Return the positions of the winners of `n` binary tournaments, shape [n].

        Genomes are compared by rank, then by crowding distance.
        """
        # The only variable of an individual is the position of its genome.
        population = Population.new(
            X=np.arange(len(scores.size), dtype=float)[:, np.newaxis],
            F=_objectives(scores),
            G=scores.violation[:, np.newaxis],
        )
        # All individuals survive; the call only sets ranks and crowding distances, which the
        # tournaments read.
        RankAndCrowding().do(_PROBLEM, population, n_survive=len(population), random_state=rng)
        chosen = TournamentSelection(func_comp=binary_tournament).do(
            _PROBLEM,
            population,
            n,
            n_parents=1,
            to_pop=False,
            algorithm=SimpleNamespace(tournament_type=_RULES, random_state=rng),
            random_state=rng,
        )
        return np.asarray(chosen, dtype=np.intp).ravel()

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Return the positions of the survivors: the best fronts, best front first.

        If a front does not fit as a whole, its genomes with the largest crowding distances survive.
        Genomes that violate a guard come after all others, by rising violation.
        """
        is_infeasible = scores.violation > 0
        feasible = np.flatnonzero(~is_infeasible)
        infeasible = np.flatnonzero(is_infeasible)
        chosen: list[Positions] = []
        n_left = n
        for front in NonDominatedSorting().do(_objectives(scores)[feasible], n_stop_if_ranked=n):
            genomes = feasible[front]
            if len(genomes) > n_left:
                genomes = genomes[_most_spread(_objectives(scores)[genomes], rng)]
            chosen.append(genomes[:n_left])
            n_left -= len(chosen[-1])
        by_violation = np.argsort(scores.violation[infeasible], kind="stable")
        return np.concatenate([*chosen, infeasible[by_violation][:n_left]])


def _most_spread(objectives: Floats, rng: np.random.Generator) -> Positions:
    """Return positions of points by falling crowding distance, with ties in random order.

    Pymoo's survival is not used, because it orders ties in a way that depends on the processor.

    Args:
        objectives: objectives of each point, shape [P, 2].
        rng: generator of the order of ties, which is advanced.
    """
    shuffled = rng.permutation(len(objectives))
    distance = get_crowding_function("cd").do(objectives)
    rising = shuffled[np.argsort(distance[shuffled], kind="stable")]
    return rising[::-1]


def _objectives(scores: Scores) -> Floats:
    """Return the two objectives of genomes, imbalance and size, shape [P, 2]."""
    return np.column_stack([scores.imbalance_pp, scores.size])
