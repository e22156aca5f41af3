"""Numbers of a search space in groups: all numbers of one card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.statistics.intervals import Positions
from sim.play.table import OF_RULES


@dataclass(frozen=True)
class CardGroups:
    """The ``K`` numbers of a search space, grouped by the ``C`` cards that own them.

    Numbers of the rules belong to no group.

    Attributes:
        cards: positions of the cards in the pool, rising, shape [C].
        order: positions of the numbers of cards, those of each card together, shape [K'].
        first: place in `order` of the first number of each card, shape [C].
    """

    cards: Positions
    order: Positions
    first: Positions

    @classmethod
    def of(cls, owners: Positions) -> CardGroups:
        """Return the groups of numbers with given owners.

        Args:
            owners: position of the card of each number, `OF_RULES` for numbers of the rules, [K].
        """
        order = np.argsort(owners, kind="stable")
        order = order[owners[order] != OF_RULES]
        cards, first = np.unique(owners[order], return_index=True)
        return cls(cards, order, first)

    @property
    def numbers(self) -> list[Positions]:
        """Positions of the numbers of each card, rising, one array per card."""
        return np.split(self.order, self.first[1:]) if len(self.cards) else []

    def largest(self, values: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """Return the largest value of each card's numbers, shape [C, P].

        Args:
            values: values of all numbers, shape [P, K].
        """
        if not len(self.cards):
            return np.zeros((0, len(values)), dtype=np.int16)
        # One row for each number: maxima of whole rows are much faster than of short parts of rows.
        by_number = np.ascontiguousarray(values.T)[self.order]
        return np.asarray(np.maximum.reduceat(by_number, self.first, axis=0))

    def touched(self, steps: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
        """Return whether a number of each card is edited, shape [C, P].

        Args:
            steps: genomes, shape [P, K].
        """
        return np.asarray(self.largest(np.abs(steps)) > 0)
