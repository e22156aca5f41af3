"""The assistant of an evolution: a model of what edits do proposes and screens, games decide.

Groundwork tells what every number does before the first generation. Then, generation by generation,
the model learns from what was played, proposes genomes by its beam, and predicts scores of these
and of all children; of those predictions the optimiser itself chooses what to play.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from balance.evaluation import UNPLAYABLE, Evaluator, Scores, worst_breach
from balance.model.beam import promising
from balance.model.groundwork import Groundwork
from balance.model.response import Played, Response
from balance.model.wishes import Wishes
from balance.search import SearchState
from balance.search_space import Steps
from balance.settings import Games
from balance.statistics.intervals import Positions

_LEARNED_FROM = 300  # genomes at most: fitting takes the cube of it


class ModelAssistant:
    """Knows a contest by a model, and an evolution's state by what it played.

    Attributes:
        evaluator: knows contest, numbers and demands.
    """

    def __init__(self, evaluator: Evaluator, games: Games) -> None:
        """Nothing is played yet.

        Args:
            evaluator: knows contest, numbers and demands.
            games: games per matchup: `matchups` measure today, `search` is one evaluation.
        """
        self.evaluator = evaluator
        self._ground = Groundwork(evaluator, games)

    @property
    def n_games(self) -> int:
        """Games of the groundwork, all matchups together."""
        return self._ground.n_games_before

    def screened(
        self, state: SearchState, bred: Steps, survivors: Callable[[Scores], Positions]
    ) -> Steps:
        """``[P, K]`` what the optimiser would keep of ``[B, K]`` children and of the beam.

        Args:
            state: all that has been played.
            bred: what the operators have made.
            survivors: the optimiser's choice, by predicted scores.
        """
        ground, wishes = self._ground, self._ground.wishes()
        model = Response.fit(ground.baseline, ground.slopes, self._learned(state))
        found = promising(model, ground.features, self.evaluator.space, wishes)
        genomes = np.concatenate([state.population, bred, ground.features.genomes(found)])
        _, first = np.unique(genomes, axis=0, return_index=True)
        new = genomes[np.sort(first[first >= len(state.population)])]
        if not len(new):
            return new
        return new[survivors(self._predicted(model, new, wishes))]

    def _predicted(self, model: Response, genomes: Steps, wishes: Wishes) -> Scores:
        """Scores of ``[B, K]`` genomes, of whose guards only the first seat's is foreseen."""
        means = model.mean(self._ground.features.read(genomes))
        guards, nothing = self.evaluator.guards, np.zeros(len(genomes))
        growth_pp = guards.max_first_seat_pp + 100 * (means[:, -1] - wishes.most_growth)
        violation = worst_breach(guards, nothing, growth_pp, nothing)
        return self.evaluator.scores_of(genomes, wishes.rates(means), violation)

    def _learned(self, state: SearchState) -> Played:
        """What was played most often and last; of the first seat, the design has told all."""
        playable = np.flatnonzero(state.seen_violation < UNPLAYABLE)
        some = playable[np.lexsort([-playable, -state.seen_times[playable]])][:_LEARNED_FROM]
        played = self._ground.played(state, some, np.zeros(len(some)))
        played.variance[:, -1] = np.nan
        return played
