"""A duel with a learner in every seat, for PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from sim.cards.pool import Pool
from sim.engine import layout as at
from sim.engine.stepping import (
    action_to_engine,
    begin_game,
    look_through,
    new_state,
    perform,
)
from sim.environments.games import DeckChoice, legal_actions, rows_of, stream_of
from sim.environments.position import (
    Observation,
    action_space,
    observation_of,
    observation_space,
    position_text,
)
from sim.errors import InputError
from sim.game_log.snapshot import take_snapshot
from sim.observation.view import view_of
from sim.play.card_fault import fault_of_state, is_faulty
from sim.play.reach import reach_of_rows
from sim.ruleset import N_SEATS, Ruleset
from sim.seeds import number_of

_TRIES = 100  # deals in search of a game that is not over before anybody moves


class DuelTurns(AECEnv[str, Observation, np.int64]):
    """A duel in which `seat_0` and `seat_1` take turns, one action at a time.

    Observations are those of `sim.environments.vector` for one environment, each agent's own
    view at any time; the mask is empty for whoever is not to move. It is meant for exchange with
    other tools rather than for training: `sim.environments.episodes` plays both sides a hundred
    times faster.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo has it
        "name": "evenhand_duel_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *decks: DeckChoice,
        pool: str | Pool | None = None,
        ruleset: str | Ruleset | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment; `reset` begins a game.

        Args:
            decks: one to a seat, the first to move first; names, paths or decks.
            pool: the cards; default the pool that the first deck names.
            ruleset: the rules; likewise.
            render_mode: `"ansi"` or nothing.

        Raises:
            InputError: not one deck to a seat, or see `sim.environments.games.duels`.
        """
        super().__init__()  # type: ignore[no-untyped-call]
        if len(decks) != N_SEATS:
            raise InputError(f"{len(decks)} decks for {N_SEATS} seats; each seat needs one")
        table, rows = rows_of(decks, pool, ruleset)
        self._table, self._numbers, self._decks = table, table.words[0], np.concatenate(rows)
        self._seen_by = view_of(table, reach_of_rows(table.pool, table.ruleset, np.stack(rows)))
        self._state = new_state()
        self._stream = 0
        self._n_games: int | None = None  # begun of the stream; None while there is no seed
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(N_SEATS)]
        self.agents = []
        self._action_spaces = {agent: action_space(self._seen_by) for agent in self.possible_agents}
        self._observation_spaces = {
            agent: observation_space(self._seen_by) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[Observation]:
        """Always the same object for the same agent."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """Always the same object for the same agent."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's signature
        """Begin a game: the first of this seed, or without one the next.

        Raises:
            InputError: games of these decks are over before anybody moves.
        """
        if seed is None and self._n_games is None:
            seed = seeding.np_random()[1]
        if seed is not None:
            self._stream, self._n_games = stream_of(seed), 0
        self._deal()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._state[at.ACTIVE]]

    def step(self, action: np.int64 | None) -> None:
        """One action of `agent_selection`; `None` once the game is over.

        Raises:
            ValueError: it is illegal; nothing has happened then.
            CardFault: a card's texts stopped the game.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type] # it insists on None
            return
        values, mask = self._view(self._state)
        view = self._seen_by
        legal = legal_actions(np.array([action]), mask[None], values[None], "refuse", view)
        perform(
            self._state,
            self._numbers,
            action_to_engine(self._numbers, view.words, int(legal[0])),
        )
        self._refuse_fault()
        self.agent_selection = self.possible_agents[self._state[at.ACTIVE]]
        if self._state[at.RESULT] != at.RUNNING:
            self._end()

    def observe(self, agent: str) -> Observation:
        """What `agent` sees, whether or not it is to move."""
        seat = self.possible_agents.index(agent)
        state = self._state.copy()
        if seat != state[at.ACTIVE]:
            state[at.CHOICES] = 0  # nobody else knows what there is to choose from
        state[at.ACTIVE] = seat
        values, mask = self._view(state)
        is_to_move = self._state[at.RESULT] == at.RUNNING and self._state[at.ACTIVE] == seat
        return observation_of(values, mask & is_to_move)

    def render(self) -> str | None:
        """The position as `agent_selection` sees it, if the mode is `"ansi"`."""
        if self.render_mode != "ansi":
            return None
        values, mask = self._view(self._state)
        return f"{self.agent_selection}\n{position_text(values, mask, self._seen_by)}"

    def close(self) -> None:
        """Nothing is held open."""

    def _deal(self) -> None:
        first = self._n_games or 0
        for game in range(first, first + _TRIES):
            begin_game(self._state, self._numbers, self._decks, 0, 1, number_of(self._stream, game))
            self._n_games = game + 1
            self._refuse_fault()
            if self._state[at.RESULT] == at.RUNNING:
                return
        raise InputError("these decks and rules end games before anybody's first move")

    def _refuse_fault(self) -> None:
        """Raise what stopped the game, if a card's texts did."""
        if is_faulty(self._state):
            game_seed = number_of(self._stream, (self._n_games or 1) - 1)
            raise fault_of_state(self._state, self._table, game_seed)

    def _view(self, state: Any) -> tuple[Any, Any]:
        """Values and mask of the seat to move."""
        size = self._seen_by.size
        values = np.zeros(size.n_values, dtype=np.float32)
        mask = np.zeros(size.n_actions, dtype=np.bool_)
        look_through(state, self._numbers, self._seen_by.words, values, mask.view(np.uint8))
        return values, mask

    def _end(self) -> None:
        """Tell who won, the only rewards there are; a draw of the living is the turn cap's."""
        end = take_snapshot(self._state)
        if end.result == at.DRAWN and all(seat.life > 0 for seat in end.seats):
            self.truncations = dict.fromkeys(self.agents, True)
            return
        self.terminations = dict.fromkeys(self.agents, True)
        if end.result != at.DRAWN:
            for seat, agent in enumerate(self.possible_agents):
                self.rewards[agent] = 1.0 if seat == end.result else -1.0
        self._accumulate_rewards()
