"""State of a model-based search between two rounds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from balance.contest.readings import Readings
from balance.search.evolution import add_to_seen
from balance.search.evolutionary_search import SearchState
from balance.search.model.design import Baseline
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Floats
from balance.verdict.evaluation import UNPLAYABLE, Evaluator
from balance.verdict.first_seat_guard import FirstSeatGuard
from balance.verdict.guards import GUARDS, guard_values, largest_of, read_guards, worst_breach


@dataclass(frozen=True, repr=False)
class ModelState(SearchState):
    """State of a model-based search, in which a generation is a racing round.

    Attributes:
        seen_growth: growth of the first seat's lead with each evaluated genome, summed over its
            evaluations, shape [S].
        centres: genomes around which sensitivities were measured, oldest first, shape [L, K].
        is_done: 1 after the last round, else 0.
        begun: generation at which the current search space came into use; 0 for the first space.
        games_before: number of games played before generation `begun`.
        scores_before: number of evaluations of genomes before generation `begun`.
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
            evaluator: evaluator of the search, which has the search space and the demands.
        """
        no_centres = np.zeros((0, len(evaluator.space.genes)), dtype=np.int16)
        return cls.nothing(evaluator, seen_growth=np.zeros(0), centres=no_centres, is_done=0)

    def in_space(self, before: SearchSpace, space: SearchSpace) -> Self:
        """Return the state with which the search continues in a relaxed space.

        Evaluated genomes are kept. Centres are removed, because their sensitivities lack the
        numbers that only the relaxed space may change.

        Args:
            before: search space of this state.
            space: relaxed search space.
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
        """Return the state with the results of further games added.

        Args:
            evaluator: evaluator of the search, which has the demands and the guards.
            baseline: readings of the unchanged game.
            genomes: genomes that were played, shape [V, K].
            readings: readings of their games, with V variants.
            times: number of evaluations of each genome that the games amount to.
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
    """Return the largest violation of a guard other than that on the first seat, shape [V].

    The violation is `UNPLAYABLE` for genomes with games that never end. The guard on the first
    seat's lead is left to the surrogate, which pools the games of all genomes.

    Args:
        evaluator: evaluator that has the guards.
        baseline: readings of the unchanged game, with which the game length is compared.
        readings: readings of V genomes.
    """
    of_parts = list[dict[str, Floats]]()
    for part, today in zip(readings.parts, baseline.guards, strict=True):
        # The first seat is left out before values are computed, which would need equal seeds.
        read = read_guards(part.readings)
        now = {name: quantity for name, quantity in read.items() if name != FirstSeatGuard.name}
        # One standard error in favour of the genome, because few games must not exclude a genome
        # for a rare event such as a draw.
        of_parts.append(
            {
                name: value - GUARDS[name].rare_event_error(now[name], part.readings.n_games)
                for name, value in guard_values(now, today).items()
            }
        )
    violation = worst_breach(evaluator.guards, largest_of(of_parts), len(readings.points))
    violation[list(readings.faults)] = UNPLAYABLE
    return violation
