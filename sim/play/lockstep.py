"""Lock-step play of thousands of games at once, so that learned agents choose in large blocks."""

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
"""Maximum number of games that one thread plays at the same time.

Learned agents choose in blocks of 1,024 positions. With slightly less than two blocks, play is
about as fast if one agent chooses in all positions as if two agents choose alternately.
"""


class LockstepPlay(Backend):
    """Backend for games in which a learned agent plays.

    Each place has one running game. A tick carries out the chosen actions and lets compiled agents
    move until a learned agent must choose. Then each learned agent chooses for all games in which
    it is to move. When a game is over, the next game takes its place. In a position with one legal
    action, that action is taken without the agent.
    """

    least_games = 256  # a quarter of a block of choices; chosen by hand, not tuned
    plays_one_by_one = False

    def __init__(self, work: Work, table: Table, agents: Sequence[Agent]) -> None:
        """Prepare to play a batch.

        Args:
            work: batch to play, as arguments of the engine.
            table: card table of all variants.
            agents: agent of each player, shape ``[D]``.

        Raises:
            InputError: a learned agent's view cannot show a card of its games or these rules, or
                it was trained with another view.
        """
        super().__init__(work)
        # Players with the same agent object share its blocks of choices, so agents are identified
        # by `id` and not by name or equality.
        learned = {id(agent): agent for agent in agents if not isinstance(agent, CompiledAgent)}
        self._learned: list[LearnedAgent] = list(learned.values())
        positions = {identity: position for position, identity in enumerate(learned)}
        self._learned_by_player = np.array([positions.get(id(agent), NOBODY) for agent in agents])
        self._views = [
            view_for(table, agent, _cards_met(self._learned_by_player == position, work, table))
            for position, agent in enumerate(self._learned)
        ]

    def chunk_games(self, n_games: int, threads: int) -> int:
        """Return the number of games in a chunk: an equal share for each thread, at least 1.

        Fewer and larger chunks give larger blocks of choices, which matter more than threads that
        end at the same time.
        """
        return max(-(-n_games // threads), 1)

    def _play(self, start: int, stop: int, tally: Tally) -> None:
        """Play games `start` to `stop` (exclusive), and add each game to `tally` as it ends."""
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
        # The engine takes flat positional arguments: `before`, the next game, and `after`.
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
                    # The arrays are as wide as the largest view of all learned agents.
                    actions[places] = agent.choose(
                        observations[places][:, : size.n_values],
                        masks[places][:, : size.n_actions],
                    )
            next_game = tick(*(*before, next_game, *after))


def _cards_met(is_player: npt.NDArray[np.bool_], work: Work, table: Table) -> tuple[int, ...]:
    """Return the sorted numbers of all cards that can appear in the games of a group of players.

    Args:
        is_player: whether each player of the batch belongs to the group, shape ``[D]``.
        work: batch that contains the games.
        table: card table of all variants.
    """
    players = work.rows[:, at.GAMES_SEAT_0 : at.GAMES_SEAT_1 + 1]
    decks_met = np.unique(players[is_player[players].any(axis=1)])
    return reach_of_rows(table.pool, table.ruleset, work.decks[decks_met])
