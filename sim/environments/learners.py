"""Gymnasium environments with one learner among other players, for one game or many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete, Space
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sim.environments.base import (
    Chosen,
    EnvironmentGames,
    Observation,
    observation_of,
    spaces_of,
    stream_of,
)

Numbers = npt.NDArray[Any]
"""Array of actions, rewards or flags of all environments, as Gymnasium passes them."""


class LearnersVectorEnv(VectorEnv[Observation, Numbers, Numbers]):
    """Vector environment of ``N`` games of a learner against other players.

    An observation is a dictionary of `observation`, float32, shape ``[N, n_values]``, and
    `action_mask`, int8 (the type that `sample` of a space takes), shape ``[N, n_actions]``.
    `info["action_mask"]` and `action_masks()` are the same mask as bool, for use as an index.
    `info["illegal_action"]` is true for environments in which the last action was illegal and
    another action was carried out instead.

    Environments reset in the step in which they end; `info["final_obs"]` and `info["final_info"]`
    describe the end, as in Gymnasium's own same-step environments. The mask of a finished game has
    one legal action, so that the argmax over a mask is always defined.

    An environment with seed s plays the same episodes as a single environment with seed s,
    independently of the other environments.

    Attributes:
        games: games of all environments.
    """

    def __init__(
        self,
        games: EnvironmentGames,
        render_mode: str | None = None,
    ) -> None:
        """Create the environments; `reset` begins the games.

        Args:
            games: games of all environments.
            render_mode: `"ansi"`, or `None` to disable rendering.
        """
        self.metadata: dict[str, Any] = {
            "autoreset_mode": AutoresetMode.SAME_STEP,
            "render_modes": ["ansi"],
        }
        self.games = games
        self.num_envs: int = len(games.masks)
        self.render_mode = render_mode
        spaces = spaces_of(games.view)
        self.single_observation_space: Space[Observation] = spaces[0]
        self.single_action_space: Discrete[np.int64] = spaces[1]
        self.observation_space: Space[Any] = batch_space(spaces[0], self.num_envs)
        self.action_space: Space[Any] = batch_space(spaces[1], self.num_envs)
        self._is_seeded = np.zeros(self.num_envs, dtype=np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the next episode in all environments, or in those that `options` selects.

        Args:
            seed: number from which environment e gets seed + e, or a sequence with the seed of
                each environment. An environment without a seed continues with its next episode, or
                draws a random seed if it never had one.
            options: options of the game, and optionally `reset_mask`: whether to reset each
                environment, bool, shape ``[N]``.

        Raises:
            ValueError: there is not one seed per environment, or the mask has a wrong shape or
                type or selects no environment.
            gymnasium.error.ResetNeeded: an environment has never been reset and is not selected.
        """
        seeds = self._seeds(seed)
        chosen = self._chosen(options)
        if not (chosen | self._is_seeded).all():
            raise ResetNeeded("the first reset() must include all environments")
        environments = []
        streams = []
        for environment in np.flatnonzero(chosen).tolist():
            own_seed = seeds[environment]
            if own_seed is None and not self._is_seeded[environment]:
                own_seed = int(self.np_random.integers(2**63))
            if own_seed is not None:
                environments.append(environment)
                streams.append(stream_of(own_seed))
        self.games.seed(streams, environments)
        self._is_seeded |= chosen
        self.games.reset(chosen, options or {})
        nowhere = np.zeros(self.num_envs, dtype=np.bool_)
        return self._observation(), self._info() | _illegal_info(nowhere, ~nowhere)

    def step(
        self, actions: Numbers
    ) -> tuple[Observation, Numbers, Numbers, Numbers, dict[str, Any]]:
        """Carry out one action of the learner in each environment.

        Args:
            actions: number of the learner's action in each environment, shape ``[N]``.

        Returns:
            Observations, rewards, whether games terminated, whether games were truncated, and
            `info`, as in Gymnasium; the arrays have shape ``[N]``.

        Raises:
            ValueError: an action is illegal, and illegal actions are rejected; no game has changed.
            gymnasium.error.ResetNeeded: `reset` has not been called.
        """
        games = self.games
        if not self._is_seeded.all():
            raise ResetNeeded("no game has begun; call reset() first")
        legal = games.legal(actions)
        is_illegal = legal != np.asarray(actions)
        games.step(legal)
        ended = games.ended != 0
        info = self._info() | _illegal_info(is_illegal & ~ended, np.ones_like(ended))
        if ended.any():
            info |= self._final_info(is_illegal)
        truncated = games.truncated
        rewards = games.rewards.astype(np.float64)
        return self._observation(), rewards, ended & ~truncated, truncated, info

    def action_masks(self) -> Chosen:
        """Return whether each action is legal in each environment, shape ``[N, n_actions]``.

        Raises:
            gymnasium.error.ResetNeeded: `reset` has not been called.
        """
        if not self._is_seeded.all():
            raise ResetNeeded("no game has begun; call reset() first")
        return self.games.masks.copy()

    def render(self) -> tuple[str, ...] | None:
        """Return the position of each environment as text; `None` if rendering is disabled."""
        if self.render_mode != "ansi":
            return None
        games = self.games
        return tuple(
            games.text(environment, values, mask)
            for environment, (values, mask) in enumerate(
                zip(games.observations, games.masks, strict=True)
            )
        )

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        """Return the seed of each environment; `None` for environments that continue their stream.

        Args:
            seed: argument of `reset`.

        Raises:
            ValueError: a sequence does not have one seed per environment.
        """
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            return [int(seed) + environment for environment in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(
                f"seed: {len(seed)} given, {self.num_envs} needed; give one for each environment"
            )
        return seed

    def _chosen(self, options: dict[str, Any] | None) -> Chosen:
        """Return whether each environment is selected for a reset, by default all, shape ``[N]``.

        Args:
            options: argument of `reset`; `reset_mask` is checked and returned.

        Raises:
            ValueError: the mask has a wrong shape or type, or selects no environment.
        """
        chosen = (options or {}).get("reset_mask")
        if chosen is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(chosen, np.ndarray) or chosen.dtype != np.bool_:
            raise ValueError("options['reset_mask'] must be an array of bool")
        if chosen.shape != (self.num_envs,) or not chosen.any():
            raise ValueError(
                f"options['reset_mask'] must have {self.num_envs} values, at least one of them True"
            )
        return chosen

    def _observation(self) -> Observation:
        """Return a copy of the observations of all environments."""
        return observation_of(self.games.observations, self.games.masks)

    def _info(self) -> dict[str, Any]:
        """Return the entries of `info` that every step and reset returns: the action masks."""
        everywhere = np.ones(self.num_envs, dtype=np.bool_)
        return {"action_mask": self.games.masks.copy(), "_action_mask": everywhere}

    def _final_info(self, is_illegal: Chosen) -> dict[str, Any]:
        """Return the entries of `info` about ended games, as Gymnasium's wrappers expect them.

        Args:
            is_illegal: whether the last action of each environment was illegal, shape ``[N]``.
        """
        ended = self.games.ended != 0
        masks = np.zeros_like(self.games.masks)
        masks[ended, self.games.idle] = True
        finals = np.full(self.num_envs, None, dtype=object)
        for environment in np.flatnonzero(ended):
            finals[environment] = observation_of(self.games.finals[environment], masks[environment])
        return {
            "final_obs": finals,
            "_final_obs": ended,
            "final_info": {"action_mask": masks, "_action_mask": ended.copy()}
            | _illegal_info(is_illegal & ended, ended),
            "_final_info": ended.copy(),
        }


def _illegal_info(is_illegal: Chosen, is_known: Chosen) -> dict[str, Any]:
    """Return the entries of `info` about illegal actions.

    Args:
        is_illegal: whether the last action of each environment was illegal, shape ``[N]``.
        is_known: whether the entry is valid for each environment, shape ``[N]``.
    """
    return {"illegal_action": is_illegal, "_illegal_action": is_known.copy()}


_ALONE = np.ones(1, dtype=np.bool_)
"""Selection of the single environment of `LearnersEnv`, for `EnvironmentGames.reset`."""


class LearnersEnv(gymnasium.Env[Observation, np.int64]):
    """Environment of one game of a learner against other players.

    Observations, actions, rewards and masks are those of one environment of `LearnersVectorEnv`.
    `info["illegal_action"]` is true if the last action was illegal and another action was carried
    out instead. The masked PPO of sb3-contrib calls `action_masks()`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - declared by Gymnasium

    def __init__(self, many: LearnersVectorEnv) -> None:
        """Wrap a vector environment that has exactly one game; `reset` begins the game."""
        self._games = many.games
        self.render_mode: str | None = many.render_mode
        self.observation_space: Space[Observation] = many.single_observation_space
        self.action_space: Discrete[np.int64] = many.single_action_space
        self._is_seeded = False
        self._is_over = False
        self._end = np.zeros(self._games.masks.shape[1], dtype=np.bool_)
        self._end[self._games.idle] = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode: with a seed the first episode of that seed, otherwise the next one.

        Args:
            seed: seed of this and all following episodes. An environment that never had a seed
                draws a random seed.
            options: options of the game, such as fixed hands.
        """
        super().reset(seed=seed, options=options)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(2**63))
        if seed is not None:
            self._games.seed([stream_of(seed)], [0])
            self._is_seeded = True
        # The step that ended an episode has already begun the next one.
        if seed is not None or options or not self._is_over:
            self._games.reset(_ALONE, options or {})
        self._is_over = False
        return self._observation_and_info(is_illegal=False)

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out one action of the learner, and all moves until the learner must choose again.

        Returns:
            Observation, reward, whether the game terminated, whether it was truncated, and `info`.

        Raises:
            ValueError: the action is illegal, and illegal actions are rejected; the game has not
                changed.
            gymnasium.error.ResetNeeded: the episode is over, or `reset` has not been called.
        """
        if self._is_over or not self._is_seeded:
            raise ResetNeeded("no episode is being played; call reset() first")
        games = self._games
        legal = games.legal(np.array([action]))
        is_illegal = bool(legal[0] != action)
        games.step(legal)
        truncated = bool(games.truncated[0])
        self._is_over = bool(games.ended[0])
        observation, info = self._observation_and_info(is_illegal=is_illegal)
        reward = float(games.rewards[0])
        return observation, reward, self._is_over and not truncated, truncated, info

    def action_masks(self) -> Chosen:
        """Return whether each action is legal, shape ``[n_actions]``; in a finished game, one is.

        Raises:
            gymnasium.error.ResetNeeded: `reset` has not been called.
        """
        if not self._is_seeded:
            raise ResetNeeded("no episode has begun; call reset() first")
        return self._position()[1].copy()

    def render(self) -> str | None:
        """Return the position as text; `None` if rendering is disabled."""
        if self.render_mode != "ansi":
            return None
        values, mask = self._position()
        return self._games.text(0, values, mask & (not self._is_over))

    def _observation_and_info(self, *, is_illegal: bool) -> tuple[Observation, dict[str, Any]]:
        """Return the observation and `info` of the current position.

        Args:
            is_illegal: whether the last action was illegal.
        """
        values, mask = self._position()
        info = {"action_mask": mask.copy(), "illegal_action": is_illegal}
        return observation_of(values, mask), info

    def _position(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Return the values and the mask of the current or, in a finished game, final position."""
        games = self._games
        return (
            (games.finals[0], self._end)
            if self._is_over
            else (games.observations[0], games.masks[0])
        )
