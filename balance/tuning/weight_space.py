"""Which weights are tuned, and how far apart two settings of each are: points and files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from agents.search.turn.weights import WEIGHT_MAX, Weights
from balance.statistics.intervals import Floats

FARTHEST = 2.0  # a weight goes from -1 to 3 times what it was
_LEAST = 10  # a weight that was less, or nothing, moves in shares of this
_LIMITS = {("search", "reply"): (0, 16)}
_REPLY_SCALE = 5

_SIDE = ("life", "points", "attack", "health", "bodies", "hand", "deck")
_PLAIN = {
    "own": _SIDE,
    "enemy": _SIDE,
    "prospects": (
        *("crystals", "playable", "unused", "danger", "threat", "finish", "pressure", "mastery"),
    ),
}
"""What counts in plain games: keys of the tables that are tuned."""

Place = tuple[str, str]
"""A table of a file of weights, and a key in it."""


@dataclass(frozen=True)
class WeightSpace:
    """The weights that are tuned, as a point: 0 is the start, 1 is as much again.

    Attributes:
        start: the weights at point 0.
        is_plain: whether all games are plain, so that half of the weights never count.
    """

    start: Weights
    is_plain: bool

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """``[K]`` which weights."""
        told = self.start.model_dump()
        tuned = {
            "search": ("reply", "fresh"),
            **(_PLAIN if self.is_plain else {table: tuple(told[table]) for table in _PLAIN}),
        }
        return tuple((table, key) for table, keys in tuned.items() for key in keys)

    @property
    def n_weights(self) -> int:
        """``K``."""
        return len(self.places)

    @cached_property
    def values(self) -> Floats:
        """``[K]`` at the start."""
        told: dict[str, Any] = self.start.model_dump()
        return np.array([told[table][key] for table, key in self.places], dtype=float)

    @cached_property
    def scale(self) -> Floats:
        """``[K]`` what 1 is of each weight."""
        usual = np.maximum(np.abs(self.values), _LEAST)
        is_reply = [place == ("search", "reply") for place in self.places]
        return np.where(is_reply, _REPLY_SCALE, usual)

    def weights_at(self, point: Floats) -> Weights:
        """The weights, whole numbers, at ``[K]`` a point; beyond `FARTHEST` it is at that."""
        moved = np.rint(self.values + self.scale * np.clip(point, -FARTHEST, FARTHEST))
        told: dict[str, Any] = self.start.model_dump()
        for place, value in zip(self.places, moved.astype(int).tolist(), strict=True):
            low, high = _LIMITS.get(place, (-WEIGHT_MAX, WEIGHT_MAX))
            told[place[0]][place[1]] = min(max(value, low), high)
        return Weights.model_validate({**told, "origin": None})
