"""The stat curve: what attack and health the minions of a pool have for what they cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sim import Card

_DIGITS = 2


@dataclass(frozen=True)
class StatCurve:
    """A line through attack and health together, by cost.

    Attributes:
        at_no_cost: of a minion that costs nothing.
        per_cost: how much more for each mana.
    """

    at_no_cost: float
    per_cost: float

    @classmethod
    def of(cls, cards: Iterable[Card]) -> StatCurve:
        """The line of least squares of all minions, rounded to what can be told.

        Whatever they have besides their bodies counts for nothing, so that plain ones stand above
        it. Sums of whole numbers: the same on every processor.
        """
        bodies = [(one.cost, one.attack + one.health) for one in cards if one.kind == "minion"]
        n, cost, stats = len(bodies), *(sum(each) for each in zip(*bodies, strict=True))
        spread = n * sum(x * x for x, _ in bodies) - cost * cost
        together = n * sum(x * y for x, y in bodies) - cost * stats
        slope = round(together / spread, _DIGITS) if spread else 0.0
        return cls(round((stats - slope * cost) / n, _DIGITS), slope)

    def above(self, card: Card) -> float:
        """How far a minion stands above it, in points of attack and health; below is negative."""
        on_it = self.at_no_cost + self.per_cost * card.cost
        return round(card.attack + card.health - on_it, _DIGITS)
