"""The base class of PettingZoo environments with a learner in every seat, for all games."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from sim.environments.base import Observation, spaces_of, stream_of
from sim.observation.parallel_games import GameView


class SeatedTurns(AECEnv[str, Observation, np.int64]):
    """Base class of environments in which agents `seat_0`, `seat_1`, ... choose one action in turn.

    Each agent can be observed at any time; the action mask of an agent that is not to move has no
    legal action.
    """

    def __init__(
        self,
        n_seats: int,
        view: GameView,
        render_mode: str | None,
    ) -> None:
        """Create the environment; `reset` begins a game.

        Args:
            n_seats: number of seats of the game.
            view: view through which all agents observe the game.
            render_mode: `"ansi"`, or `None` to disable rendering.
        """
        super().__init__()  # type: ignore[no-untyped-call]
        self.render_mode = render_mode
        self.possible_agents: list[str] = [f"seat_{seat}" for seat in range(n_seats)]
        self.agents: list[str] = []
        # Each agent has its own spaces, since it may seed and sample them.
        self._spaces = {agent: spaces_of(view) for agent in self.possible_agents}
        self._stream = 0
        self._n_games: int | None = None  # games begun with the current seed; None before a seed

    def observation_space(self, agent: str) -> Space[Observation]:
        """Return the observation space of an agent; it is the same object in all calls."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """Return the action space of an agent; it is the same object in all calls."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: with a seed the first game of that seed, otherwise the next game.

        Args:
            seed: seed of this and all following games. An environment that never had a seed draws a
                random seed.
            options: options of the game, such as fixed hands.

        Raises:
            InputError: no game can be dealt with these options.
        """
        if seed is None and self._n_games is None:
            seed = seeding.np_random()[1]
        if seed is not None:
            self._stream = stream_of(seed)
            self._n_games = 0
        self._deal(options or {})
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection: str = self.possible_agents[self._active()]

    def step(self, action: np.int64 | None) -> None:
        """Carry out one action of the agent `agent_selection`.

        Args:
            action: number of the action. After the end of the game it must be `None`, which removes
                the agent.

        Raises:
            ValueError: the action is illegal; the game has not changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type] # annotated as None
            return
        rewards = self._move(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.agent_selection = self.possible_agents[self._active()]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the position as text, from the view of the agent `agent_selection`.

        The result is `None` if rendering is disabled.
        """
        return f"{self.agent_selection}\n{self._text()}" if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing, since the environment has no resources to release."""

    @abstractmethod
    def _deal(self, options: Mapping[str, Any]) -> None:
        """Begin the next game of the stream `_stream`, and update `_n_games`.

        Args:
            options: options of the game, such as fixed hands.
        """

    @abstractmethod
    def _active(self) -> int:
        """Return the seat to move."""

    @abstractmethod
    def _move(self, actions: Any) -> list[float]:
        """Carry out an action, record whether the game ended, and return the reward of each seat.

        Args:
            actions: number of the action, shape ``[1]``.

        Raises:
            ValueError: the action is illegal; the game has not changed.
        """

    @abstractmethod
    def _text(self) -> str:
        """Return the position as text, from the view of the seat to move."""
