"""PettingZoo environments with a learner in every seat; the parts that all games share."""

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
    """A game in which the agents `seat_0`, `seat_1`, ... choose one action at a time.

    Each agent can be observed at any time; the action mask of an agent that is not to move is
    empty.
    """

    def __init__(
        self,
        n_seats: int,
        view: GameView,
        render_mode: str | None,
    ) -> None:
        """Create the environment; `reset` begins a game.

        Args:
            n_seats: number of seats.
            view: the way agents see the game.
            render_mode: `"ansi"`, or `None` for no rendering.
        """
        super().__init__()  # type: ignore[no-untyped-call]
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(n_seats)]
        self.agents = []
        # Separate spaces, since each agent may seed and sample its own.
        self._spaces = {agent: spaces_of(view) for agent in self.possible_agents}
        self._stream = 0
        self._n_games: int | None = None  # games begun with this seed; None without a seed

    def observation_space(self, agent: str) -> Space[Observation]:
        """Return the observation space of an agent, always the same object."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """Return the action space of an agent, always the same object."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first one of a seed, or without a seed the next one.

        Args:
            seed: seed of this game and of those that follow.
            options: options of the game.

        Raises:
            InputError: the options do not allow a deal.
        """
        if seed is None and self._n_games is None:
            seed = seeding.np_random()[1]
        if seed is not None:
            self._stream = stream_of(seed)
            self._n_games = 0
        self._deal(options or {})
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._active()]

    def step(self, action: np.int64 | None) -> None:
        """Carry out one action of `agent_selection`; `None` after the end of the game.

        Raises:
            ValueError: the action is illegal; nothing has changed.
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
        """Return the position as `agent_selection` sees it if the mode is `"ansi"`, else `None`."""
        return f"{self.agent_selection}\n{self._text()}" if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    @abstractmethod
    def _deal(self, options: Mapping[str, Any]) -> None:
        """Begin the next game of the stream."""

    @abstractmethod
    def _active(self) -> int:
        """Return the seat to move."""

    @abstractmethod
    def _move(self, actions: Any) -> list[float]:
        """Carry out ``[1]`` action and record whether the game ended.

        Returns:
            Reward of each seat.
        """

    @abstractmethod
    def _text(self) -> str:
        """Return the position as text."""
