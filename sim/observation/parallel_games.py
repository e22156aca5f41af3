"""Interfaces of games for reinforcement learning: a view, and many games stepped together."""

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
    """Interface of views: the shape and range of a learner's observations, and the actions."""

    @property
    def size(self) -> ViewSize:
        """Number of values and actions, and the texts that the view distinguishes."""

    @property
    def scales(self) -> Values | None:
        """Factors that turn values into whole numbers of 16 bits, shape ``[n_values]``.

        `None` if the values are already whole numbers of 8 bits.
        """

    @property
    def bounds(self) -> tuple[Values, Values]:
        """Lowest and highest possible value at each place, both of shape ``[n_values]``."""


class ParallelGames(ABC):
    """Base class of ``N`` games that are stepped together, one in each environment.

    When a game ends, the environment begins its next game in the same step. The games of an
    environment depend only on its stream, not on other environments. All arrays are changed in
    place.

    Attributes:
        view: view through which the learner observes the games.
        opponents: agents that play against the learner; an `agents.dqn.pilot.PastSelf` is updated
            during training.
        observations: observation of the player who must choose, float32, shape ``[N, n_values]``.
        masks: whether each action is legal for that player, bool, shape ``[N, n_actions]``.
        rewards: reward of the learner in the last step, float32, shape ``[N]``.
        ended: 0 unless a game ended in the last step, uint8, shape ``[N]``.
        finals: the learner's observation of the end of its last ended game, valid if `ended` is not
            0, float32, shape ``[N, n_values]``.
    """

    view: GameView
    opponents: Sequence[object]

    def __init__(self, n_environments: int, size: ViewSize) -> None:
        """Allocate the arrays, filled with zeros.

        Args:
            n_environments: number of games, ``N``.
            size: shape of the view of the games.
        """
        self.observations: npt.NDArray[np.float32] = np.zeros(
            (n_environments, size.n_values), dtype=np.float32
        )
        self.finals: npt.NDArray[np.float32] = np.zeros_like(self.observations)
        self.masks: npt.NDArray[np.bool_] = np.zeros(
            (n_environments, size.n_actions), dtype=np.bool_
        )
        self.rewards: npt.NDArray[np.float32] = np.zeros(n_environments, dtype=np.float32)
        self.ended: npt.NDArray[np.uint8] = np.zeros(n_environments, dtype=np.uint8)
        self._begun = np.zeros(n_environments, dtype=np.int64)
        self._streams = np.zeros(n_environments, dtype=np.int64)

    @property
    def is_learners(self) -> npt.NDArray[np.bool_]:
        """Whether the learner must choose in each game, shape ``[N]``; all `True` by default."""
        return np.ones(len(self.ended), dtype=np.bool_)

    def seed(self, streams: Sequence[int], environments: Sequence[int] | None = None) -> None:
        """Assign new streams to environments; the next game of each is the first of its new stream.

        Args:
            streams: 64-bit seed of the stream of each environment.
            environments: indices of the environments; by default all, in order.
        """
        chosen = range(len(self.ended)) if environments is None else environments
        for environment, stream in zip(chosen, streams, strict=True):
            self._streams[environment] = np.uint64(stream & MASK64).view(np.int64)
            self._begun[environment] = 0

    @abstractmethod
    def reset(self) -> None:
        """Abandon the running games, and begin the next game in each environment."""

    @abstractmethod
    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Write the actions of other players into `actions`, for the games in which they choose.

        Args:
            actions: numbers of actions, changed in place, shape ``[N]``.
        """

    @abstractmethod
    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out one action of the player who must choose, in each game.

        Args:
            actions: numbers of legal actions, shape ``[N]``.
        """

    def state_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return copies of the arrays, by name, that `restore` needs to continue from here."""
        return {name: array.copy() for name, array in self._changing_arrays().items()}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Restore the state at the time of a `state_arrays` call; opponents must be the same.

        Args:
            arrays: arrays that `state_arrays` returned, by name.
        """
        for name, array in self._changing_arrays().items():
            array[...] = arrays[name]

    def _changing_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays, by name, that make up the state of the games; they are not copied."""
        return {
            "begun": self._begun,
            "streams": self._streams,
            "observations": self.observations,
            "masks": self.masks,
            "rewards": self.rewards,
            "ended": self.ended,
        }
