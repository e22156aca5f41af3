"""Numbers of a search space in groups: all numbers of one card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import types

from balance.statistics.intervals import Positions
from sim.engine.compiled import compiled, none
from sim.play.table import OF_RULES

_Steps = types.Array(types.int16, 2, "C")
_Groups = types.Array(types.int64, 1, "C")
_Marks = types.Array(types.boolean, 2, "C")


@dataclass(frozen=True)
class CardGroups:
    """The ``K`` numbers of a search space, grouped by the ``C`` cards that own them.

    Numbers of the rules belong to no group.

    Attributes:
        cards: positions of the cards in the pool, rising, shape [C].
        order: positions of the numbers of cards, those of each card together, shape [K'].
        first: place in `order` of the first number of each card, shape [C].
        group: position of each number's card in `cards`, -1 for numbers of the rules, shape [K].
    """

    cards: Positions
    order: Positions
    first: Positions
    group: Positions

    @classmethod
    def of(cls, owners: Positions) -> CardGroups:
        """Return the groups of numbers with given owners.

        Args:
            owners: position of the card of each number, `OF_RULES` for numbers of the rules, [K].
        """
        order = np.argsort(owners, kind="stable")
        order = order[owners[order] != OF_RULES]
        cards, first = np.unique(owners[order], return_index=True)
        group = np.full(len(owners), -1, dtype=np.intp)
        group[order] = np.searchsorted(cards, owners[order])
        return cls(cards, order, first, group)

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
        touched = np.zeros((len(steps), len(self.cards)), dtype=np.bool_)
        _mark_touched(np.ascontiguousarray(steps, dtype=np.int16), self.group, touched)
        return touched.T


@compiled(none(_Steps, _Groups, _Marks), from_python=True)
def _mark_touched(
    steps: npt.NDArray[np.int16], group: Positions, touched: npt.NDArray[np.bool_]
) -> None:
    """Mark the cards that each genome edits.

    Args:
        steps: genomes, shape [P, K].
        group: position of each number's card, -1 for numbers of the rules, shape [K].
        touched: array in which the cards are marked, shape [P, C].
    """
    for genome in range(len(steps)):
        for number in range(len(group)):
            if steps[genome, number] != 0 and group[number] >= 0:
                touched[genome, group[number]] = True
