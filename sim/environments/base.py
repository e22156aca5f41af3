"""What environments of all games share: observations, seeds, refusing what is illegal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space

from sim.seeds import stream_seed

Observation = dict[str, npt.NDArray[Any]]
Spaces = tuple[Space[Observation], Discrete[np.int64]]
Chosen = npt.NDArray[np.bool_]


class EnvironmentGames(Protocol):
    """``N`` games of a learner; one that ends is followed at once by another.

    Attributes:
        observations: ``[N, n_values]`` what the learner sees.
        masks: ``[N, n_actions]`` what it may do.
        rewards: ``[N]`` of the last step.
        ended: ``[N]`` not 0 where an episode ended in the last step.
        finals: ``[N, n_values]`` where `ended`: the end as the learner saw it.
        idle: the action that an end's mask shows, since there is nothing left to do.
    """

    observations: npt.NDArray[np.float32]
    masks: npt.NDArray[np.bool_]
    rewards: npt.NDArray[Any]
    ended: npt.NDArray[np.uint8]
    finals: npt.NDArray[np.float32]
    idle: int

    @property
    def truncated(self) -> Chosen:
        """``[N]`` where it was cut short."""

    def seed(self, streams: Sequence[int], environments: Sequence[int]) -> None:
        """Give environments streams of their own; a reset follows."""

    def reset(self, chosen: Chosen, options: Mapping[str, Any]) -> None:
        """Begin the next episode where ``[N]`` `chosen`."""

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out ``[N]`` legal actions."""

    def legal(self, actions: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """``[N]`` actions of which all are legal; raises or mends others."""

    def text(self, environment: int, values: npt.NDArray[np.float32], mask: Chosen) -> str:
        """A position as text."""


def spaces_of(low: npt.ArrayLike, high: npt.ArrayLike, n_actions: int) -> Spaces:
    """Of what learners see and do; give the second's `sample` the mask.

    Args:
        low: ``[n_values]`` the least that `observation` holds, float32.
        high: ``[n_values]`` the most.
        n_actions: of which `action_mask`, int8, says 1 for each legal one.
    """
    box = Box(np.asarray(low, dtype=np.float32), np.asarray(high, dtype=np.float32))
    space = Dict({"observation": box, "action_mask": MultiBinary(n_actions)})
    return cast("Space[Observation]", space), Discrete(n_actions)


def stream_of(seed: int) -> int:
    """The seed of the episodes of an environment that was reset with `seed`."""
    return stream_seed(seed, "environment")


def observation_of(values: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> Observation:
    """A member of the space, of copies; also for many at once."""
    return {"observation": values.copy(), "action_mask": mask.astype(np.int8)}


def allowed_actions(
    actions: npt.NDArray[np.integer],
    masks: npt.NDArray[np.bool_],
    instead: int | None,
    told: Callable[[int, int], str],
) -> npt.NDArray[np.int64]:
    """``[N]`` actions of which all are legal.

    Args:
        actions: ``[N]`` what the learner wants.
        masks: ``[N, n_actions]`` what it may do.
        instead: what the others become, or the lowest legal one where that is none; `None` refuses
            them.
        told: what an action of an environment is called.

    Raises:
        ValueError: they are refused; names the environment, the action and the legal ones.
    """
    wanted, last = np.asarray(actions), masks.shape[1] - 1
    if wanted.shape != (len(masks),) or wanted.dtype.kind not in "iu":
        raise ValueError(
            f"actions of shape {wanted.shape}, type {wanted.dtype}; needed are "
            f"{len(masks)} whole numbers from 0 to {last}"
        )
    inside = (wanted >= 0) & (wanted <= last)
    legal = inside & masks[np.arange(len(masks)), np.where(inside, wanted, last)]
    if legal.all():
        return wanted.astype(np.int64)
    if instead is not None:
        mended = np.where(masks[:, instead], instead, masks.argmax(axis=1))
        return np.where(legal, wanted, mended).astype(np.int64)
    environment = int(np.flatnonzero(~legal)[0])
    action = int(wanted[environment])
    where = f" in environment {environment}" if len(masks) > 1 else ""
    raise ValueError(
        f"action {action} ({told(environment, action)}) is illegal{where}; "
        f"legal: {', '.join(map(str, np.flatnonzero(masks[environment])))}"
    )
