"""Lock-step play: thousands of games at once, so that learned agents answer many together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.engine.lockstep import NOBODY, tick
from sim.observation.view import view_for
from sim.play.agent import Agent, CompiledAgent, LearnedAgent
from sim.play.backend import Backend, Tally, Work
from sim.play.reach import reach_of_rows
from sim.play.table import Table

PLACES = 1_920
"""Games played at once by a thread. Learned agents answer in blocks of 1,024 positions: a little
under two blocks serves one agent that is always asked as well as two that are asked in turn."""


class LockstepPlay(Backend):
    """Games of which at least one player is a learned agent.

    Places hold running games. Each tick carries out the answers and lets compiled agents move
    until a learned one is asked; then every learned agent answers all who ask it. A place whose
    game is over takes the next one. With one legal action nobody is asked.
    """

    least_games = 256
    plays_one_by_one = False

    def __init__(self, work: Work, table: Table, agents: Sequence[Agent]) -> None:
        """Get ready to play `work`.

        Args:
            work: the batch.
            table: the numbers of all variants.
            agents: ``[D]`` the agent of each player.

        Raises:
            InputError: a learned agent cannot see a card that it may meet, or play by these
                rules, or sees by another view.
        """
        super().__init__(work)
        learned = {id(agent): agent for agent in agents if not isinstance(agent, CompiledAgent)}
        self._learned: list[LearnedAgent] = list(learned.values())
        positions = {identity: position for position, identity in enumerate(learned)}
        self._learned_by_player = np.array([positions.get(id(agent), NOBODY) for agent in agents])
        self._views = [
            view_for(table, agent, _met_by(self._learned_by_player == position, work, table))
            for position, agent in enumerate(self._learned)
        ]

    def stretch_games(self, n_games: int, threads: int) -> int:
        """One stretch to a thread: many games at once matter more than an even end."""
        return max(-(-n_games // threads), 1)

    def _play(self, start: int, stop: int, tally: Tally) -> None:
        work = self._work
        n_places = min(PLACES, stop - start)
        sizes = [view.size for view in self._views]
        n_values = max(size.n_values for size in sizes)
        n_actions = max(size.n_actions for size in sizes)
        words = [view.words for view in self._views]
        begins = np.cumsum([0, *map(len, words)])
        games = np.full(n_places, NOBODY)
        asked = np.full(n_places, NOBODY)
        actions = np.zeros(n_places, dtype=np.int64)
        observations = np.zeros((n_places, n_values), dtype=np.float32)
        masks = np.zeros((n_places, n_actions), dtype=np.bool_)
        before = (
            *work.arguments,
            np.concatenate(words),
            begins[np.maximum(self._learned_by_player, 0)],
            n_values,
            n_actions,
            np.zeros(n_places * at.STATE_SIZE, dtype=np.int16),
            games,
            np.full(n_places, tally.first_row),
        )
        after = (
            *(stop, tally.first_row, actions, observations.ravel()),
            *(masks.ravel().view(np.uint8), asked),
            *(*tally.arguments, work.winners, self._halt),
        )
        next_game = tick(*(*before, start, *after))
        while (asked != NOBODY).any() and self._halt[0] == 0:
            learned = np.where(asked == NOBODY, NOBODY, self._learned_by_player[asked])
            for position, agent in enumerate(self._learned):
                places = np.flatnonzero(learned == position)
                if len(places):
                    size = sizes[position]
                    seen = observations[places]
                    may = masks[places]
                    actions[places] = agent.choose(
                        seen[:, : size.n_values], may[:, : size.n_actions]
                    )
            next_game = tick(*(*before, next_game, *after))


def _met_by(is_theirs: npt.NDArray[np.bool_], work: Work, table: Table) -> tuple[int, ...]:
    """The cards that games of some players, told by ``[D]`` flags, can reach."""
    players = work.rows[:, at.GAMES_SEAT_0 : at.GAMES_SEAT_1 + 1]
    met = np.unique(players[is_theirs[players].any(axis=1)])
    return reach_of_rows(table.pool, table.ruleset, work.decks[met])
