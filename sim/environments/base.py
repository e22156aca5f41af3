"""Common parts of the environments: observations, seeds and handling of illegal actions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, cast

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space
from pydantic import Field

from sim.observation.parallel_games import GameView, ParallelGames
from sim.seeds import stream_seed

Observation = dict[str, npt.NDArray[Any]]
"""An observation of Gymnasium: the values and the action mask (`spaces_of`)."""

Chosen = npt.NDArray[np.bool_]
"""``[N]`` whether each environment is selected."""


class EnvironmentGames(ParallelGames):
    """``N`` games in which only the learner must choose; each is followed by the next at once.

    Attributes:
        idle: the only legal action in the mask of a finished game, where nothing is left to do.
        replacement: action that replaces illegal ones (`allowed_actions`); `None` to reject them.
    """

    idle: int
    replacement: int | None

    @property
    def truncated(self) -> Chosen:
        """``[N]`` whether a game was cut short in the last step; never in this base class."""
        return np.zeros(len(self.ended), dtype=np.bool_)

    @abstractmethod
    def reset(
        self, chosen: Chosen | None = None, options: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Begin the next episode.

        Args:
            chosen: ``[N]`` environments to reset; by default all.
            options: options of the game, such as fixed hands.
        """

    def legal(self, actions: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Return ``[N]`` legal actions: the given ones, with illegal ones replaced.

        Raises:
            ValueError: an action is illegal, and illegal actions are rejected.
        """
        return allowed_actions(actions, self.masks, self.replacement, self.action_name)

    @abstractmethod
    def action_name(self, environment: int, action: int) -> str:
        """Return a readable name of an action in the position of an environment."""

    @abstractmethod
    def text(self, environment: int, values: npt.NDArray[np.float32], mask: Chosen) -> str:
        """Return a position as text.

        Args:
            environment: index of the environment.
            values: ``[n_values]`` observation.
            mask: ``[n_actions]`` legal actions.
        """


def spaces_of(view: GameView) -> tuple[Space[Observation], Discrete[np.int64]]:
    """Return the observation space and the action space of a view.

    The key `action_mask` of an observation is 1 for each legal action; pass it to the action
    space's `sample` as int8.
    """
    low, high = view.bounds
    space = Dict({"observation": Box(low, high), "action_mask": MultiBinary(view.size.n_actions)})
    return cast("Space[Observation]", space), Discrete(view.size.n_actions)


MANY_ENVIRONMENTS = 100_000  # duels then take half a gigabyte of memory

EnvironmentCount = Annotated[int, Field(ge=1, le=MANY_ENVIRONMENTS)]
RenderMode = Literal["ansi"] | None


def stream_of(seed: int) -> int:
    """Return the seed of all episodes of an environment that was reset with `seed`."""
    return stream_seed(seed, "environment")


def observation_of(values: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> Observation:
    """Return copies of values and mask as an observation, of one environment or of many."""
    return {"observation": values.copy(), "action_mask": mask.astype(np.int8)}


def allowed_actions(
    actions: npt.NDArray[np.integer],
    masks: npt.NDArray[np.bool_],
    replacement: int | None,
    action_name: Callable[[int, int], str],
) -> npt.NDArray[np.int64]:
    """Return legal actions: the given ones, with illegal ones replaced.

    Args:
        actions: ``[N]`` actions that the learner chose.
        masks: ``[N, n_actions]`` whether each action is legal.
        replacement: action that replaces illegal ones; where it is illegal itself, the lowest legal
            action does. `None` rejects illegal actions.
        action_name: returns a readable name for an environment and an action.

    Raises:
        ValueError: an action is illegal and `replacement` is `None`; names the environment, the
            action and the legal ones. Or the actions have a wrong shape or type.
    """
    wanted = np.asarray(actions)
    last = masks.shape[1] - 1
    if wanted.shape != (len(masks),) or wanted.dtype.kind not in "iu":
        raise ValueError(
            f"actions have shape {wanted.shape} and type {wanted.dtype}; they must be "
            f"{len(masks)} whole numbers from 0 to {last}"
        )
    inside = (wanted >= 0) & (wanted <= last)
    legal = inside & masks[np.arange(len(masks)), np.where(inside, wanted, last)]
    if legal.all():
        return wanted.astype(np.int64)
    if replacement is not None:
        replacements = np.where(masks[:, replacement], replacement, masks.argmax(axis=1))
        return np.where(legal, wanted, replacements).astype(np.int64)
    environment = int(np.flatnonzero(~legal)[0])
    action = int(wanted[environment])
    where = f" in environment {environment}" if len(masks) > 1 else ""
    raise ValueError(
        f"action {action} ({action_name(environment, action)}) is illegal{where}; "
        f"legal: {', '.join(map(str, np.flatnonzero(masks[environment])))}"
    )
