"""NSGA-II (pymoo): imbalance and change at once, guards as constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pymoo.algorithms.moo.nsga2 import RankAndCrowding, binary_tournament
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.operators.selection.tournament import TournamentSelection

from balance.evaluation import Scores

_PROBLEM = Problem(n_var=1, n_obj=2, n_ieq_constr=1)  # tells pymoo that there is a constraint


@dataclass(frozen=True)
class _TournamentRules:
    """What `binary_tournament` asks of the algorithm that runs it."""

    random_state: np.random.Generator
    tournament_type: str = "comp_by_rank_and_crowding"


class Nsga2:
    """Fronts by dominance, spread within a front by crowding distance.

    Reference: K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II",
    IEEE Transactions on Evolutionary Computation 6 (2002), through pymoo's survival and
    tournament.
    """

    def parents(self, scores: Scores, n: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
        """Winners of `n` binary tournaments by rank, then crowding distance."""
        population = _population(scores)
        # Survival of everybody: sets the ranks and crowding distances that tournaments compare.
        RankAndCrowding().do(_PROBLEM, population, n_survive=len(population), random_state=rng)
        chosen = TournamentSelection(func_comp=binary_tournament).do(
            _PROBLEM,
            population,
            n,
            n_parents=1,
            to_pop=False,
            algorithm=_TournamentRules(rng),
            random_state=rng,
        )
        return np.asarray(chosen, dtype=np.intp).ravel()

    def survivors(self, scores: Scores, n: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
        """The best fronts, and the most spread part of the last one that fits."""
        survived = RankAndCrowding().do(
            _PROBLEM, _population(scores), n_survive=n, random_state=rng
        )
        return survived.get("X").ravel().astype(np.intp)  # type: ignore[no-any-return]


def _population(scores: Scores) -> Population:
    """Pymoo's population whose only variable is the position of the genome."""
    return Population.new(
        X=np.arange(len(scores.change), dtype=float)[:, np.newaxis],
        F=np.column_stack([scores.imbalance_pp, scores.change]),
        G=scores.violation[:, np.newaxis],
    )
