"""The assistant of an evolution: a model of what edits do proposes and screens, games decide.

Groundwork tells what every number does before the first generation. Then, generation by generation,
the model learns from what was played, proposes genomes by its beam, and predicts scores of these
and of all children; of those predictions the optimiser itself chooses what to play.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from balance.evaluation import UNPLAYABLE, Scores, worst_breach
from balance.model.beam import promising
from balance.model.groundwork import Groundwork
from balance.model.response import Played, Response
from balance.model.wishes import Wishes
from balance.search import SearchState
from balance.search_space import Steps
from balance.statistics.intervals import Positions

_LEARNED_FROM = 300  # genomes at most: fitting takes the cube of it


class ModelAssistant(Groundwork):
    """Knows a contest by its groundwork, and an evolution's state by what it played."""

    def screened(
        self, state: SearchState, bred: Steps, survivors: Callable[[Scores], Positions]
    ) -> Steps:
        """``[P, K]`` what the optimiser would keep of ``[B, K]`` children and of the beam.

        Args:
            state: all that has been played.
            bred: what the operators have made.
            survivors: the optimiser's choice, by predicted scores.
        """
        model = Response.fit(self.baseline, self.slopes, self._learned(state))
        wishes = self.wishes()
        found = promising(model, self.features, self.evaluator.space, wishes)
        genomes = np.concatenate([state.population, bred, self.features.genomes(found)])
        _, first = np.unique(genomes, axis=0, return_index=True)
        new = genomes[np.sort(first[first >= len(state.population)])]
        if not len(new):
            return new
        return new[survivors(self._predicted(model, new, wishes))]

    def _predicted(self, model: Response, genomes: Steps, wishes: Wishes) -> Scores:
        """Scores of ``[B, K]`` genomes, of whose guards only the first seat's is foreseen."""
        means = model.mean(self.features.read(genomes))
        guards = self.evaluator.guards
        nothing = np.zeros(len(genomes))
        growth_pp = guards.max_first_seat_pp + 100 * (means[:, -1] - wishes.most_growth)
        violation = worst_breach(guards, nothing, growth_pp, nothing)
        return self.evaluator.scores_of(genomes, wishes.rates(means), violation)

    def _learned(self, state: SearchState) -> Played:
        """What was played most often and last; of the first seat, the design has told all."""
        playable = np.flatnonzero(state.seen_violation < UNPLAYABLE)
        some = playable[np.lexsort([-playable, -state.seen_times[playable]])][:_LEARNED_FROM]
        played = self.played(state, some, np.zeros(len(some)))
        played.variance[:, -1] = np.nan
        return played
