"""The state of a model search between two rounds: what it played, and what a model makes of it."""

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
    """A search state with what else a model is fitted to; a generation is a round of races.

    Attributes:
        seen_growth: ``[S]`` sum over its evaluations of the growth of the first seat's lead.
        centres: ``[L, K]`` genomes around which levers were measured, one after the other.
        is_done: 1 once the last round has been played, else 0.
        begun: the generation from which its rounds count; above 0 once it was begun anew.
        games_before: all games before that.
        scores_before: all evaluations before that.
    """

    seen_growth: Floats
    centres: Steps
    is_done: int
    begun: int = field(default=0, kw_only=True)
    games_before: int = field(default=0, kw_only=True)
    scores_before: int = field(default=0, kw_only=True)

    @classmethod
    def beginning(cls, evaluator: Evaluator) -> ModelState:
        """Before the first round."""
        no_centres = np.zeros((0, len(evaluator.space.genes)), dtype=np.int16)
        return cls.nothing(evaluator, seen_growth=np.zeros(0), centres=no_centres, is_done=0)

    def in_space(self, before: SearchSpace, space: SearchSpace) -> Self:
        """Without levers: those of another space would tell nothing of its other numbers."""
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
        """The state when ``[V, K]`` genomes have had so many more evaluations, all of a kind."""
        sums = {
            "seen_points": (self.seen_points, evaluator.demands.points(readings)),
            "seen_violation": (
                self.seen_violation,
                times * _violation(evaluator, baseline, readings),
            ),
            "seen_times": (self.seen_times, np.full(len(genomes), times)),
            "seen_growth": (self.seen_growth, times * baseline.growth(readings)),
        }
        return replace(self, **add_to_seen(self.seen, genomes, sums))


def _violation(evaluator: Evaluator, baseline: Baseline, readings: Readings) -> Floats:
    """``[V]`` breaches of the guards on draws and length; the lead is the model's business."""
    read = read_guards(readings)
    today = baseline.guards
    error = np.sqrt(np.maximum(read.draw_rate, 0.0) / readings.n_games)
    shift = np.abs(read.median_turns / today.median_turns - 1)
    nothing = np.zeros(len(shift))
    violation = worst_breach(evaluator.guards, read.draw_rate - error, nothing, shift)
    violation[list(readings.faults)] = UNPLAYABLE
    return violation
