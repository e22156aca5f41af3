"""The interface of games that can be learned: their view, and many games stepped together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sim.engine.streams import MASK64
from sim.observation.view_size import ViewSize

Values = npt.NDArray[np.float32]


class GameView(Protocol):
    """A view of a game: shape and range of a learner's observations, and number of actions."""

    @property
    def size(self) -> ViewSize:
        """The shape of observations and actions."""

    @property
    def scales(self) -> Values | None:
        """``[n_values]`` factors that turn values into whole numbers of 16 bits.

        `None` if the values are whole numbers of 8 bits themselves.
        """

    @property
    def bounds(self) -> tuple[Values, Values]:
        """The lowest and the highest observation, each ``[n_values]``."""


class ParallelGames(ABC):
    """``N`` games that are stepped together; when a game ends, the next one begins at once.

    Each environment plays games of its own stream, independently of the others. All arrays are
    changed in place.

    Attributes:
        view: the way the learner sees the games.
        opponents: agents that the learner meets; an `agents.dqn.pilot.PastSelf` is updated during
            training.
        observations: ``[N, n_values]`` float32 observation of the player who must choose.
        masks: ``[N, n_actions]`` bool, whether each action is legal.
        rewards: ``[N]`` float32 reward of the learner in the last step.
        ended: ``[N]`` uint8, not 0 where a game ended in the last step.
        finals: ``[N, n_values]`` float32 the learner's observation of the end, where `ended`.
    """

    view: GameView
    opponents: Sequence[object]

    def __init__(self, n_environments: int, size: ViewSize) -> None:
        """Allocate the arrays.

        Args:
            n_environments: number of games, ``N``.
            size: shape of the view.
        """
        self.observations = np.zeros((n_environments, size.n_values), dtype=np.float32)
        self.finals = np.zeros_like(self.observations)
        self.masks = np.zeros((n_environments, size.n_actions), dtype=np.bool_)
        self.rewards = np.zeros(n_environments, dtype=np.float32)
        self.ended = np.zeros(n_environments, dtype=np.uint8)
        self._begun = np.zeros(n_environments, dtype=np.int64)
        self._streams = np.zeros(n_environments, dtype=np.int64)

    @property
    def is_learners(self) -> npt.NDArray[np.bool_]:
        """``[N]`` whether the learner must choose; true everywhere in this base class."""
        return np.ones(len(self.ended), dtype=np.bool_)

    def seed(self, streams: Sequence[int], environments: Sequence[int] | None = None) -> None:
        """Give environments new streams; their next games are the first ones of these.

        Args:
            streams: 64-bit seeds, one per environment.
            environments: indices of the environments; by default all.
        """
        chosen = range(len(self.ended)) if environments is None else environments
        for environment, stream in zip(chosen, streams, strict=True):
            self._streams[environment] = np.uint64(stream & MASK64).view(np.int64)
            self._begun[environment] = 0

    @abstractmethod
    def reset(self) -> None:
        """Begin the next game in each environment."""

    @abstractmethod
    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Write the choices of other players into ``[N]`` `actions` where they must choose."""

    @abstractmethod
    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out ``[N]`` legal actions."""

    def state_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return copies of all arrays that `restore` needs to continue from this moment."""
        return {name: array.copy() for name, array in self._changing_arrays().items()}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from the moment of a `state_arrays` call, with the same opponents."""
        for name, array in self._changing_arrays().items():
            array[...] = arrays[name]

    def _changing_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all arrays that change from step to step, by name."""
        return {
            "begun": self._begun,
            "streams": self._streams,
            "observations": self.observations,
            "masks": self.masks,
            "rewards": self.rewards,
            "ended": self.ended,
        }
