"""Candidates of a round of the search: the genomes that the surrogate proposes, and their choice.

The acquisition is the expected number of steps that a candidate saves against the incumbent: its
probability of feasibility times the difference of sizes. Expected savings as acquisition reduced
patches of four decks from 17 and 18 steps to 14 and 15 (decision 0012).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.search.evolution import places_in
from balance.search.model.assessment import Assessment
from balance.search.model.beam import promising
from balance.search.model.features import Features
from balance.search.model.requirements import Requirements
from balance.search.model.response import Response
from balance.search.selection import NOT_RULED_OUT
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Flags, Floats, Positions

# Maximum number of new candidates in a round. Trade-off: larger rounds use the processors better,
# smaller rounds fit the surrogate more often. Chosen by hand, not tuned.
_RACED = 32
# Maximum number of incumbents that play again in each round, so that incumbents that were only
# lucky are removed. Chosen by hand.
_AGAIN = 6
# Genomes of a typical round, in which fewer than six incumbents play again. Only the estimates of
# games and time use this number.
USUAL_ROUND = 36
LARGEST_ROUND = _RACED + _AGAIN  # genomes of the largest possible round
# Number of evaluations after which a genome plays no further rounds: the standard error of its
# rates is then about a third of that after one evaluation. Chosen by hand.
ENOUGH_EVALUATIONS = 8
# Minimum probability of a smaller candidate for which the search continues. Higher than
# `NOT_RULED_OUT`, so that a search with incumbents spends no rounds on improbable candidates.
# Chosen by hand.
_POSSIBLE = 0.03
# Number of probably feasible genomes before the search may end, since the selection rejects some of
# them. Chosen by hand.
GOOD_ENOUGH = 3
# Number of candidates with the least predicted distance for which the probability is computed: that
# of all candidates of a hard question would take longer than the beam. Chosen by hand.
_NEAR = 1_500
# Value of a candidate as large as the incumbent, in steps saved: it saves nothing but is a second
# incumbent. Chosen by hand.
_AS_MUCH = 0.25
# Value of a candidate larger than the incumbent, in steps saved: it only insures against an
# incumbent that fails. Chosen by hand.
_BEYOND = 0.1
FRONT = 8
"""Maximum number of genomes in the last round, spread over the front; chosen by hand."""


class Candidates(NamedTuple):
    """``B`` genomes that the surrogate proposes for evaluation, by rising size.

    Attributes:
        genomes: genomes in signed steps from the baseline, shape [B, K].
        size: size of each genome (`SearchSpace.size`), shape [B].
        worst: largest predicted distance of a rate from its target, as a share of games, shape [B].
        chance: probability of feasibility of each genome, shape [B]; taken to be 0 for genomes with
            many others nearer to the targets.
        unit: smallest weight of a step, in which savings are counted.
    """

    genomes: Steps
    size: Floats
    worst: Floats
    chance: Floats
    unit: float

    @classmethod
    def of(
        cls,
        model: Response,
        features: Features,
        space: SearchSpace,
        requirements: Requirements,
        width: int,
    ) -> Candidates:
        """Return the genomes with the best predictions of each size, found by a beam search.

        Args:
            model: surrogate that predicts the win rates of genomes.
            features: the steps that genomes consist of.
            space: search space of the genomes.
            requirements: the demands and the limit on the first seat's lead.
            width: width of the beam, `beam.NARROW` or `beam.WIDE`.
        """
        found = promising(model, features, space, requirements, width)
        worst, _ = requirements.misses(model.mean(found))
        nearest = np.argsort(worst, kind="stable")[:_NEAR]
        chance = np.zeros(len(found))
        chance[nearest] = requirements.chance(model, found[nearest])
        genomes = features.genomes(found)
        return cls(genomes, space.size(genomes), worst, chance, float(space.weights.min()))

    def are_promising(self, assessment: Assessment) -> Flags:
        """Return whether each candidate is possibly feasible and smaller than all incumbents, [B].

        Args:
            assessment: state of the search, with its incumbents.
        """
        is_smaller = self.size < assessment.least_size
        return np.asarray(is_smaller & (self.chance >= _POSSIBLE))

    def next_round(self, assessment: Assessment) -> Steps:
        """Return the genomes of the next round: candidates with the largest acquisition values.

        If few candidates are possible, those nearest to the targets are added. The smallest
        incumbents play again.

        Args:
            assessment: state of the search, with its incumbents.

        Returns:
            At most `LARGEST_ROUND` genomes, shape [V, K]. Empty if there are at least three
            probably feasible genomes and no smaller candidate is possibly feasible.
        """
        incumbents = assessment.incumbents
        if len(incumbents) >= GOOD_ENOUGH and not self.are_promising(assessment).any():
            return self.genomes[:0]
        is_open = self._are_open(assessment)
        order = np.lexsort([self.size, -self._acquisition(assessment)])
        chosen = order[(is_open & (self.chance >= NOT_RULED_OUT))[order]][:_RACED]
        if len(chosen) < _RACED // 4:
            # Hardly any candidate is possible, so the surrogate needs data near the targets.
            nearest = np.argsort(self.worst, kind="stable")
            chosen = np.union1d(chosen, nearest[is_open[nearest]][: _RACED - len(chosen)])
        by_size = np.lexsort([-assessment.chance[incumbents], assessment.scores.size[incumbents]])
        again = incumbents[by_size][:_AGAIN]
        genomes = np.concatenate([self.genomes[chosen], assessment.state.seen[again]])
        # An incumbent may also be a candidate: keep the first of equal genomes, in this order.
        return np.asarray(genomes[np.sort(np.unique(genomes, axis=0, return_index=True)[1])])

    def _are_open(self, assessment: Assessment) -> Flags:
        """Return whether each candidate may play: it was played seldom, and is not too large, [B].

        Args:
            assessment: state of the search, with its incumbents.
        """
        state = assessment.state
        # The position of a genome that was never evaluated is -1, which selects the appended 0.
        n_evaluations = np.append(state.seen_times, 0)[places_in(state.seen, self.genomes)]
        is_small = self.size <= assessment.least_size + self.unit
        return np.asarray((n_evaluations < ENOUGH_EVALUATIONS) & is_small)

    def _acquisition(self, assessment: Assessment) -> Floats:
        """Return the value of playing each candidate, shape [B].

        With P as probability of feasibility it is ``sqrt(P) / (size + 1)`` before there is an
        incumbent, and ``P * saving`` later.

        Args:
            assessment: state of the search, with its incumbents.
        """
        least = assessment.least_size
        if least == np.inf:
            return np.asarray(np.sqrt(self.chance) / (self.size + 1))
        saving = np.maximum((least - self.size) / self.unit, 0.0)
        return np.asarray(self.chance * (saving + np.where(self.size > least, _BEYOND, _AS_MUCH)))

    def front(self, assessment: Assessment) -> Steps:
        """Return the genomes of the last round: the best candidates of smaller sizes.

        They give a designer a choice between size and balance.

        Args:
            assessment: state of the search, with its incumbents.

        Returns:
            At most `FRONT` genomes, shape [V, K], spread evenly over the sizes below that of the
            incumbent. If no genome is possibly feasible, the candidates nearest to the targets; if
            no smaller size has a candidate, the best genome of the population.
        """
        if assessment.chance.max(initial=0.0) < NOT_RULED_OUT:
            return np.asarray(self.genomes[np.argsort(self.worst, kind="stable")[:FRONT]])
        order: Positions = np.lexsort([self.worst, self.size])
        order = order[(self.size[order] < assessment.least_size) & (self.size[order] > 0)]
        _, first = np.unique(self.size[order], return_index=True)
        if not len(first):
            return assessment.state.population[:1]  # a round needs at least one genome
        spaced = np.unique(np.linspace(0, len(first) - 1, FRONT).round().astype(np.intp))
        return np.asarray(self.genomes[order[first[spaced]]])
