"""The replay memory: transitions that the learner remembers."""

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
    """``B`` transitions: an action, what it brought, and where it led.

    Attributes:
        observations: float32 ``[B, n_values]``.
        actions: int64 ``[B]``.
        returns: float32 ``[B]`` discounted rewards on the way to the next observation.
        discounts: float32 ``[B]`` what the next observation's value counts; 0 after an end.
        next_observations: float32 ``[B, n_values]``.
        next_masks: bool ``[B, A]`` actions legal there.
    """

    observations: npt.NDArray[np.float32]
    actions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]
    discounts: npt.NDArray[np.float32]
    next_observations: npt.NDArray[np.float32]
    next_masks: npt.NDArray[np.bool_]

    @classmethod
    def empty(cls, size: int, n_values: int, n_actions: int) -> Batch:
        """Room for `size` transitions."""
        return cls(
            np.zeros((size, n_values), dtype=np.float32),
            np.zeros(size, dtype=np.int64),
            np.zeros(size, dtype=np.float32),
            np.zeros(size, dtype=np.float32),
            np.zeros((size, n_values), dtype=np.float32),
            np.zeros((size, n_actions), dtype=np.bool_),
        )


class Replay:
    """The latest ``T`` decisions of the learner in each of ``N`` environments.

    An entry is made when the learner acts (`append`); what the action brought is added as it
    becomes known (`settle`), perhaps several steps of the games later, since others may move in
    between. The environment's next entry then tells where the action led.

    An episode cut by the turn cap counts as ended: by the rules it is a draw, not a game that
    would have gone on.
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
        """Remember nothing yet.

        Args:
            n_environments: ``N``.
            n_entries: ``T``.
            n_values: of an observation.
            n_actions: ``A``.
            scales: ``[n_values]`` what makes whole numbers below 32,768 of the values; default
                they are whole numbers in -128..127. Whole numbers are what is kept, in a
                quarter or half of the room, and they come back exactly.
        """
        entries = (n_environments, n_entries)
        self._n_actions = n_actions
        self._scales = scales
        kept_as = np.int8 if scales is None else np.int16
        self._observations = np.zeros((*entries, n_values), dtype=kept_as)
        self._masks = np.zeros((*entries, (n_actions + 7) // 8), dtype=np.uint8)
        self._actions = np.zeros(entries, dtype=np.int16)
        self._rewards = np.zeros(entries, dtype=np.float32)
        self._ended = np.zeros(entries, dtype=np.bool_)
        self._n_written = np.zeros(n_environments, dtype=np.int64)
        self._is_open = np.zeros(n_environments, dtype=np.bool_)  # the newest may still earn
        self._ends = np.zeros(n_environments, dtype=np.int64)  # scratch of the sampler
        self._batch = Batch.empty(0, n_values, n_actions)

    def append(
        self,
        moved: npt.NDArray[np.bool_],
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.bool_],
        actions: npt.NDArray[np.int64],
    ) -> None:
        """Remember what the learner saw and did.

        Args:
            moved: ``[N]`` environments in which the learner acts now.
            observations: ``[N, n_values]``.
            masks: ``[N, A]`` its legal actions.
            actions: ``[N]`` its choice.
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
        """Add what a step of the games brought to the newest entry of each environment.

        A game that ends before the learner's first decision concerns no entry.

        Args:
            rewards: ``[N]`` the learner's.
            ended: ``[N]`` not 0 where the game ended, for whatever reason.
        """
        rows = np.flatnonzero(self._is_open)
        newest = (self._n_written[rows] - 1) % self._actions.shape[1]
        self._rewards[rows, newest] += rewards[rows]
        self._ended[rows, newest] = ended[rows] != 0
        self._is_open[rows] = ended[rows] == 0

    def draw(self, size: int, n_drawn: int, *, seed: int, n_step: int, gamma: float) -> Batch:
        """`size` transitions, drawn by counter: the same arguments draw the same places.

        The batch is overwritten by the next call. There must be something to draw: an
        environment with more than `n_step` entries.

        Args:
            size: transitions, ``B``.
            n_drawn: transitions drawn before from the stream `seed`.
            seed: the stream.
            n_step: entries that each looks ahead.
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
        """Everything it remembers, by name; the arrays themselves, not copies."""
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
        """Remember what another memory of the same size did."""
        for name, mine in self.state_arrays().items():
            np.copyto(mine, arrays[name])
