"""The PettingZoo environment of a duel with a learner in every seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim import InputError, Pool
from sim.arguments import checked
from sim.engine import layout as at
from sim.engine.stepping import (
    action_to_engine,
    begin_game,
    look_through,
    new_state,
    perform,
)
from sim.environments.base import Observation, RenderMode, allowed_actions, observation_of
from sim.environments.position import action_text, position_text
from sim.environments.seated import SeatedTurns
from sim.environments.vector import DeckChoice, rows_of
from sim.game_log.snapshot import take_snapshot
from sim.observation.view import view_of
from sim.play.outcomes import fault_of_state, is_faulty
from sim.play.reach import reach_of_rows
from sim.ruleset import N_SEATS, Ruleset
from sim.seeds import number_of

# Number of deals to try until a game is not over before the first move. If all of a hundred games
# end so early, the rules or decks are the cause. Chosen by hand, not tuned.
_TRIES = 100


class DuelTurns(SeatedTurns):
    """PettingZoo environment of a duel, in which `seat_0` and `seat_1` choose one action at a time.

    Observations are those of one environment of `sim.environments.vector`. Each agent can be
    observed at any time; the mask of an agent that is not to move has no legal action. The
    environment is meant for exchange with other tools and not for training, since
    `sim.environments.episodes` plays both sides about a hundred times faster.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - declared by PettingZoo
        "name": "evenhand_duel_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    @checked(render_mode=RenderMode)
    def __init__(
        self,
        *decks: DeckChoice,
        pool: str | Pool | None = None,
        ruleset: str | Ruleset | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Create the environment; `reset` begins a game.

        Args:
            decks: deck of each seat, as a name, a path that ends in `.toml`, or a deck; seat 0
                moves first.
            pool: pool of cards or its name; by default the pool that the first deck names.
            ruleset: rules or their name; by default the rules that the first deck names.
            render_mode: `"ansi"`, or `None` to disable rendering.

        Raises:
            InputError: there is not one deck per seat, a file is missing or wrong, the decks do not
                fit each other or the rules, or a learner's view cannot show a card.
        """
        if len(decks) != N_SEATS:
            raise InputError(
                f"{len(decks)} given, but {N_SEATS} are needed",
                place="decks",
                value=len(decks),
                limit=N_SEATS,
                remedy="give one for each seat",
            )
        table, rows = rows_of(decks, pool, ruleset)
        self._table = table
        self._numbers = table.words[0]
        self._decks = np.concatenate(rows)
        self._game_view = view_of(table, reach_of_rows(table.pool, table.ruleset, np.stack(rows)))
        self._state = new_state()
        super().__init__(N_SEATS, self._game_view, render_mode)

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent, which need not be the agent to move.

        The mask of an agent that is not to move has no legal action.

        Args:
            agent: name of the agent, such as `seat_0`.
        """
        seat = self.possible_agents.index(agent)
        state = self._state.copy()
        if seat != state[at.ACTIVE]:
            state[at.CHOICES] = 0  # the offered cards are hidden from the other seat
        state[at.ACTIVE] = seat
        values, mask = self._view(state)
        is_to_move = self._state[at.RESULT] == at.RUNNING and self._state[at.ACTIVE] == seat
        return observation_of(values, mask & is_to_move)

    def _deal(self, _: Mapping[str, Any]) -> None:
        """Begin the next game of the stream, and skip games that are over before the first move.

        Raises:
            InputError: a hundred games in succession were over before the first move.
            CardFault: the effects of a card stopped a game.
        """
        first = self._n_games or 0
        for game in range(first, first + _TRIES):
            begin_game(self._state, self._numbers, self._decks, 0, 1, number_of(self._stream, game))
            self._n_games = game + 1
            self._check_fault()
            if self._state[at.RESULT] == at.RUNNING:
                return
        raise InputError(
            "these decks and rules end games before the first move",
            remedy="use other decks or rules",
        )

    def _check_fault(self) -> None:
        """Raise a `CardFault` if the effects of a card have stopped the current game."""
        if is_faulty(self._state):
            game_seed = number_of(self._stream, (self._n_games or 1) - 1)
            raise fault_of_state(self._state, self._table, game_seed)

    def _view(self, state: Any) -> tuple[Any, Any]:
        """Return the observed values and the mask of the seat to move in a state."""
        size = self._game_view.size
        values = np.zeros(size.n_values, dtype=np.float32)
        mask = np.zeros(size.n_actions, dtype=np.bool_)
        look_through(state, self._numbers, self._game_view.words, values, mask.view(np.uint8))
        return values, mask

    def _active(self) -> int:
        """Return the seat to move."""
        return int(self._state[at.ACTIVE])

    def _move(self, actions: Any) -> list[float]:
        """Carry out an action, record whether the game ended, and return the reward of each seat.

        Args:
            actions: number of the action, shape ``[1]``.

        Raises:
            ValueError: the action is illegal; the game has not changed.
            CardFault: the effects of a card stopped the game.
        """
        values, mask = self._view(self._state)
        view = self._game_view
        numbers = self._numbers
        legal = allowed_actions(
            actions, mask[None], None, lambda _, action: action_text(action, values, view)
        )
        perform(self._state, numbers, action_to_engine(numbers, view.words, int(legal[0])))
        self._check_fault()
        return self._end() if self._state[at.RESULT] != at.RUNNING else [0.0] * N_SEATS

    def _text(self) -> str:
        """Return the position as text, from the view of the seat to move."""
        return position_text(*self._view(self._state), self._game_view)

    def _end(self) -> list[float]:
        """Record the end of the game, and return the reward of each seat: 1, -1, or 0 for a draw.

        A draw with both players alive was caused by the turn limit and counts as a truncation; all
        other ends are terminations.
        """
        end = take_snapshot(self._state)
        if end.result == at.DRAWN and all(seat.life > 0 for seat in end.seats):
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.terminations = dict.fromkeys(self.agents, True)
        if end.result == at.DRAWN:
            return [0.0] * N_SEATS
        return [1.0 if seat == end.result else -1.0 for seat in range(N_SEATS)]
