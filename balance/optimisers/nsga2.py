"""NSGA-II (pymoo): imbalance and change at once, guards as constraints."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from pymoo.algorithms.moo.nsga2 import RankAndCrowding, binary_tournament
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.operators.selection.tournament import TournamentSelection
from pymoo.operators.survival.rank_and_crowding.metrics import get_crowding_function
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

from balance.evaluation import Scores
from balance.statistics.intervals import Floats, Positions

_PROBLEM = Problem(n_var=1, n_obj=2, n_ieq_constr=1)  # tells pymoo that there is a constraint
_RULES = "comp_by_rank_and_crowding"  # of the tournament


class Nsga2:
    """Fronts by dominance, spread within a front by crowding distance.

    Reference: K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II",
    IEEE Transactions on Evolutionary Computation 6 (2002), through pymoo's ranks, crowding
    distances and tournament.
    """

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> Positions:
        """Winners of `n` binary tournaments by rank, then crowding distance."""
        population = Population.new(  # whose only variable is the position of the genome
            X=np.arange(len(scores.change), dtype=float)[:, np.newaxis],
            F=_objectives(scores),
            G=scores.violation[:, np.newaxis],
        )
        # Survival of everybody: sets the ranks and crowding distances that tournaments compare.
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
        """The best fronts, and the most spread part of the last one that fits.

        Genomes that break a guard come after all others, by how far they do.
        """
        is_broken = scores.violation > 0
        holding = np.flatnonzero(~is_broken)
        broken = np.flatnonzero(is_broken)
        chosen: list[Positions] = []
        room = n
        for front in NonDominatedSorting().do(_objectives(scores)[holding], n_stop_if_ranked=n):
            genomes = holding[front]
            if len(genomes) > room:
                genomes = genomes[_most_spread(_objectives(scores)[genomes], rng)]
            chosen.append(genomes[:room])
            room -= len(chosen[-1])
        by_violation = np.argsort(scores.violation[broken], kind="stable")
        return np.concatenate([*chosen, broken[by_violation][:room]])


def _most_spread(objectives: Floats, rng: np.random.Generator) -> Positions:
    """Points by falling crowding distance, ties at random.

    Pymoo's own survival sorts in a way that puts ties in an order of the processor's.
    """
    shuffled = rng.permutation(len(objectives))
    distance = get_crowding_function("cd").do(objectives)
    rising = shuffled[np.argsort(distance[shuffled], kind="stable")]
    return rising[::-1]


def _objectives(scores: Scores) -> Floats:
    return np.column_stack([scores.imbalance_pp, scores.change])
