"""A duel with a learner in every seat, for PettingZoo."""

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

_TRIES = 100  # deals in search of a game that is not over before anybody moves


class DuelTurns(SeatedTurns):
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

    @checked(render_mode=RenderMode)
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
            InputError: not one deck to a seat, or see `sim.environments.vector.duels`.
        """
        if len(decks) != N_SEATS:
            raise InputError(f"{len(decks)} decks for {N_SEATS} seats; each seat needs one")
        table, rows = rows_of(decks, pool, ruleset)
        self._table = table
        self._numbers = table.words[0]
        self._decks = np.concatenate(rows)
        self._seen_by = view_of(table, reach_of_rows(table.pool, table.ruleset, np.stack(rows)))
        self._state = new_state()
        super().__init__(N_SEATS, self._seen_by, render_mode)

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

    def _deal(self, _: Mapping[str, Any]) -> None:
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

    def _active(self) -> int:
        return int(self._state[at.ACTIVE])

    def _move(self, actions: Any) -> list[float]:
        values, mask = self._view(self._state)
        view = self._seen_by
        numbers = self._numbers
        legal = allowed_actions(
            actions, mask[None], None, lambda _, action: action_text(action, values, view)
        )
        perform(self._state, numbers, action_to_engine(numbers, view.words, int(legal[0])))
        self._refuse_fault()
        return self._end() if self._state[at.RESULT] != at.RUNNING else [0.0] * N_SEATS

    def _text(self) -> str:
        return position_text(*self._view(self._state), self._seen_by)

    def _end(self) -> list[float]:
        """Tell who won, the only rewards there are; a draw of the living is the turn cap's."""
        end = take_snapshot(self._state)
        if end.result == at.DRAWN and all(seat.life > 0 for seat in end.seats):
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.terminations = dict.fromkeys(self.agents, True)
        if end.result == at.DRAWN:
            return [0.0] * N_SEATS
        return [1.0 if seat == end.result else -1.0 for seat in range(N_SEATS)]
