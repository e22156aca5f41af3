"""Lock-step play: thousands of games at once, so that learned agents answer in large blocks."""

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
"""Number of games that one thread plays at once.

Learned agents answer in blocks of 1,024 positions. A little under two blocks is about as fast for
one agent that is asked in each position as for two agents that are asked in turn.
"""


class LockstepPlay(Backend):
    """The backend for games in which a learned agent plays.

    Each place holds a running game. One tick carries out the chosen actions and lets compiled
    agents move until a learned agent must choose; then each learned agent answers for all games
    that wait for it. When a game is over, its place takes the next one. A position with one legal
    action is not passed to the agent.
    """

    least_games = 256  # a quarter of a block of answers; chosen by hand, not tuned
    plays_one_by_one = False

    def __init__(self, work: Work, table: Table, agents: Sequence[Agent]) -> None:
        """Prepare to play a batch.

        Args:
            work: the batch.
            table: the card table of all variants.
            agents: ``[D]`` the agent of each player.

        Raises:
            InputError: a learned agent cannot see a card that it may meet, cannot play by these
                rules, or was trained with another view.
        """
        super().__init__(work)
        learned = {id(agent): agent for agent in agents if not isinstance(agent, CompiledAgent)}
        self._learned: list[LearnedAgent] = list(learned.values())
        positions = {identity: position for position, identity in enumerate(learned)}
        self._learned_by_player = np.array([positions.get(id(agent), NOBODY) for agent in agents])
        self._views = [
            view_for(table, agent, _cards_met(self._learned_by_player == position, work, table))
            for position, agent in enumerate(self._learned)
        ]

    def chunk_games(self, n_games: int, threads: int) -> int:
        """Return an equal share of the games for each thread.

        Large blocks of answers matter more here than threads that end at the same time.
        """
        return max(-(-n_games // threads), 1)

    def _play(self, start: int, stop: int, tally: Tally) -> None:
        """Play games `start` to `stop`, and add each to the tally as it ends."""
        work = self._work
        n_places = min(PLACES, stop - start)
        sizes = [view.size for view in self._views]
        n_values = max(size.n_values for size in sizes)
        n_actions = max(size.n_actions for size in sizes)
        words = [view.words for view in self._views]
        view_offsets = np.cumsum([0, *map(len, words)])
        games = np.full(n_places, NOBODY)
        asked = np.full(n_places, NOBODY)
        actions = np.zeros(n_places, dtype=np.int64)
        observations = np.zeros((n_places, n_values), dtype=np.float32)
        masks = np.zeros((n_places, n_actions), dtype=np.bool_)
        # The engine takes flat positional arguments: these, the next game, and those in `after`.
        before = (
            *work.arguments,
            np.concatenate(words),
            view_offsets[np.maximum(self._learned_by_player, 0)],
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
                    # The shared arrays have the width of the largest view.
                    actions[places] = agent.choose(
                        observations[places][:, : size.n_values],
                        masks[places][:, : size.n_actions],
                    )
            next_game = tick(*(*before, next_game, *after))


def _cards_met(is_player: npt.NDArray[np.bool_], work: Work, table: Table) -> tuple[int, ...]:
    """Return the numbers of all cards that can appear in the games of a group of players.

    Args:
        is_player: ``[D]`` whether each player belongs to the group.
        work: the batch.
        table: the card table of all variants.
    """
    players = work.rows[:, at.GAMES_SEAT_0 : at.GAMES_SEAT_1 + 1]
    decks_met = np.unique(players[is_player[players].any(axis=1)])
    return reach_of_rows(table.pool, table.ruleset, work.decks[decks_met])
