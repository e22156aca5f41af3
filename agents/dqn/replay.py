"""Replay memory: the transitions from which the learner draws its batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.dqn.sampler import draw_transitions

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Batch:
    """Batch of ``B`` transitions: observation, action, rewards and next observation.

    Attributes:
        observations: float32, shape ``[B, n_values]``.
        actions: int64, shape ``[B]``.
        returns: float32, shape ``[B]``: discounted rewards up to the next observation.
        discounts: float32, shape ``[B]``: weight of the next observation's value; 0 after the end
            of a game.
        next_observations: float32, shape ``[B, n_values]``.
        next_masks: bool, shape ``[B, A]``: legal actions at the next observation.
    """

    observations: npt.NDArray[np.float32]
    actions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]
    discounts: npt.NDArray[np.float32]
    next_observations: npt.NDArray[np.float32]
    next_masks: npt.NDArray[np.bool_]

    @classmethod
    def empty(cls, size: int, n_values: int, n_actions: int) -> Batch:
        """Return a batch of `size` transitions filled with zeros."""
        return cls(
            np.zeros((size, n_values), dtype=np.float32),
            np.zeros(size, dtype=np.int64),
            np.zeros(size, dtype=np.float32),
            np.zeros(size, dtype=np.float32),
            np.zeros((size, n_values), dtype=np.float32),
            np.zeros((size, n_actions), dtype=np.bool_),
        )


class Replay:
    """Memory of the learner's latest ``T`` decisions in each of ``N`` environments.

    An entry is made when the learner acts (`append`). Its rewards are added as they become known
    (`settle`), perhaps several steps of the games later, since other players may move in between.
    The environment's next entry holds the next observation.

    An episode that the turn cap ends counts as ended: by the rules it is a draw, not a game that
    would go on.
    """

    def __init__(
        self,
        n_environments: int,
        n_entries: int,
        n_values: int,
        n_actions: int,
        *,
        scales: npt.NDArray[np.float32] | None = None,
    ) -> None:
        """Create an empty memory.

        Args:
            n_environments: number of environments, ``N``.
            n_entries: number of entries per environment, ``T``.
            n_values: number of values of an observation.
            n_actions: number of actions, ``A``.
            scales: factors that make the values whole numbers below 32,768, shape ``[n_values]``;
                default: the values are whole numbers in -128..127. Whole numbers take a quarter or
                half of the memory of floats, and are restored exactly.
        """
        entries = (n_environments, n_entries)
        self._n_actions = n_actions
        self._scales = scales
        stored_type = np.int8 if scales is None else np.int16
        self._observations = np.zeros((*entries, n_values), dtype=stored_type)
        self._masks = np.zeros((*entries, (n_actions + 7) // 8), dtype=np.uint8)
        self._actions = np.zeros(entries, dtype=np.int16)
        self._rewards = np.zeros(entries, dtype=np.float32)
        self._ended = np.zeros(entries, dtype=np.bool_)
        self._n_written = np.zeros(n_environments, dtype=np.int64)
        # Whether the newest entry may still get rewards.
        self._is_open = np.zeros(n_environments, dtype=np.bool_)
        self._ends = np.zeros(n_environments, dtype=np.int64)  # scratch of the sampler
        self._batch = Batch.empty(0, n_values, n_actions)

    def append(
        self,
        moved: npt.NDArray[np.bool_],
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.bool_],
        actions: npt.NDArray[np.int64],
    ) -> None:
        """Add an entry for each environment in which the learner acts.

        Args:
            moved: whether the learner acts in an environment, shape ``[N]``.
            observations: shape ``[N, n_values]``.
            masks: the learner's legal actions, shape ``[N, A]``.
            actions: the learner's choices, shape ``[N]``.
        """
        rows = np.flatnonzero(moved)
        places = self._n_written[rows] % self._actions.shape[1]
        seen = observations[rows]
        self._observations[rows, places] = (
            seen if self._scales is None else np.rint(seen * self._scales)
        )
        self._masks[rows, places] = np.packbits(masks[rows], axis=1, bitorder="little")
        self._actions[rows, places] = actions[rows]
        self._rewards[rows, places] = 0
        self._ended[rows, places] = False
        self._n_written[rows] += 1
        self._is_open[rows] = True

    def settle(self, rewards: npt.NDArray[np.float32], ended: npt.NDArray[np.uint8]) -> None:
        """Add the rewards of one step of the games to the newest entry of each environment.

        A game that ends before the learner's first decision has no entry and is ignored.

        Args:
            rewards: rewards of the learner, shape ``[N]``.
            ended: not 0 where the game ended, for any reason, shape ``[N]``.
        """
        rows = np.flatnonzero(self._is_open)
        newest = (self._n_written[rows] - 1) % self._actions.shape[1]
        self._rewards[rows, newest] += rewards[rows]
        self._ended[rows, newest] = ended[rows] != 0
        self._is_open[rows] = ended[rows] == 0

    def draw(self, size: int, n_drawn: int, *, seed: int, n_step: int, gamma: float) -> Batch:
        """Return `size` random transitions; equal arguments draw equal places of the memory.

        The next call overwrites the batch. Some environment must hold more than `n_step` entries.

        Args:
            size: number of transitions, ``B``.
            n_drawn: number of transitions drawn before from the stream `seed`.
            seed: seed of the stream.
            n_step: number of entries from a transition's observation to its next one.
            gamma: discount per entry.
        """
        n_values = self._observations.shape[2]
        if len(self._batch.actions) != size:
            self._batch = Batch.empty(size, n_values, self._n_actions)
        batch = self._batch
        draw_transitions(
            *(self._observations, self._masks, self._actions, self._rewards, self._ended),
            *(self._n_written, self._ends),
            seed,
            n_drawn,
            n_step,
            gamma,
            *(batch.observations, batch.actions, batch.returns, batch.discounts),
            *(batch.next_observations, batch.next_masks),
        )
        if self._scales is not None:
            np.divide(batch.observations, self._scales, out=batch.observations)
            np.divide(batch.next_observations, self._scales, out=batch.next_observations)
        return batch

    def state_arrays(self) -> dict[str, Array]:
        """Return all arrays of the memory by name, not copied."""
        return {
            "observations": self._observations,
            "masks": self._masks,
            "actions": self._actions,
            "rewards": self._rewards,
            "ended": self._ended,
            "n_written": self._n_written,
            "is_open": self._is_open,
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Copy the content of another memory of equal size."""
        for name, own in self.state_arrays().items():
            np.copyto(own, arrays[name])
