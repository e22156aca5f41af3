"""The space of a search: the numbers that may move, and how far."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from balance.statistics.arithmetic import log10, weighted_sum
from balance.statistics.intervals import Counts, Floats
from sim.play.table import Gene

Steps = npt.NDArray[np.int16]


@dataclass(frozen=True)
class SearchSpace:
    """``K`` genes; a genome is ``[K]`` steps from today's numbers.

    Attributes:
        genes: the numbers.
        low: ``[K]`` lowest step of each, 0 or below.
        high: ``[K]`` highest step, 0 or above.
        weights: ``[K]`` what one step counts in `change`.
    """

    genes: tuple[Gene, ...]
    low: Steps
    high: Steps
    weights: Floats

    @property
    def log10_size(self) -> float:
        """How many genomes there are, as a power of ten."""
        return log10(prod((self.high.astype(int) - self.low + 1).tolist()))

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards that some gene moves."""
        return tuple(dict.fromkeys(gene.owner for gene in self.genes))

    def restricted_to(self, cards: Collection[int]) -> SearchSpace:
        """The same space with only the genes of `cards`."""
        kept = [k for k, gene in enumerate(self.genes) if gene.owner in cards]
        return SearchSpace(
            tuple(self.genes[k] for k in kept), self.low[kept], self.high[kept], self.weights[kept]
        )

    def change(self, steps: Steps) -> Floats:
        """``[P]`` weighted sum of absolute steps of ``[P, K]`` genomes."""
        return weighted_sum(np.abs(steps), self.weights)

    def cards_touched(self, steps: Steps) -> Counts:
        """``[P]`` number of cards with an edit."""
        owners = np.array([gene.owner for gene in self.genes])
        touched = [(steps[:, owners == card] != 0).any(axis=1) for card in self.cards]
        return np.asarray(np.sum(touched, axis=0, dtype=np.int64))
