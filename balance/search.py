"""The search loop, the same for every optimiser, one generation at a time.

Between generations there is only a `SearchState`: arrays that can be written to a file. Game
seeds and operators' randomness are functions of (run seed, generation), so a search continued
from a state is the search that was never stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Protocol, Self

import numpy as np

from balance.crossover import crossover
from balance.evaluation import Evaluator, Scores
from balance.evolution import (
    add_to_seen,
    first_population,
    mutate,
    new_children,
    repaired,
)
from balance.optimisers import Optimiser, optimiser_named
from balance.search_space import SearchSpace, Steps
from balance.settings import Search
from balance.statistics.intervals import Counts, Floats, Positions
from sim.files.validation import revalidated
from sim.seeds import generator

_TRIES_FOR_NEW_CHILDREN = 8
_SCREENED = 10  # children bred for each one that is played, where an assistant screens them


@dataclass(frozen=True)
class SearchState:
    """Everything a search knows between two generations.

    Attributes:
        generation: generations done; 0 after the first population.
        population: ``[P, K]`` genomes that live on, best first.
        scores: ``[P]`` what they came to in the last batch.
        seen: ``[S, K]`` every genome evaluated so far.
        seen_points: ``[S, R]`` points over all its evaluations.
        seen_violation: ``[S]`` sum of its guard violations.
        seen_times: ``[S]`` evaluations.
        history: ``[generations + 1, 5]`` per generation: games so far; imbalance in points (the
            largest and the mean) and change of the best genome; genomes seen so far.
        widened: ``[W]`` what was widened, one after the other (`balance.escalation`).
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

    @classmethod
    def nothing(cls, evaluator: Evaluator, **more: Any) -> Self:
        """Before anything is played; `more` is what a kind of state has besides."""
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
        """Scores of all genomes seen, each over all its evaluations of `n_games` per matchup."""
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
        """The state once a batch has been played.

        Args:
            genomes: ``[P, K]`` what was played, all different.
            scores: what they came to.
            points: ``[P, R]`` their points.
            kept: which of them live on, best first.
            n_played: games of the batch, all matchups together.
        """
        sums = {
            "seen_points": (self.seen_points, points),
            "seen_violation": (self.seen_violation, scores.violation),
            "seen_times": (self.seen_times, np.ones(len(genomes), dtype=np.int64)),
        }
        after = replace(self, **add_to_seen(self.seen, genomes, sums))
        survivors = scores.take(kept)
        n_before = self.history[-1, 0] if len(self.history) else 0
        best = np.lexsort([survivors.change, survivors.imbalance_pp, survivors.violation])[0]
        return after.next_generation(
            genomes[kept], survivors, best=best, n_games=n_before + n_played
        )

    def next_generation(
        self, population: Steps, scores: Scores, *, best: int, n_games: float
    ) -> Self:
        """The state with those that live on, and a line of history.

        Args:
            population: ``[P, K]`` genomes, best first.
            scores: ``[P]`` of them.
            best: of which of them history tells.
            n_games: all games so far.
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
        """The state when something has been widened, before which other stages took games."""
        history = self.history.copy()
        history[-1, 0] += n_games
        return replace(self, history=history, widened=np.append(self.widened, widening))

    def begun_anew(self, before: SearchSpace, space: SearchSpace) -> Self:
        """The state from which a search goes on where more may move, or for longer.

        Args:
            before: the space of its genomes.
            space: another, in which all numbers of the former may move as far, or farther.
        """
        place = [space.genes.index(gene) for gene in before.genes]
        seen, population = (
            np.zeros((len(one), len(space.genes)), dtype=np.int16)
            for one in (self.seen, self.population)
        )
        seen[:, place] = self.seen
        population[:, place] = self.population
        return replace(self, seen=seen, population=population)


class Assistant(Protocol):
    """Proposes and screens, so that fewer genomes are played for nothing."""

    @property
    def n_games_before(self) -> int:
        """What it took to know enough for that, all matchups together."""

    def screened(
        self, state: SearchState, bred: Steps, survivors: Callable[[Scores], Positions]
    ) -> Steps:
        """``[P, K]`` what to play of ``[B, K]`` genomes and its own proposals, none seen alive.

        Args:
            state: all that has been played.
            bred: what the operators have made.
            survivors: the optimiser's choice, by predicted scores.
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
    """Search to the last generation.

    Args:
        evaluator: plays and scores genomes.
        search: optimiser, style, population, generations, and how children are made.
        n_games: games per matchup of one evaluation, even.
        state: where to continue; default the beginning.
        on_generation: called with the state after every generation (progress, checkpoints).
        assistant: proposes and screens; default nobody does.
        most_games: that may be played, all matchups together; a generation that might take more
            is not begun.

    Raises:
        InputError: no optimiser has the name `search.method`, it would ignore a setting, or the
            games cannot be split into seatings and seeds.
    """
    n_games = evaluator.contest.checked_games(n_games)
    search = revalidated(search, source="search")
    search.refuse_unused(search.method)
    loop = _Loop(evaluator, search, optimiser_named(search.method, search), n_games, assistant)
    if state is None:
        state = loop.begin()
        on_generation(state)
    most = evaluator.games_of(2 * search.population, n_games)
    while state.generation < search.generations and state.history[-1, 0] + most <= most_games:
        state = loop.next_generation(state)
        on_generation(state)
    return state


@dataclass(frozen=True)
class _Loop:
    """What stays the same from generation to generation; fields as `run_search` takes them."""

    evaluator: Evaluator
    search: Search
    optimiser: Optimiser
    n_games: int
    assistant: Assistant | None

    def begin(self) -> SearchState:
        """The first population."""
        evaluator = self.evaluator
        search = self.search
        rng = generator(evaluator.run_seed, "operators/0")
        drawn = first_population(evaluator.space, search.start, self._n_bred, rng)
        genomes = np.unique(repaired(drawn, evaluator.space, rng), axis=0)
        return self._select(SearchState.nothing(evaluator), genomes, rng)

    def next_generation(self, state: SearchState) -> SearchState:
        """Children, and of them and their parents those that live on."""
        search = self.search
        space = self.evaluator.space
        rng = generator(self.evaluator.run_seed, f"operators/{state.generation + 1}")

        def breed() -> Steps:
            scores = self._as_asked(state.scores)
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
        """How many children there are, of which an assistant leaves a population to be played."""
        return self.search.population * (1 if self.assistant is None else _SCREENED)

    def _as_asked(self, scores: Scores) -> Scores:
        """What the optimiser is shown: no change at all where imbalance is all that counts."""
        if self.search.objective == "imbalance":
            return replace(scores, change=np.zeros_like(scores.change))
        return scores

    def _select(self, state: SearchState, children: Steps, rng: np.random.Generator) -> SearchState:
        """Play parents and children in one batch and let the optimiser choose among them."""

        def survivors(scores: Scores) -> Positions:
            return self.optimiser.survivors(self._as_asked(scores), self.search.population, rng)

        n_before = 0
        if self.assistant is not None:
            children = self.assistant.screened(state, children, survivors)
            n_before = 0 if len(state.history) else self.assistant.n_games_before
        genomes = np.concatenate([state.population, children])
        purpose = f"search/{state.generation + 1}"
        scores, points = self.evaluator.score(genomes, n_games=self.n_games, purpose=purpose)
        n_played = n_before + self.evaluator.games_of(len(genomes), self.n_games)
        return state.after_batch(genomes, scores, points, kept=survivors(scores), n_played=n_played)
