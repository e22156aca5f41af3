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
    """PettingZoo environment of a game in which `seat_0` to `seat_3` choose one action at a time.

    Observations are those of one environment of `sim.big_two.environment`. The option `fixed_hands`
    of `reset` sets the hands of seats: `{"fixed_hands": ["3d 4d", "", "", ""]}`.
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
            rules: rules of the game, or the name of a variant.
            reward: kind of reward (`sim.big_two.episodes.Reward`).
            render_mode: `"ansi"`, or `None` to disable rendering.

        Raises:
            InputError: the variant, observer or kind of reward does not exist.
        """
        known_word("reward", reward, REWARDS)
        view = view_of(rules, observer)
        super().__init__(N_SEATS, view, render_mode)
        self._view = view
        self._reward = reward
        self._games = Games(view.rules, 1)

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent, which need not be the agent to move.

        The mask of an agent that is not to move has no legal action.

        Args:
            agent: name of the agent, such as `seat_0`.
        """
        seat = self.possible_agents.index(agent)
        games = self._games
        values = np.zeros((1, self._view.size.n_values), dtype=np.float32)
        self._view.observer.see(games, FIRST_GAME, np.array([seat]), values)
        mask = games.masks(FIRST_GAME)[0] & (games.active[0] == seat)
        return observation_of(values[0], mask)

    def _deal(self, options: Mapping[str, Any]) -> None:
        """Begin the next game of the stream, with the option `fixed_hands` if it is given.

        Raises:
            InputError: the fixed hands are not four sets of different cards with at most 13 cards
                each.
        """
        game = self._n_games or 0
        self._games.deal([number_of(self._stream, game)], fixed_hands=options.get("fixed_hands"))
        self._n_games = game + 1

    def _active(self) -> int:
        """Return the seat to move."""
        return int(self._games.active[0])

    def _move(self, actions: Any) -> list[float]:
        """Carry out an action, record whether the game ended, and return the reward of each seat.

        Args:
            actions: number of the action, shape ``[1]``.

        Raises:
            ValueError: the action is illegal; the game has not changed.
        """
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
        """Return the position as text, from the view of the seat to move."""
        return position_text(self._games, 0, self._games.masks(FIRST_GAME)[0])
