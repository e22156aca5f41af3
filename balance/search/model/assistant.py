"""Model assistance of an evolution: a surrogate proposes and screens children.

The initial design measures the effect of every number before the first generation. In every
generation the surrogate is fitted to all games played so far, adds the genomes of its beam search
to the children, and predicts the scores of both. The optimiser selects by these predictions which
genomes to play; it ranks the played genomes by their games alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from balance.search.evolutionary_search import SearchState
from balance.search.model.beam import promising
from balance.search.model.initial_design import InitialDesign
from balance.search.model.requirements import Requirements
from balance.search.model.response import Played, Response
from balance.space.search_space import Steps
from balance.statistics.intervals import Positions
from balance.verdict.evaluation import UNPLAYABLE, Scores
from balance.verdict.first_seat_guard import FirstSeatGuard
from balance.verdict.guards import worst_breach

# Maximum number of genomes that the surrogate is fitted to: the time of a fit grows with its cube.
# Chosen by hand so that a fit takes less time than a generation's games.
_LEARNED_FROM = 300


class ModelAssistant(InitialDesign):
    """Assistant of an evolution that proposes and screens children with a surrogate.

    The surrogate is fitted to an initial design and to the genomes evaluated so far.
    """

    def screen_children(
        self, state: SearchState, bred: Steps, survivors: Callable[[Scores], Positions]
    ) -> Steps:
        """Propose genomes by beam search, and return the new genomes with the best predictions.

        Args:
            state: state of the evolution, with all genomes evaluated so far.
            bred: children made by the operators, shape [B, K].
            survivors: selection of the optimiser: function from the scores of genomes to the
                positions of those that it keeps.

        Returns:
            Selected genomes, shape [P, K]. They come from the children and the beam search, without
            duplicates and without members of the population.
        """
        model = Response.fit(self.baseline, self.slopes, self._select_data(state))
        requirements = self.requirements()
        proposed = promising(model, self.features, self.evaluator.space, requirements)
        genomes = np.concatenate([state.population, bred, self.features.genomes(proposed)])
        _, first = np.unique(genomes, axis=0, return_index=True)
        # The population comes first, so a first occurrence after it is a new genome.
        new = genomes[np.sort(first[first >= len(state.population)])]
        if not len(new):
            return new
        return new[survivors(self._predict_scores(model, new, requirements))]

    def _predict_scores(
        self, model: Response, genomes: Steps, requirements: Requirements
    ) -> Scores:
        """Return the predicted scores of ``B`` genomes.

        The guard on the first seat's lead is predicted; the other guards count as satisfied.

        Args:
            model: surrogate that predicts the win rates and the lead.
            genomes: genomes to predict, shape [B, K].
            requirements: the demands and the limit on the first seat's lead.
        """
        means = model.mean(self.features.read(genomes))
        guards = self.evaluator.guards
        growth_pp = guards.max_first_seat_pp + 100 * (means[:, -1] - requirements.most_growth)
        violation = worst_breach(guards, {FirstSeatGuard.name: growth_pp}, len(genomes))
        return self.evaluator.scores_of(genomes, requirements.rates(means), violation)

    def _select_data(self, state: SearchState) -> Played:
        """Return the results of at most 300 evaluated genomes, as data of the surrogate.

        Genomes with more evaluations are preferred, then those evaluated more recently. Genomes
        with endless games are left out. The growth of the first seat's lead is marked as not
        played, because the state of an evolution does not record it.
        """
        playable = np.flatnonzero(state.seen_violation < UNPLAYABLE)
        selected = playable[np.lexsort([-playable, -state.seen_times[playable]])][:_LEARNED_FROM]
        played = self.played(state, selected, np.zeros(len(selected)))
        played.variance[:, -1] = np.nan
        return played
