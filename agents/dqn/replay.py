"""Replay memory: the stored transitions from which batches for a learner are drawn."""

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
    """Batch of ``B`` transitions, each from an observation of the learner to a later one.

    Attributes:
        observations: observed values at the learner's decisions, shape ``[B, n_values]``.
        actions: chosen actions, shape ``[B]``.
        returns: sums of the discounted rewards up to the next observation, shape ``[B]``.
        discounts: factor of the next observation's value in the target, shape ``[B]``; 0 if the
            game ended before the next observation.
        next_observations: observed values at the ends of the transitions, shape ``[B, n_values]``;
            they belong to another game if the discount is 0.
        next_masks: legal actions at the next observations, shape ``[B, A]``.
    """

    observations: npt.NDArray[np.float32]
    actions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]
    discounts: npt.NDArray[np.float32]
    next_observations: npt.NDArray[np.float32]
    next_masks: npt.NDArray[np.bool_]

    @classmethod
    def empty(cls, size: int, n_values: int, n_actions: int) -> Batch:
        """Return a batch of `size` transitions with all arrays filled with zeros."""
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

    `append` adds an entry when the learner acts. `settle` adds rewards to the entry, possibly
    several steps of the game later, since other players may move in between. The environment's
    next entry contains the next observation.

    A game that the turn cap ends counts as ended, since by the rules it is a draw.
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
            scales: factors that turn the values into whole numbers below 32,768, stored as int16,
                shape ``[n_values]``. By default the values must be whole numbers in -128..127,
                stored as int8. Both take less memory than float32 and are restored exactly.
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
        # Whether the newest entry of each environment may still get rewards.
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
            moved: whether the learner acts in each environment, shape ``[N]``; the other rows of
                the following arrays are ignored.
            observations: observed values, shape ``[N, n_values]``.
            masks: legal actions of the learner, shape ``[N, A]``.
            actions: actions that the learner chose, shape ``[N]``.
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

        Rewards before the learner's first decision of a game are ignored, since the game has no
        entry yet.

        Args:
            rewards: rewards of the learner, shape ``[N]``.
            ended: a number other than 0 for each game that ended in this step, shape ``[N]``.
        """
        rows = np.flatnonzero(self._is_open)
        newest = (self._n_written[rows] - 1) % self._actions.shape[1]
        self._rewards[rows, newest] += rewards[rows]
        self._ended[rows, newest] = ended[rows] != 0
        self._is_open[rows] = ended[rows] == 0

    def draw(self, size: int, n_drawn: int, *, seed: int, n_step: int, gamma: float) -> Batch:
        """Return `size` transitions, drawn uniformly and with replacement from the memory.

        The result depends only on the arguments and the content of the memory. The next call with
        the same size overwrites the returned batch. At least one environment must have more than
        `n_step` entries.

        Args:
            size: number of transitions, ``B``.
            n_drawn: number of transitions drawn before with this seed.
            seed: seed of the stream of random numbers.
            n_step: number of entries from the observation of a transition to its next observation.
            gamma: discount of a reward per entry.
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
        """Return all arrays of the memory by name, without copying them."""
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
        """Copy the arrays of another memory of equal size, as its `state_arrays` returns them."""
        for name, own in self.state_arrays().items():
            np.copyto(own, arrays[name])
