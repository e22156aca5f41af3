"""Balancing problem in the form in which an external optimiser receives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.contest.demands import Demands
from balance.search.evolution import places_in
from balance.search.evolutionary_search import SearchState
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Counts, Positions
from balance.verdict.evaluation import Evaluator, Scores
from sim import InputError, generator


@dataclass(frozen=True, repr=False)
class AnswerState(SearchState):
    """State of a search that contains all batches, so that an interrupted search can be replayed.

    Attributes:
        batch_sizes: number of genomes in each batch, ``[B]``.
        played: genomes of all batches in the order of the batches, ``[E, K]``.
        played_scores: scores of the genomes in `played`, ``[E]``.
    """

    batch_sizes: Counts
    played: Steps
    played_scores: Scores

    @classmethod
    def beginning(cls, evaluator: Evaluator) -> AnswerState:
        """Return the state of a search before any game, without batches."""
        return cls.nothing(
            evaluator,
            batch_sizes=np.zeros(0, dtype=np.int64),
            played=np.zeros((0, len(evaluator.space.genes)), dtype=np.int16),
            played_scores=Scores.none(evaluator.demands.n_rates),
        )


class SearchProblem:
    """Balancing problem for an external optimiser, with methods that play and score genomes.

    Attributes:
        optimiser: name of the optimiser.
        space: search space of ``K`` numbers and their ranges.
        demands: demanded rates and their bounds.
        rng: random generator for the optimiser, seeded by the seed of the run.
        n_games_left: number of games that may still be played, over all matchups.
        state: state of the search so far.
    """

    def __init__(
        self,
        optimiser: str,
        evaluator: Evaluator,
        *,
        n_games: int,
        n_search_games: int,
        state: AnswerState | None = None,
        on_batch: Callable[[AnswerState], None] = lambda _: None,
    ) -> None:
        """Prepare the problem; no game is played.

        Args:
            optimiser: name of the optimiser, for errors and for the seed of its random generator.
            evaluator: evaluator that plays and scores genomes.
            n_games: maximum number of games, over all matchups.
            n_search_games: games per matchup for each score.
            state: state of an interrupted search to replay; `None` to begin a search.
            on_batch: callback, called with the state after every batch that is played.
        """
        self.optimiser = optimiser
        self.n_games_left: int = n_games
        self.space: SearchSpace = evaluator.space
        self.demands: Demands = evaluator.demands
        self.rng: np.random.Generator = generator(evaluator.run_seed, f"operators/{optimiser}")
        self.state: AnswerState = AnswerState.beginning(evaluator) if state is None else state
        self._evaluator = evaluator
        self._on_batch = on_batch
        self._n_search_games = n_search_games
        self._n_batches = 0

    @property
    def n_affordable(self) -> int:
        """Maximum number of different genomes in a further batch; the baseline is played too."""
        of_today = self._evaluator.games_of(0, self._n_search_games)
        return max(self.n_games_left // of_today - 1, 0)

    def score(self, genomes: npt.ArrayLike) -> Scores:
        """Play a batch of genomes and the baseline on new seeds, and return the genomes' scores.

        Genomes of one batch share their seeds, so their scores can be compared more precisely than
        those of different batches. Equal genomes are played once. Batches of an interrupted search
        are not played again; their scores are read from the state.

        Args:
            genomes: steps from the baseline, shape ``[P, K]``.

        Raises:
            InputError: a genome is outside the space, too few games are left, or the batch differs
                from that of the interrupted search.
        """
        checked = self._check_genomes(np.asarray(genomes))
        # The batch is sorted and has no duplicates, so that replayed batches are identical.
        batch, where = np.unique(checked, axis=0, return_inverse=True)
        n_games = self._evaluator.games_of(len(batch), self._n_search_games)
        if n_games > self.n_games_left:
            raise InputError(
                f"a batch of {len(batch)} genomes and the baseline takes {n_games:,} games, but "
                f"only {self.n_games_left:,} are left",
                place=f"optimiser {self.optimiser!r}",
                value=n_games,
                limit=self.n_games_left,
                remedy="score at most `n_affordable` genomes at once",
            )
        self.n_games_left -= n_games
        if self._n_batches == len(self.state.batch_sizes):
            self._play(batch, n_games)
        self._n_batches += 1
        return self._current_scores(batch).take(where.ravel())

    def final_state(self, genomes: npt.ArrayLike) -> AnswerState:
        """Return the final state of the search, with the optimiser's result as its population.

        Genomes that violate a constraint of the search space are removed from the result.

        Args:
            genomes: genomes that the optimiser returned, best first, shape ``[S, K]``.

        Raises:
            InputError: a genome was never played or is outside the space, or all genomes violate a
                constraint.
        """
        checked = self._check_genomes(np.asarray(genomes))
        answer = checked[self.space.allows(checked)]
        if not len(answer):
            raise self._error("every genome that it returned violates a constraint of [tune]")
        chosen = places_in(self.state.seen, answer)
        for stray in answer[chosen < 0].tolist():
            raise self._error(
                f"it returned genome {stray}, which it never scored; return scored genomes"
            )
        last = self.state.seen_scores(self._evaluator, self._n_search_games)
        return replace(self.state, population=answer, scores=last.take(chosen))

    def _check_genomes(self, genomes: npt.NDArray[Any]) -> Steps:
        """Return genomes as an array of int16 after checking that they are within the space.

        Raises:
            InputError: the shape is not ``[P, K]`` with P > 0, the type is not an integer type, or
                a step is outside its range.
        """
        n_genes = len(self.space.genes)
        if genomes.ndim != 2 or genomes.shape[1] != n_genes or not len(genomes):
            shape = [*genomes.shape]
            raise self._error(
                f"the array of genomes has shape {shape}; it must have shape [P, {n_genes}], one "
                "row for each of P > 0 genomes"
            )
        if genomes.dtype.kind not in "iu":
            raise self._error(
                f"the array of genomes has type {genomes.dtype}; it must have an integer type"
            )
        outside = (genomes < self.space.low) | (genomes > self.space.high)
        for row, k in np.argwhere(outside)[:1]:
            low = int(self.space.low[k])
            high = int(self.space.high[k])
            raise self._error(
                f"column {k} of genome {row} is {genomes[row, k]}; it must be from {low} to {high}"
            )
        return genomes.astype(np.int16)

    def _play(self, batch: Steps, n_played: int) -> None:
        """Play a batch, add it to the state, and call `on_batch`.

        Args:
            batch: genomes to play, all different, shape ``[P, K]``.
            n_played: games that the batch takes, over all matchups.
        """
        before = self.state
        purpose = f"search/{before.generation + 1}"
        n_games = self._n_search_games
        scores, points = self._evaluator.score(batch, n_games=n_games, purpose=purpose)
        order = np.lexsort([scores.size, scores.imbalance_pp, scores.violation])
        after = before.after_batch(batch, scores, points, kept=order, n_played=n_played)
        self.state = replace(
            after,
            batch_sizes=np.append(before.batch_sizes, len(batch)),
            played=np.concatenate([before.played, batch]),
            played_scores=before.played_scores.joined(scores),
        )
        self._on_batch(self.state)

    def _current_scores(self, batch: Steps) -> Scores:
        """Return the scores of the current batch from the state.

        Args:
            batch: genomes of the current batch, sorted and without duplicates, ``[P, K]``.

        Raises:
            InputError: the state contains other genomes for this batch, since the optimiser does
                not repeat the batches of the interrupted search.
        """
        sizes = self.state.batch_sizes[: self._n_batches]
        rows: Positions = np.arange(sizes[:-1].sum(), sizes.sum())
        if not np.array_equal(self.state.played[rows], batch):
            raise self._error(
                "it does not repeat the batches that it scored before it was stopped; take random "
                "numbers only from `problem.rng`"
            )
        return self.state.played_scores.take(rows)

    def _error(self, problem: str) -> InputError:
        """Return an error with a message and the optimiser as its place."""
        return InputError(problem, place=f"optimiser {self.optimiser!r}")
