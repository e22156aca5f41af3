"""Evolutionary search loop for all built-in optimisers, and the state of a search.

A `SearchState` contains all data that pass from one generation to the next, as arrays that can be
written to a file. Game seeds and the operators' random numbers depend only on the run seed and the
generation. Therefore a search that continues from a state gives the same results as one that was
never interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Protocol, Self

import numpy as np

from balance.search.crossover import crossover
from balance.search.evolution import (
    add_to_seen,
    first_population,
    mutate,
    new_children,
    repaired,
)
from balance.search.optimisers import Optimiser, optimiser_named
from balance.settings.tables import Search
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Counts, Floats, Positions
from balance.verdict.evaluation import Evaluator, Scores
from sim.files.validation import revalidated
from sim.seeds import generator
from sim.short_repr import short_repr

# Maximum number of times that children are bred to fill a generation, since a small space may not
# contain enough new genomes. Chosen by hand, not tuned.
_TRIES_FOR_NEW_CHILDREN = 8
# Number of children that an assistant screens per child that is played; chosen by hand, not tuned.
_SCREENED = 10


@dataclass(frozen=True)
class SearchState:
    """Complete state of a search between two generations, as stored in a checkpoint.

    Attributes:
        generation: number of completed generations: -1 before any game, 0 after the initial
            population.
        population: surviving genomes, best first, ``[P, K]``.
        scores: scores of the population in the last batch, ``[P]``.
        seen: all different genomes that were evaluated, ``[S, K]``.
        seen_points: points of each genome in `seen`, summed over its evaluations, ``[S, R]``.
        seen_violation: guard violation of each genome in `seen`, summed over its evaluations,
            ``[S]``.
        seen_times: number of evaluations of each genome in `seen`, ``[S]``.
        history: one row per generation, ``[generations + 1, 5]``, with five columns: number of
            games so far, over all matchups; largest imbalance, mean imbalance (both in percentage
            points) and change of the best genome; number of genomes in `seen`.
        widened: relaxations made so far, as positions in `WIDENINGS`, ``[W]``
            (`balance.run.escalation`).
    """

    generation: int
    population: Steps
    scores: Scores
    seen: Steps
    seen_points: Floats
    seen_violation: Floats
    seen_times: Counts
    history: Floats
    widened: Counts = field(default_factory=lambda: np.zeros(0, dtype=np.int64), kw_only=True)

    def __repr__(self) -> str:
        return short_repr(self, "generation", population=len(self.population), seen=len(self.seen))

    @classmethod
    def nothing(cls, evaluator: Evaluator, **more: Any) -> Self:
        """Return the state of a search before any game.

        Args:
            evaluator: evaluator of the search.
            more: values of the additional fields of a subclass, by name.
        """
        n_rates = evaluator.demands.n_rates
        none = np.zeros((0, len(evaluator.space.genes)), dtype=np.int16)
        return cls(
            generation=-1,
            population=none,
            scores=Scores.none(n_rates),
            seen=none,
            seen_points=np.zeros((0, n_rates)),
            seen_violation=np.zeros(0),
            seen_times=np.zeros(0, dtype=np.int64),
            history=np.zeros((0, 5)),
            **more,
        )

    def seen_scores(self, evaluator: Evaluator, n_games: int) -> Scores:
        """Return the scores of all evaluated genomes, averaged over their evaluations, ``[S]``.

        Args:
            evaluator: evaluator of the search.
            n_games: games per matchup of one evaluation.
        """
        rates = self.seen_points / (n_games * self.seen_times)[:, np.newaxis]
        return evaluator.scores_of(self.seen, rates, self.seen_violation / self.seen_times)

    def after_batch(
        self,
        genomes: Steps,
        scores: Scores,
        points: Floats,
        *,
        kept: Positions,
        n_played: int,
    ) -> Self:
        """Return the state of the next generation after a batch of genomes was played.

        Args:
            genomes: genomes of the batch, all different, shape ``[P, K]``.
            scores: scores of the genomes, ``[P]``.
            points: points of the genomes, shape ``[P, R]``.
            kept: positions of the survivors in the batch, best first.
            n_played: number of games of the batch, over all matchups.
        """
        sums = {
            "seen_points": (self.seen_points, points),
            "seen_violation": (self.seen_violation, scores.violation),
            "seen_times": (self.seen_times, np.ones(len(genomes), dtype=np.int64)),
        }
        after = replace(self, **add_to_seen(self.seen, genomes, sums))
        survivors = scores.take(kept)
        n_before = self.history[-1, 0] if len(self.history) else 0
        # lexsort's last key comes first: violation, then imbalance, then size.
        best = np.lexsort([survivors.size, survivors.imbalance_pp, survivors.violation])[0]
        return after.next_generation(
            genomes[kept], survivors, best=best, n_games=n_before + n_played
        )

    def next_generation(
        self, population: Steps, scores: Scores, *, best: int, n_games: float
    ) -> Self:
        """Return the state of the next generation, with a new row of history.

        Args:
            population: surviving genomes, best first, shape ``[P, K]``.
            scores: scores of the surviving genomes, ``[P]``.
            best: position in `population` of the genome that the history records.
            n_games: number of games since the beginning of the search, over all matchups.
        """
        record = [
            n_games,
            scores.imbalance_pp[best],
            scores.mean_imbalance_pp[best],
            scores.change[best],
            len(self.seen),
        ]
        return replace(
            self,
            generation=self.generation + 1,
            population=population,
            scores=scores,
            history=np.vstack([self.history, record]),
        )

    def after(self, n_games: int, widening: int) -> Self:
        """Return the state after a relaxation.

        Args:
            n_games: number of games that other stages have played since the search ended; they are
                added to the last row of the history.
            widening: position of the relaxation in `WIDENINGS`.
        """
        history = self.history.copy()
        history[-1, 0] += n_games
        return replace(self, history=history, widened=np.append(self.widened, widening))

    def in_space(self, before: SearchSpace, space: SearchSpace) -> Self:
        """Return the state with its genomes expressed in a relaxed search space.

        Args:
            before: search space of the genomes so far.
            space: relaxed space, which contains all numbers of `before` with equal or wider ranges;
                the genomes have no steps of its further numbers.
        """
        columns = [space.genes.index(gene) for gene in before.genes]
        seen = np.zeros((len(self.seen), len(space.genes)), dtype=np.int16)
        seen[:, columns] = self.seen
        population = np.zeros((len(self.population), len(space.genes)), dtype=np.int16)
        population[:, columns] = self.population
        return replace(self, seen=seen, population=population)


class Assistant(Protocol):
    """Interface of a model that selects the children of an evolution that are played."""

    @property
    def n_games_before(self) -> int:
        """Number of games played before the first generation to fit the model, in all matchups."""

    def screen_children(
        self, state: SearchState, bred: Steps, survivors: Callable[[Scores], Positions]
    ) -> Steps:
        """Return the genomes to play: the best of the children and of the model's own proposals.

        Members of the population are not returned.

        Args:
            state: state of the search.
            bred: children made by crossover and mutation, shape ``[B, K]``.
            survivors: function by which the optimiser selects genomes, here from predicted scores.

        Returns:
            Genomes, shape ``[P, K]``.
        """


def run_search(
    evaluator: Evaluator,
    search: Search,
    *,
    n_games: int,
    state: SearchState | None = None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
    assistant: Assistant | None = None,
    most_games: float = inf,
) -> SearchState:
    """Run an evolutionary search to its last generation, and return the final state.

    Args:
        evaluator: evaluator that plays and scores genomes.
        search: settings of the search: optimiser, style, population, generations, and breeding.
        n_games: games per matchup of one evaluation, a multiple of the number of seatings.
        state: state from which the search continues; `None` to begin a search.
        on_generation: callback, called with the state after every generation.
        assistant: model that selects the children to play; `None` to play all children.
        most_games: maximum number of games, over all matchups; a generation that might exceed it is
            not started.

    Raises:
        InputError: the optimiser `search.method` does not exist or would ignore a setting, or the
            games cannot be split evenly into seatings.
    """
    n_games = evaluator.contest.checked_games(n_games)
    search = revalidated(search, source="search")
    search.refuse_unused(search.method)
    loop = _Loop(evaluator, search, optimiser_named(search.method, search), n_games, assistant)
    if state is None:
        state = loop.begin()
        on_generation(state)
    # A generation plays all parents and at most the same number of children.
    most = evaluator.games_of(2 * search.population, n_games)
    while state.generation < search.generations and state.history[-1, 0] + most <= most_games:
        state = loop.next_generation(state)
        on_generation(state)
    return state


@dataclass(frozen=True)
class _Loop:
    """Parts of an evolutionary search that do not change between generations.

    Attributes:
        evaluator: evaluator that plays and scores genomes.
        search: settings of the search.
        optimiser: optimiser that selects parents and survivors.
        n_games: games per matchup of one evaluation.
        assistant: model that selects the children to play; `None` to play all children.
    """

    evaluator: Evaluator
    search: Search
    optimiser: Optimiser
    n_games: int
    assistant: Assistant | None

    def begin(self) -> SearchState:
        """Return the state after the initial population was played."""
        evaluator = self.evaluator
        search = self.search
        rng = generator(evaluator.run_seed, "operators/0")
        initial = first_population(evaluator.space, search.start, self._n_bred, rng)
        genomes = np.unique(repaired(initial, evaluator.space, rng), axis=0)
        return self._select(SearchState.nothing(evaluator), genomes, rng)

    def next_generation(self, state: SearchState) -> SearchState:
        """Return the state after one generation: breed children, play them, select survivors."""
        search = self.search
        space = self.evaluator.space
        rng = generator(self.evaluator.run_seed, f"operators/{state.generation + 1}")

        def breed() -> Steps:
            """Return repaired children of the population, which may repeat known genomes."""
            scores = self._objective_scores(state.scores)
            parents = self.optimiser.parents(scores, 2 * self._n_bred, rng)
            brood = crossover(
                state.population[parents], rng, kind=search.crossover, rate=search.crossover_rate
            )
            mutants = mutate(brood, space, search.start, rng, rate=search.mutation_rate)
            return repaired(mutants, space, rng)

        children = new_children(
            state.population, breed, self._n_bred, n_tries=_TRIES_FOR_NEW_CHILDREN
        )
        return self._select(state, children, rng)

    @property
    def _n_bred(self) -> int:
        """Number of children to breed: more than the population if an assistant screens them."""
        return self.search.population * (1 if self.assistant is None else _SCREENED)

    def _objective_scores(self, scores: Scores) -> Scores:
        """Return scores for the optimiser: with a size of 0 if the objective is `imbalance`."""
        if self.search.objective == "imbalance":
            return replace(scores, size=np.zeros_like(scores.size))
        return scores

    def _select(self, state: SearchState, children: Steps, rng: np.random.Generator) -> SearchState:
        """Play parents and children in one batch, and return the state with the survivors.

        An assistant first screens the children.

        Args:
            state: state of the search before the batch.
            children: genomes to play with the population, shape ``[B, K]``.
            rng: random generator for the optimiser's selection; advanced by the call.
        """

        def survivors(scores: Scores) -> Positions:
            """Return the positions of the genomes that the optimiser selects by given scores."""
            return self.optimiser.survivors(
                self._objective_scores(scores), self.search.population, rng
            )

        n_before = 0
        if self.assistant is not None:
            children = self.assistant.screen_children(state, children, survivors)
            n_before = 0 if len(state.history) else self.assistant.n_games_before
        # Parents are played again on new seeds, so that none survives by a lucky estimate alone.
        genomes = np.concatenate([state.population, children])
        purpose = f"search/{state.generation + 1}"
        scores, points = self.evaluator.score(genomes, n_games=self.n_games, purpose=purpose)
        n_played = n_before + self.evaluator.games_of(len(genomes), self.n_games)
        return state.after_batch(genomes, scores, points, kept=survivors(scores), n_played=n_played)
