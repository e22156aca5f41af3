"""The PettingZoo environment of Big Two with a learner in every seat."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from sim.arguments import checked
from sim.big_two.cards import N_SEATS
from sim.big_two.environment import action_text, position_text, view_of
from sim.big_two.episodes import REWARDS, Reward, final_rewards, rewards_of_plays
from sim.big_two.games import FIRST_GAME, Games
from sim.big_two.layout import NOBODY
from sim.big_two.observers import Observer
from sim.big_two.rules import BigTwoRules
from sim.environments.base import Observation, RenderMode, allowed_actions, observation_of
from sim.environments.seated import SeatedTurns
from sim.errors import known_word
from sim.seeds import number_of


class BigTwoTurns(SeatedTurns):
    """A game in which `seat_0` to `seat_3` take turns; the holder of the opening card begins.

    Observations are those of one environment of `sim.big_two.environment`.
    `reset(options={"fixed_hands": ["3d 4d", "", "", ""]})` sets the hands of seats.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - declared by PettingZoo
        "name": "evenhand_big_two_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    @checked(render_mode=RenderMode)
    def __init__(
        self,
        *,
        observer: str | Observer = "history",
        rules: str | BigTwoRules = "standard",
        reward: Reward = "first",
        render_mode: str | None = None,
    ) -> None:
        """Create the environment; `reset` begins a game.

        Args:
            observer: observer of all agents, or its name (`sim.big_two.observers`).
            rules: the rules, or the name of a variant.
            reward: kind of reward (`sim.big_two.episodes`).
            render_mode: `"ansi"`, or `None` for no rendering.

        Raises:
            InputError: there is no such variant, observer or reward.
        """
        known_word("reward", reward, REWARDS)
        view = view_of(rules, observer)
        super().__init__(N_SEATS, view, render_mode)
        self._view = view
        self._reward = reward
        self._games = Games(view.rules, 1)

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent, whether or not it is to move."""
        seat = self.possible_agents.index(agent)
        games = self._games
        values = np.zeros((1, self._view.size.n_values), dtype=np.float32)
        self._view.observer.see(games, FIRST_GAME, np.array([seat]), values)
        mask = games.masks(FIRST_GAME)[0] & (games.active[0] == seat)
        return observation_of(values[0], mask)

    def _deal(self, options: Mapping[str, Any]) -> None:
        """Begin the next game of the stream; `fixed_hands` of the options sets hands of seats."""
        game = self._n_games or 0
        self._games.deal([number_of(self._stream, game)], fixed_hands=options.get("fixed_hands"))
        self._n_games = game + 1

    def _active(self) -> int:
        """Return the seat to move."""
        return int(self._games.active[0])

    def _move(self, actions: Any) -> list[float]:
        """Carry out ``[1]`` action, record whether the game ended, and return all rewards."""
        games = self._games
        seat = self._active()
        legal = allowed_actions(actions, games.masks(FIRST_GAME), None, partial(action_text, games))
        held = games.cards_left[0, seat]
        games.act(FIRST_GAME, legal)
        rewards = np.zeros(N_SEATS)
        rewards[seat] = rewards_of_plays(self._reward, held - games.cards_left[0, seat])
        if games.winner[0] != NOBODY:
            self.terminations = dict.fromkeys(self.agents, True)
            rewards += final_rewards(self._reward, games, FIRST_GAME)[0]
        return list(rewards.tolist())

    def _text(self) -> str:
        """Return the position as text, as the seat to move sees it."""
        return position_text(self._games, 0, self._games.masks(FIRST_GAME)[0])
