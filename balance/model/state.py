"""State of a model search between two rounds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from balance.evaluation import UNPLAYABLE, Evaluator, read_guards, worst_breach
from balance.evolution import add_to_seen
from balance.model.design import Baseline
from balance.readings import Readings
from balance.search import SearchState
from balance.search_space import SearchSpace, Steps
from balance.statistics.intervals import Floats


@dataclass(frozen=True)
class ModelState(SearchState):
    """Search state with the data of a surrogate; a generation is a racing round.

    Attributes:
        seen_growth: growth of the first seat's lead of each evaluated genome, summed over its
            evaluations, shape [S].
        centres: genomes around which sensitivities were measured, in that order, shape [L, K].
        is_done: 1 once the last round has been played, else 0.
        begun: generation from which rounds count; above 0 after the search space was relaxed.
        games_before: games played before that generation.
        scores_before: evaluations before that generation.
    """

    seen_growth: Floats
    centres: Steps
    is_done: int
    begun: int = field(default=0, kw_only=True)
    games_before: int = field(default=0, kw_only=True)
    scores_before: int = field(default=0, kw_only=True)

    @classmethod
    def beginning(cls, evaluator: Evaluator) -> ModelState:
        """Return the state before the first round.

        Args:
            evaluator: contest, search space and demands.
        """
        no_centres = np.zeros((0, len(evaluator.space.genes)), dtype=np.int16)
        return cls.nothing(evaluator, seen_growth=np.zeros(0), centres=no_centres, is_done=0)

    def in_space(self, before: SearchSpace, space: SearchSpace) -> Self:
        """Return the state with which the search continues in a relaxed space.

        Its evaluated genomes are kept, but not its centres: sensitivities measured in the old space
        lack the numbers that only the new one may change.

        Args:
            before: the space so far.
            space: the relaxed space.
        """
        return replace(
            super().in_space(before, space),
            centres=np.zeros((0, len(space.genes)), dtype=np.int16),
            is_done=0,
            begun=self.generation,
            games_before=int(self.history[-1, 0]),
            scores_before=int(self.seen_times.sum()),
        )

    def with_played(
        self,
        evaluator: Evaluator,
        baseline: Baseline,
        genomes: Steps,
        readings: Readings,
        times: int = 1,
    ) -> ModelState:
        """Return the state after further evaluations of some genomes.

        Args:
            evaluator: contest, search space and demands.
            baseline: readings of the unchanged game.
            genomes: genomes that were played, shape [V, K].
            readings: readings of their games.
            times: how many evaluations these games are, for each genome.
        """
        sums = {
            "seen_points": (self.seen_points, evaluator.demands.points(readings)),
            "seen_violation": (
                self.seen_violation,
                times * _violations(evaluator, baseline, readings),
            ),
            "seen_times": (self.seen_times, np.full(len(genomes), times)),
            "seen_growth": (self.seen_growth, times * baseline.growth(readings)),
        }
        return replace(self, **add_to_seen(self.seen, genomes, sums))


def _violations(evaluator: Evaluator, baseline: Baseline, readings: Readings) -> Floats:
    """Return the violations of the guards on draws and game length in some games, shape [V].

    The guard on the first seat's lead is left to the surrogate, which pools the games of all
    genomes.

    Args:
        evaluator: the guards.
        baseline: readings of the unchanged game.
        readings: readings of V genomes.
    """
    guards = read_guards(readings)
    today = baseline.guards
    error = np.sqrt(np.maximum(guards.draw_rate, 0.0) / readings.n_games)
    shift = np.abs(guards.median_turns / today.median_turns - 1)
    no_growth = np.zeros(len(shift))
    # One standard error in favour of the genome: draws are rare, and few games must not exclude it.
    violation = worst_breach(evaluator.guards, guards.draw_rate - error, no_growth, shift)
    violation[list(readings.faults)] = UNPLAYABLE
    return violation
