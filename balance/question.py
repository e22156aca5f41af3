"""A question as an optimiser from outside is asked it: numbers, demands, and games to spend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.evaluation import Evaluator, Scores
from balance.evolution import places_in
from balance.search import SearchState
from balance.search_space import Steps
from balance.statistics.intervals import Counts, Positions
from sim import InputError, generator


@dataclass(frozen=True)
class AnswerState(SearchState):
    """A search state with all batches, so that a search that was stopped can be played back.

    Attributes:
        batch_sizes: ``[B]`` genomes of each batch.
        played: ``[E, K]`` the genomes of all batches, one after the other.
        played_scores: ``[E]`` what they came to.
    """

    batch_sizes: Counts
    played: Steps
    played_scores: Scores

    @classmethod
    def beginning(cls, evaluator: Evaluator) -> AnswerState:
        """Before anything has been played."""
        return cls.nothing(
            evaluator,
            batch_sizes=np.zeros(0, dtype=np.int64),
            played=np.zeros((0, len(evaluator.space.genes)), dtype=np.int16),
            played_scores=Scores.none(evaluator.demands.n_rates),
        )


class Question:
    """What is to be balanced, scores for the asking, and a meter of the games that they take.

    Attributes:
        optimiser: who is asked.
        space: the ``K`` numbers, and how far each may move.
        demands: what the win rates should be.
        rng: for the optimiser's own randomness, the same for the same run seed.
        n_games_left: games that may still be played, all matchups together.
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
        """Ask it.

        Args:
            optimiser: who is asked; errors name it.
            evaluator: plays and scores genomes.
            n_games: games that may be played, all matchups together.
            n_search_games: games per matchup of one score.
            state: of the same question, which was stopped; default its beginning.
            on_batch: called with the state after every batch (progress, checkpoints).
        """
        self.optimiser = optimiser
        self.n_games_left = n_games
        self.space = evaluator.space
        self.demands = evaluator.demands
        self.rng = generator(evaluator.run_seed, f"operators/{optimiser}")
        self.state = AnswerState.beginning(evaluator) if state is None else state
        self._evaluator = evaluator
        self._on_batch = on_batch
        self._n_search_games = n_search_games
        self._n_batches = 0

    @property
    def n_affordable(self) -> int:
        """How many different genomes one more batch may hold."""
        of_today = self._evaluator.games_of(0, self._n_search_games)
        return max(self.n_games_left // of_today - 1, 0)

    def score(self, genomes: npt.ArrayLike) -> Scores:
        """Scores of ``[P, K]`` genomes, by games on seeds of their own.

        Genomes of one batch meet the same luck, so only they can be compared closely. Today's
        numbers are played along with each batch; equal genomes are played once.

        Raises:
            InputError: a genome is none of the space, or too few games are left.
        """
        given = self._checked(np.asarray(genomes))
        batch, where = np.unique(given, axis=0, return_inverse=True)
        n_games = self._evaluator.games_of(len(batch), self._n_search_games)
        if n_games > self.n_games_left:
            raise InputError(
                f"optimiser {self.optimiser!r}: a batch of {len(batch)} and today's takes "
                f"{n_games:,} games; it has {self.n_games_left:,} left"
            )
        self.n_games_left -= n_games
        if self._n_batches == len(self.state.batch_sizes):
            self._play(batch, n_games)
        self._n_batches += 1
        return self._replayed(batch).take(where.ravel())

    def answered(self, genomes: npt.ArrayLike) -> AnswerState:
        """The state at the end, whose population is the answer: what of it the space allows.

        Args:
            genomes: ``[S, K]`` those worth playing again, best first.

        Raises:
            InputError: one of them was never played, or none is left.
        """
        given = self._checked(np.asarray(genomes))
        answer = given[self.space.allows(given)]
        if not len(answer):
            raise self._error("all that it returned breaks what patches have to keep")
        chosen = places_in(self.state.seen, answer)
        for stray in answer[chosen < 0].tolist():
            raise self._error(f"it returned a genome that it did not play: {stray}")
        last = self.state.seen_scores(self._evaluator, self._n_search_games)
        return replace(self.state, population=answer, scores=last.take(chosen))

    def _checked(self, genomes: npt.NDArray[Any]) -> Steps:
        """`genomes`, if they are some and all in the space."""
        n_genes = len(self.space.genes)
        if genomes.ndim != 2 or genomes.shape[1] != n_genes or not len(genomes):
            raise self._error(f"genomes are [P, {n_genes}] with P > 0, not {[*genomes.shape]}")
        if genomes.dtype.kind not in "iu":
            raise self._error(f"genomes are whole numbers, not {genomes.dtype}")
        outside = (genomes < self.space.low) | (genomes > self.space.high)
        for row, k in np.argwhere(outside)[:1]:
            low = int(self.space.low[k])
            high = int(self.space.high[k])
            raise self._error(f"step {genomes[row, k]} of number {k} is outside {low} to {high}")
        return genomes.astype(np.int16)

    def _play(self, batch: Steps, n_played: int) -> None:
        before = self.state
        purpose = f"search/{before.generation + 1}"
        n_games = self._n_search_games
        scores, points = self._evaluator.score(batch, n_games=n_games, purpose=purpose)
        order = np.lexsort([scores.change, scores.imbalance_pp, scores.violation])
        after = before.after_batch(batch, scores, points, kept=order, n_played=n_played)
        self.state = replace(
            after,
            batch_sizes=np.append(before.batch_sizes, len(batch)),
            played=np.concatenate([before.played, batch]),
            played_scores=before.played_scores.joined(scores),
        )
        self._on_batch(self.state)

    def _replayed(self, batch: Steps) -> Scores:
        """The scores of the batch that was played last, now or before the search was stopped."""
        sizes = self.state.batch_sizes[: self._n_batches]
        rows: Positions = np.arange(sizes[:-1].sum(), sizes.sum())
        if not np.array_equal(self.state.played[rows], batch):
            raise self._error("it does not repeat what it did before it was stopped")
        return self.state.played_scores.take(rows)

    def _error(self, problem: str) -> InputError:
        return InputError(f"optimiser {self.optimiser!r}: {problem}")
