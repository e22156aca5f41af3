"""Common parts of the environments: spaces, observations, seeds and handling of illegal actions."""

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
"""Observation as Gymnasium passes it, with the keys `observation` and `action_mask`."""

Chosen = npt.NDArray[np.bool_]
"""Whether each environment is selected, shape ``[N]``."""


class EnvironmentGames(ParallelGames):
    """Base class of ``N`` games in which `step` and `reset` return when the learner must choose.

    Attributes:
        idle: number of the only legal action in the mask of a finished game.
        replacement: number of the action that replaces illegal actions (`allowed_actions`); `None`
            to reject illegal actions.
    """

    idle: int
    replacement: int | None

    @property
    def truncated(self) -> Chosen:
        """Whether a limit ended a game in the last step, shape ``[N]``; by default all `False`."""
        return np.zeros(len(self.ended), dtype=np.bool_)

    @abstractmethod
    def reset(
        self, chosen: Chosen | None = None, options: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Abandon running games, and begin the next episode.

        Args:
            chosen: whether to reset each environment, shape ``[N]``; by default all are reset.
            options: options of the game, such as fixed hands.
        """

    def legal(self, actions: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Return the given actions, with illegal actions replaced by legal ones, shape ``[N]``.

        Raises:
            ValueError: an action is illegal and `replacement` is `None`, or `actions` has a wrong
                shape or type.
        """
        return allowed_actions(actions, self.masks, self.replacement, self.action_name)

    @abstractmethod
    def action_name(self, environment: int, action: int) -> str:
        """Return a readable name of an action in the current position of an environment."""

    @abstractmethod
    def text(self, environment: int, values: npt.NDArray[np.float32], mask: Chosen) -> str:
        """Return a position as text, with its legal actions.

        Args:
            environment: index of the environment.
            values: observation of the position, shape ``[n_values]``.
            mask: whether each action is legal, shape ``[n_actions]``.
        """


def spaces_of(view: GameView) -> tuple[Space[Observation], Discrete[np.int64]]:
    """Return the observation space and the action space of a view.

    An observation is a dictionary of `observation`, the values, and `action_mask`, which is 1 for
    each legal action. The mask can be passed to the method `sample` of the action space.
    """
    low, high = view.bounds
    space = Dict({"observation": Box(low, high), "action_mask": MultiBinary(view.size.n_actions)})
    return cast("Space[Observation]", space), Discrete(view.size.n_actions)


MANY_ENVIRONMENTS = 100_000  # maximum number; this many duels take half a gigabyte of memory

EnvironmentCount = Annotated[int, Field(ge=1, le=MANY_ENVIRONMENTS)]
RenderMode = Literal["ansi"] | None


def stream_of(seed: int) -> int:
    """Return the stream, a 64-bit seed, of the episodes of an environment reset with `seed`."""
    return stream_seed(seed, "environment")


def observation_of(values: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> Observation:
    """Return copies of values and mask as an observation of one or many environments.

    Args:
        values: values of the view, shape ``[n_values]`` or ``[N, n_values]``.
        mask: whether each action is legal, shape ``[n_actions]`` or ``[N, n_actions]``.
    """
    return {"observation": values.copy(), "action_mask": mask.astype(np.int8)}


def allowed_actions(
    actions: npt.NDArray[np.integer],
    masks: npt.NDArray[np.bool_],
    replacement: int | None,
    action_name: Callable[[int, int], str],
) -> npt.NDArray[np.int64]:
    """Return the given actions, with illegal actions replaced by legal ones, shape ``[N]``.

    Args:
        actions: numbers of the actions that the learner chose, shape ``[N]``.
        masks: whether each action is legal, shape ``[N, n_actions]``.
        replacement: number of the action that replaces illegal actions; if it is illegal too, the
            legal action with the lowest number is used. `None` to reject illegal actions.
        action_name: function that maps (environment, action) to a readable name of the action.

    Raises:
        ValueError: an action is illegal and `replacement` is `None`, or the actions have a wrong
            shape or type; the message names the first illegal action and the legal actions.
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
