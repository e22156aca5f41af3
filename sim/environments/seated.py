"""A learner in every seat, for PettingZoo: what environments of all games share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from sim.environments.base import Observation, spaces_of, stream_of
from sim.observation.side_by_side import HowSeen


class SeatedTurns(AECEnv[str, Observation, np.int64]):
    """A game in which `seat_0`, `seat_1`, ... take turns, one action at a time.

    Each agent has its own view at any time; the mask is empty for whoever is not to move.
    """

    def __init__(
        self,
        n_seats: int,
        view: HowSeen,
        render_mode: str | None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(n_seats)]
        self.agents = []
        # For each its own, to sample and to seed.
        self._spaces = {agent: spaces_of(view) for agent in self.possible_agents}
        self._stream = 0
        self._n_games: int | None = None  # begun of the stream; None while there is no seed

    def observation_space(self, agent: str) -> Space[Observation]:
        """Always the same object for the same agent."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """Always the same object for the same agent."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first of this seed, or without one the next.

        Args:
            seed: of the games to come.
            options: what the game knows of.

        Raises:
            InputError: no such game can be dealt.
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
        """One action of `agent_selection`; `None` once the game is over.

        Raises:
            ValueError: it is illegal; nothing has happened then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type] # it insists on None
            return
        rewards = self._move(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.agent_selection = self.possible_agents[self._active()]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as `agent_selection` sees it, if the mode is `"ansi"`."""
        return f"{self.agent_selection}\n{self._text()}" if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    @abstractmethod
    def _deal(self, options: Mapping[str, Any]) -> None:
        """Begin the next game of the stream."""

    @abstractmethod
    def _active(self) -> int:
        """The seat to move."""

    @abstractmethod
    def _move(self, actions: Any) -> list[float]:
        """Carry out ``[1]`` an action and tell how the game ended, if so; every seat's reward."""

    @abstractmethod
    def _text(self) -> str:
        """The position as text."""
