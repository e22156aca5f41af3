"""Assessment of a search's state: the fitted surrogate, and how likely each genome is feasible."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.search.model.response import Response
from balance.search.model.state import ModelState
from balance.statistics.intervals import Flags, Floats, Positions
from balance.verdict.evaluation import Scores

LIKELY = 0.5
"""Probability of feasibility from which on a genome may be the incumbent: more likely than not."""


@dataclass(frozen=True)
class Assessment:
    """Search state with ``S`` evaluated genomes, the surrogate fitted to it, and probabilities.

    Attributes:
        state: state of the search.
        model: surrogate fitted to all games of the state.
        chance: probability that each evaluated genome is feasible, shape [S]; 0 if the genome
            violated a guard in its games.
        scores: scores of the evaluated genomes in all their games, of length S.
    """

    state: ModelState
    model: Response
    chance: Floats
    scores: Scores

    @property
    def is_feasible(self) -> Flags:
        """Whether each evaluated genome is probably feasible, shape [S]."""
        return np.asarray(self.chance >= LIKELY)

    @property
    def incumbents(self) -> Positions:
        """Positions of the probably feasible genomes."""
        return np.flatnonzero(self.is_feasible)

    @property
    def least_size(self) -> float:
        """Size of the smallest probably feasible genome; infinite if there is none."""
        return float(self.scores.size[self.is_feasible].min(initial=np.inf))

    @cached_property
    def by_probability(self) -> Positions:
        """Positions of the evaluated genomes by falling probability, shape [S].

        Ties are broken by lower guard violation, then by lower imbalance.
        """
        return np.lexsort([self.scores.imbalance_pp, self.state.seen_violation, -self.chance])

    @cached_property
    def best(self) -> Positions:
        """Positions of the evaluated genomes, best first, shape [S].

        Probably feasible genomes come first, by rising size. The remaining genomes follow by
        falling probability of feasibility.
        """
        likeliest = self.by_probability
        size = np.where(self.is_feasible, self.scores.size, np.inf)[likeliest]
        return likeliest[np.argsort(size, kind="stable")]

    def is_idle_since(self, n_before: int) -> bool:
        """Return whether the smallest incumbent is among the first genomes, or ties with one.

        Current probabilities decide, because an earlier incumbent may have been feasible only by
        chance.

        Args:
            n_before: number of first genomes, by the order of their evaluation.
        """
        earlier = self.scores.size[:n_before][self.is_feasible[:n_before]]
        return bool(earlier.min(initial=np.inf) <= self.least_size)
