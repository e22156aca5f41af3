"""What games of any kind must offer to be learned from: how they are seen, and many at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sim.engine.streams import MASK64
from sim.observation.view_size import ViewSize

Values = npt.NDArray[np.float32]


class HowSeen(Protocol):
    """How games are seen."""

    @property
    def size(self) -> ViewSize:
        """Its shape."""

    @property
    def scales(self) -> Values | None:
        """By what values must be multiplied to be whole numbers that fit 16 bits.

        `None` where they are whole and fit 8 bits as they are.
        """

    @property
    def bounds(self) -> tuple[Values, Values]:
        """``[n_values]`` each: the least and the most that its values are."""


class SideBySide(ABC):
    """``N`` games, stepped together; one that ends is followed at once by another.

    Environment e plays games of its own stream, whatever happens elsewhere. All arrays are
    written in place.

    Attributes:
        view: how the games are seen.
        opponents: whom the learner meets; a `agents.dqn.pilot.PastSelf` is kept up to date.
        observations: ``[N, n_values]`` float32, what whoever is asked sees.
        masks: ``[N, n_actions]`` bool, what it may do.
        rewards: ``[N]`` float32, the learner's in the last step.
        ended: ``[N]`` uint8, not 0 where a game ended in the last step.
        finals: ``[N, n_values]`` float32, where `ended`: the end as the learner saw it.
    """

    view: HowSeen
    opponents: Sequence[object]

    def __init__(self, n_environments: int, size: ViewSize) -> None:
        self.observations = np.zeros((n_environments, size.n_values), dtype=np.float32)
        self.finals = np.zeros_like(self.observations)
        self.masks = np.zeros((n_environments, size.n_actions), dtype=np.bool_)
        self.rewards = np.zeros(n_environments, dtype=np.float32)
        self.ended = np.zeros(n_environments, dtype=np.uint8)
        self._begun = np.zeros(n_environments, dtype=np.int64)
        self._streams = np.zeros(n_environments, dtype=np.int64)

    @property
    def is_learners(self) -> npt.NDArray[np.bool_]:
        """``[N]`` where the learner is asked; here everywhere."""
        return np.ones(len(self.ended), dtype=np.bool_)

    def seed(self, streams: Sequence[int], environments: Sequence[int] | None = None) -> None:
        """Give environments streams of their own, from whose first game they begin.

        Args:
            streams: 64-bit seeds, one per environment.
            environments: which ones; default all.
        """
        chosen = range(len(self.ended)) if environments is None else environments
        for environment, stream in zip(chosen, streams, strict=True):
            self._streams[environment] = np.uint64(stream & MASK64).view(np.int64)
            self._begun[environment] = 0

    @abstractmethod
    def reset(self) -> None:
        """Begin the next games everywhere."""

    @abstractmethod
    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Write into ``[N]`` `actions` what others choose where they are asked."""

    @abstractmethod
    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out ``[N]`` legal actions."""

    def state_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of everything that `restore` needs to go on from here."""
        return {name: array.copy() for name, array in self._kept().items()}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from where `state_arrays` was taken, with the same opponents."""
        for name, array in self._kept().items():
            array[...] = arrays[name]

    def _kept(self) -> dict[str, npt.NDArray[Any]]:
        """All that changes from step to step."""
        return {
            "begun": self._begun,
            "streams": self._streams,
            "observations": self.observations,
            "masks": self.masks,
            "rewards": self.rewards,
            "ended": self.ended,
        }
