"""What games must offer to be learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sim.observation.view_size import ViewSize

Arrays = Mapping[str, npt.NDArray[Any]]


class View(Protocol):
    """How games are seen."""

    @property
    def size(self) -> ViewSize:
        """Its shape."""

    @property
    def scales(self) -> npt.NDArray[np.float32] | None:
        """By what values must be multiplied to be whole numbers that fit 16 bits.

        `None` where they are whole and fit 8 bits as they are.
        """


class Episodes(Protocol):
    """``N`` games, stepped together; one that ends is followed at once by another.

    `sim.environments.episodes.Episodes` are such, and `sim.big_two.episodes.BigTwoEpisodes`. All
    arrays are written in place.
    """

    @property
    def view(self) -> View:
        """How they are seen."""

    @property
    def opponents(self) -> Sequence[object]:
        """Whom the learner meets; a `agents.dqn.pilot.PastSelf` is kept up to date."""

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """``[N, n_values]`` what whoever is asked sees."""

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """``[N, n_actions]`` what it may do."""

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """``[N]`` the learner's in the last step."""

    @property
    def ended(self) -> npt.NDArray[np.uint8]:
        """``[N]`` not 0 where an episode ended in the last step."""

    @property
    def is_learners(self) -> npt.NDArray[np.bool_]:
        """``[N]`` where the learner is asked."""

    def reset(self) -> None:
        """Begin the next episodes everywhere."""

    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Write into ``[N]`` `actions` what others choose where they are asked."""

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out ``[N]`` legal actions."""

    def state_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of everything that `restore` needs to go on from here."""

    def restore(self, arrays: Arrays) -> None:
        """Go on from where `state_arrays` was taken."""
