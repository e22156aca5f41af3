"""Sense: rules that a patch of cards keeps as a whole, whatever it would do for win rates.

Those of a single number, that attack and cost do not sink to 0, are bounds of its range
(`balance.card_space`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.dominance import Dominance
from balance.search_space import Constraint, SearchSpace, Steps
from balance.statistics.intervals import Counts, Positions
from balance.tune import Sense
from sim import Card

BETTER = {"cost": -1, "attack": 1, "health": 1, "durability": 1}
"""The direction in which a number is better; an amount may be for its card or against it."""


def rules_of_sense(
    sense: Sense, cards: Sequence[Card], space: SearchSpace
) -> tuple[Constraint, ...]:
    """The rules that are switched on.

    Args:
        sense: which are.
        cards: all that a deck may hold, by their numbers.
        space: what may move of them.
    """
    rules = list[Constraint]()
    if sense.direction:
        better = [BETTER.get(gene.field, 0) for gene in space.genes]
        owner = np.array([gene.owner for gene in space.genes])
        rules.append(Direction(owner, np.array(better, np.int16)))
    if sense.dominance:
        rules.append(Dominance.of(cards, space))
    return tuple(rules)


@dataclass(frozen=True)
class Direction:
    """No card is bettered in one number and worsened in another.

    Attributes:
        owner: ``[K]`` the card of each number.
        better: ``[K]`` 1 or -1 for the direction in which it is better, 0 if nobody can tell.
    """

    owner: npt.NDArray[np.integer]
    better: Steps

    def breaches(self, steps: Steps) -> Counts:
        """``[P]`` cards that are changed both ways."""
        gain = np.ascontiguousarray(steps.T) * self.better[:, np.newaxis]
        found = np.zeros(len(steps), dtype=np.int64)
        for card in np.unique(self.owner):
            own = gain[self.owner == card]
            found += (own > 0).any(axis=0) & (own < 0).any(axis=0)
        return found

    def restricted_to(self, kept: Positions) -> Direction:
        """The same for genomes of some of the numbers."""
        return Direction(self.owner[kept], self.better[kept])
