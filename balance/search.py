"""The search loop, the same for every optimiser, one generation at a time.

Between generations there is only a `SearchState`: arrays that can be written to a file. Game
seeds and operators' randomness are functions of (run seed, generation), so a search continued
from a state is the search that was never stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np

from balance.evaluation import Evaluator, Scores
from balance.evolution import (
    add_to_seen,
    crossover,
    first_population,
    mutate,
    new_children,
    repaired,
)
from balance.optimisers import Optimiser, optimiser_named
from balance.search_space import Steps
from balance.settings import Search
from balance.statistics.intervals import Counts, Floats, Positions
from sim.seeds import generator

_TRIES_FOR_NEW_CHILDREN = 8


@dataclass(frozen=True)
class SearchState:
    """Everything a search knows between two generations.

    Attributes:
        generation: generations done; 0 after the first population.
        population: ``[P, K]`` genomes that live on, best first.
        scores: ``[P]`` what they came to in the last batch.
        seen: ``[S, K]`` every genome evaluated so far.
        seen_points: ``[S, M]`` points over all its evaluations.
        seen_violation: ``[S]`` sum of its guard violations.
        seen_times: ``[S]`` evaluations.
        history: ``[generations + 1, 5]`` per generation: games so far; imbalance in points (the
            largest and the mean) and change of the best genome; genomes seen so far.
    """

    generation: int
    population: Steps
    scores: Scores
    seen: Steps
    seen_points: Floats
    seen_violation: Floats
    seen_times: Counts
    history: Floats

    @classmethod
    def nothing(cls, evaluator: Evaluator, **more: Any) -> Self:
        """Before anything is played; `more` is what a kind of state has besides."""
        n_matchups = len(evaluator.contest.matchups)
        none = np.zeros((0, len(evaluator.space.genes)), dtype=np.int16)
        return cls(
            generation=-1,
            population=none,
            scores=Scores.none(n_matchups),
            seen=none,
            seen_points=np.zeros((0, n_matchups)),
            seen_violation=np.zeros(0),
            seen_times=np.zeros(0, dtype=np.int64),
            history=np.zeros((0, 5)),
            **more,
        )

    def seen_scores(self, evaluator: Evaluator, n_games: int) -> Scores:
        """Scores of all genomes seen, each over all its evaluations of `n_games` per matchup."""
        rates = self.seen_points / (n_games * self.seen_times)[:, np.newaxis]
        return evaluator.scores_of(self.seen, rates, self.seen_violation / self.seen_times)


StateT = TypeVar("StateT", bound=SearchState)


def run_search(
    evaluator: Evaluator,
    search: Search,
    *,
    n_games: int,
    state: SearchState | None = None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> SearchState:
    """Search to the last generation.

    Args:
        evaluator: plays and scores genomes.
        search: optimiser, style, population and generations.
        n_games: games per matchup of one evaluation, even.
        state: where to continue; default the beginning.
        on_generation: called with the state after every generation (progress, checkpoints).

    Raises:
        InputError: no optimiser has the name `search.method`.
    """
    optimiser = optimiser_named(search.method)
    if state is None:
        state = _begin(evaluator, search, optimiser, n_games)
        on_generation(state)
    while state.generation < search.generations:
        state = _next_generation(evaluator, search, optimiser, n_games, state)
        on_generation(state)
    return state


def _begin(evaluator: Evaluator, search: Search, optimiser: Optimiser, n_games: int) -> SearchState:
    rng = generator(evaluator.run_seed, "operators/0")
    drawn = first_population(evaluator.space, search.start, search.population, rng)
    genomes = np.unique(repaired(drawn, evaluator.space, rng), axis=0)
    nothing = SearchState.nothing(evaluator)
    return _select(evaluator, search, optimiser, n_games, nothing, genomes, rng)


def _next_generation(
    evaluator: Evaluator, search: Search, optimiser: Optimiser, n_games: int, state: SearchState
) -> SearchState:
    rng = generator(evaluator.run_seed, f"operators/{state.generation + 1}")

    def breed() -> Steps:
        parents = optimiser.parents(state.scores, 2 * search.population, rng)
        brood = crossover(state.population[parents], rng)
        mutants = mutate(brood, evaluator.space, search.start, rng)
        return repaired(mutants, evaluator.space, rng)

    children = new_children(
        state.population, breed, search.population, n_tries=_TRIES_FOR_NEW_CHILDREN
    )
    candidates = np.concatenate([state.population, children])
    return _select(evaluator, search, optimiser, n_games, state, candidates, rng)


def _select(
    evaluator: Evaluator,
    search: Search,
    optimiser: Optimiser,
    n_games: int,
    state: SearchState,
    candidates: Steps,
    rng: np.random.Generator,
) -> SearchState:
    """Play all candidates in one batch and let the optimiser choose among them."""
    purpose = f"search/{state.generation + 1}"
    scores, points = evaluator.score(candidates, n_games=n_games, purpose=purpose)
    kept = optimiser.survivors(scores, search.population, rng)
    n_played = (len(candidates) + 1) * n_games * len(evaluator.contest.matchups)
    return after_batch(state, candidates, scores, points, kept=kept, n_played=n_played)


def after_batch(
    state: StateT,
    genomes: Steps,
    scores: Scores,
    points: Floats,
    *,
    kept: Positions,
    n_played: int,
) -> StateT:
    """The state once a batch has been played.

    Args:
        state: before it.
        genomes: ``[P, K]`` what was played, all different.
        scores: what they came to.
        points: ``[P, M]`` their points.
        kept: which of them live on, best first.
        n_played: games of the batch, all matchups together.
    """
    survivors = scores.take(kept)
    games_before = state.history[-1, 0] if len(state.history) else 0
    best = np.lexsort([survivors.change, survivors.imbalance_pp, survivors.violation])[0]
    seen, (seen_points, seen_violation, seen_times) = add_to_seen(
        state.seen,
        genomes,
        [
            (state.seen_points, points),
            (state.seen_violation, scores.violation),
            (state.seen_times, np.ones(len(genomes), dtype=np.int64)),
        ],
    )
    record = [
        games_before + n_played,
        survivors.imbalance_pp[best],
        survivors.mean_imbalance_pp[best],
        survivors.change[best],
        len(seen),
    ]
    return replace(
        state,
        generation=state.generation + 1,
        population=genomes[kept],
        scores=survivors,
        seen=seen,
        seen_points=seen_points,
        seen_violation=seen_violation,
        seen_times=seen_times,
        history=np.vstack([state.history, record]),
    )
