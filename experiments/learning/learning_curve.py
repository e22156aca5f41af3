"""How learners came along, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class CurvePoint(Protocol):
    """What is drawn of an evaluation; see `experiments.learning.learner_run.CurveRow`."""

    @property
    def steps(self) -> int:
        """Decisions learned from."""

    @property
    def win_rate(self) -> float:
        """Of the pilot."""

    @property
    def low(self) -> float:
        """Lower bound of its interval."""

    @property
    def high(self) -> float:
        """Upper bound."""

    @property
    def n(self) -> int:
        """Games."""


@dataclass(frozen=True)
class LearningCurve:
    """How one learner came along.

    Attributes:
        name: the learner's.
        places: its pairings, in words.
        points: its evaluations.
        scripted: mean win rates of the scripted agents in its place, in percent.
        variant: of the learning.
    """

    name: str
    places: Sequence[str]
    points: Sequence[CurvePoint]
    scripted: dict[str, float]
    variant: str = "improved"
