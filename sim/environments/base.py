"""What environments of all games share: observations, seeds, refusing what is illegal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, cast

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space
from pydantic import Field

from sim.observation.side_by_side import HowSeen, SideBySide
from sim.seeds import stream_seed

Observation = dict[str, npt.NDArray[Any]]
Chosen = npt.NDArray[np.bool_]


class EnvironmentGames(SideBySide):
    """``N`` games in which only a learner is asked; one that ends is followed at once by another.

    Attributes:
        idle: the action that an end's mask shows, since there is nothing left to do.
        instead: what illegal actions become (`allowed_actions`); `None` refuses them.
    """

    idle: int
    instead: int | None

    @property
    def truncated(self) -> Chosen:
        """``[N]`` where it was cut short in the last step; here nowhere."""
        return np.zeros(len(self.ended), dtype=np.bool_)

    @abstractmethod
    def reset(
        self, chosen: Chosen | None = None, options: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Begin the next episode, everywhere or where ``[N]`` `chosen`."""

    def legal(self, actions: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """``[N]`` actions of which all are legal (`allowed_actions`).

        Where one differs from what was asked for, that was illegal.
        """
        return allowed_actions(actions, self.masks, self.instead, self.told)

    @abstractmethod
    def told(self, environment: int, action: int) -> str:
        """What an action is called."""

    @abstractmethod
    def text(self, environment: int, values: npt.NDArray[np.float32], mask: Chosen) -> str:
        """A position as text."""


def spaces_of(view: HowSeen) -> tuple[Space[Observation], Discrete[np.int64]]:
    """Of what learners see and do; give the second's `sample` the mask.

    Of an observation, `action_mask`, int8, says 1 for each legal action.
    """
    low, high = view.bounds
    space = Dict({"observation": Box(low, high), "action_mask": MultiBinary(view.size.n_actions)})
    return cast("Space[Observation]", space), Discrete(view.size.n_actions)


MANY_ENVIRONMENTS = 100_000  # half a gigabyte of duels

EnvironmentCount = Annotated[int, Field(ge=1, le=MANY_ENVIRONMENTS)]
RenderMode = Literal["ansi"] | None


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
    wanted = np.asarray(actions)
    last = masks.shape[1] - 1
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
