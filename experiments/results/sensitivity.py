"""Rows of measured sensitivities: effects of single steps of numbers."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from balance import Interval
from sim.simulator.block import Value


class SensitivityRow(NamedTuple):
    """Row of `sensitivity.csv`: effect of one step of a number on a matchup.

    Attributes:
        owner: owner of the number, such as a card's id.
        field: name of the number.
        today: baseline value.
        step: distance from one value to the next, or two neighbouring words.
        matchup: name of the matchup.
        effect: change of the first player's win rate per step up, the mean of one step down and
            one step up, in percentage points.
        n: games per matchup with the number moved down, and as many with the number moved up.
    """

    owner: str
    field: str
    today: Value
    step: Value
    matchup: str
    effect: Annotated[Interval, ("pp_per_step", "low_pp", "high_pp")]
    n: int

    @property
    def number(self) -> str:
        """Name of the number in edits, such as `marine.hp`."""
        return f"{self.owner}.{self.field}"

    @property
    def size(self) -> float:
        """Absolute value of the effect, in percentage points."""
        return abs(float(self.effect.estimate))
