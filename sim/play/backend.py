"""Backends that play a chunk of a batch, and the flat arrays that the engine reads and fills."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.engine.kernel import play_games
from sim.observation.view import View
from sim.play.outcomes import Counts
from sim.ruleset import DECK_CAPACITY, N_SEATS

SEEN_SHAPE = (N_SEATS, at.N_RESULTS, DECK_CAPACITY, at.N_SEEN_CODES)
"""Shape of the card counts of one row of a batch (`sim.play.outcomes.Outcomes.seen`)."""

_NO_VIEW = np.zeros(1, dtype=np.int16)  # passed to the engine when actions are not counted


@dataclass(frozen=True)
class Tally:
    """Counts of a chunk of games, for the rows of the batch that have games in the chunk.

    `sim.play.outcomes.Outcomes` describes the counts.

    Attributes:
        first_row: row of the batch that row 0 of the arrays belongs to.
        totals: wins, draws, sums and faults of each row, shape ``[rows, N_TOTALS]``.
        turns: number of games by number of turns, shape ``[rows, TURN_BINS]``.
        seen: number of games by seat, result, deck slot and what happened to the card in that slot,
            shape ``[rows, *SEEN_SHAPE]``; shape ``[0, *SEEN_SHAPE]`` if card counts are not kept.
        chosen: number of times that each seat chose each action, shape
            ``[rows, N_SEATS, n_actions]``; `n_actions` is 0 if action counts are not kept.
        first_game: index in the batch of the chunk's first game.
        winners: result of each game, int8, shape ``[games]``; empty if results are not kept.
    """

    first_row: int
    totals: Counts
    turns: Counts
    seen: Counts
    chosen: Counts
    first_game: int
    winners: npt.NDArray[np.int8]

    @property
    def arguments(self) -> tuple[Counts, ...]:
        """Flat views of the four count arrays, in the order of the engine's parameters."""
        return self.totals.ravel(), self.turns.ravel(), self.seen.ravel(), self.chosen.ravel()

    def add(self, later: Tally) -> None:
        """Add the counts of another tally to this one; tallies may be added in any order.

        If both tallies have a fault of the same row, the fault with the lower game number is kept.

        Args:
            later: tally to add; its rows must be among the rows of this tally.
        """
        rows = slice(later.first_row, later.first_row + len(later.totals))
        totals = self.totals[rows]
        known_game = totals[:, at.FAULT_GAME]
        added_game = later.totals[:, at.FAULT_GAME]
        # Game numbers start at 1; 0 means that the row has no fault.
        is_first = (added_game != 0) & ((known_game == 0) | (added_game < known_game))
        # Columns before FAULTS are sums, FAULTS is a bit set, and the columns after it describe
        # one fault, so these three parts are added, united and replaced.
        totals[:, : at.FAULTS] += later.totals[:, : at.FAULTS]
        totals[:, at.FAULTS] |= later.totals[:, at.FAULTS]
        totals[is_first, at.FAULT_ROW :] = later.totals[is_first, at.FAULT_ROW :]
        self.turns[rows] += later.turns
        self.seen[rows] += later.seen
        self.chosen[rows] += later.chosen
        self.winners[later.first_game : later.first_game + len(later.winners)] = later.winners


@dataclass(frozen=True)
class Work:
    """A batch as arguments of the engine (`sim.engine.kernel.play_games`).

    Attributes:
        tables: words of the card tables of all variants, shape ``[V, size]``.
        decks: deck row of each player, shape ``[D, DECK_ROW_SIZE]``.
        rows: variant, player in each seat and index of the first game, shape ``[R, GAMES_SIZE]``.
        ends: cumulative number of games, up to and including each row, shape ``[R]``.
        addresses: two addresses of each player's agent, for games of plain cards and for games
            under the general rules, shape ``[D, 2]``; `sim.engine.layout.ASK` for learned agents.
        stream: seed from which the seeds of all games are derived.
        keep_cards: whether to count what happened to the card of each deck slot.
        winners: result of each game, written in place, int8, shape ``[G]``; empty if results are
            not kept.
        counting_view: view that numbers the actions to count; `None` if actions are not counted.
    """

    tables: npt.NDArray[np.int16]
    decks: npt.NDArray[np.int16]
    rows: Counts
    ends: Counts
    addresses: Counts
    stream: int
    keep_cards: bool
    winners: npt.NDArray[np.int8]
    counting_view: View | None

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments that describe the batch, in the order of `sim.engine.kernel.BATCH`."""
        return (
            self.tables.ravel(),
            self.tables.shape[1],
            self.decks.ravel(),
            self.rows.ravel(),
            self.ends,
            self.addresses.ravel(),
            self.stream,
            self.counting_view.words if self.counting_view else _NO_VIEW,
        )

    def total(self) -> Tally:
        """Return a tally of zeros for all games of the batch, with its own array of results."""
        return self._tally(0, len(self.rows), 0, np.zeros_like(self.winners))

    def _tally(
        self, first_row: int, n_rows: int, first_game: int, winners: npt.NDArray[np.int8]
    ) -> Tally:
        """Return a tally of zeros for consecutive rows of the batch.

        Args:
            first_row: index of the first row.
            n_rows: number of rows.
            first_game: index in the batch of the first game.
            winners: array for the results of the games.
        """
        n_actions = self.counting_view.size.n_actions if self.counting_view else 0
        n_seen = n_rows if self.keep_cards else 0
        return Tally(
            first_row,
            np.zeros((n_rows, at.N_TOTALS), dtype=np.int64),
            np.zeros((n_rows, at.TURN_BINS), dtype=np.int64),
            np.zeros((n_seen, *SEEN_SHAPE), dtype=np.int64),
            np.zeros((n_rows, N_SEATS, n_actions), dtype=np.int64),
            first_game,
            winners,
        )

    def tally_of(self, start: int, stop: int) -> Tally:
        """Return a tally of zeros for games `start` (inclusive) to `stop` (exclusive).

        The range must not be empty. The tally's `winners` is a view of `Work.winners`, so results
        are written in place.
        """
        first_row, last_row = np.searchsorted(self.ends, [start, stop - 1], side="right").tolist()
        return self._tally(first_row, last_row - first_row + 1, start, self.winners[start:stop])


# Minimum and maximum number of games in a chunk, without and with a searching agent, since such an
# agent plays a game hundreds of times more slowly. In smaller chunks, the cost of passing a chunk
# to a thread dominates; larger ones delay the response to Ctrl-C. Chosen by hand, not tuned.
_GAMES = 500, 20_000
_SEARCHED_GAMES = 4, 100


class Backend(ABC):
    """Interface of the methods that play chunks of a batch; all backends give the same outcomes.

    Attributes:
        least_games: minimum number of games from which the time of one game can be estimated.
        plays_one_by_one: whether the games of a chunk are played one after the other.
        running_chunks: tallies of the chunks that are being played, by the index of their first
            game. The engine updates each tally after each game.
    """

    least_games: int
    plays_one_by_one: bool

    def __init__(self, work: Work) -> None:
        self._work = work
        self.running_chunks: dict[int, Tally] = {}
        self._halt = np.zeros(1, dtype=np.uint8)  # shared memory, which compiled code polls

    @abstractmethod
    def chunk_games(self, n_games: int, threads: int) -> int:
        """Return the number of games in a chunk.

        Args:
            n_games: number of games to divide into chunks.
            threads: number of threads that play the chunks.
        """

    def play(self, start: int, stop: int) -> Tally:
        """Play games `start` (inclusive) to `stop` (exclusive), and return their tally.

        Threads may call this method concurrently for different ranges.
        """
        tally = self._work.tally_of(start, stop)
        self.running_chunks[start] = tally
        try:
            self._play(start, stop, tally)
        finally:
            del self.running_chunks[start]
        return tally

    @abstractmethod
    def _play(self, start: int, stop: int, tally: Tally) -> None:
        """Play games `start` to `stop` (exclusive), and add each game to `tally` as it ends."""

    def give_up(self) -> None:
        """Make all running chunks end at their next action.

        The tallies of these chunks are incomplete and must be discarded.
        """
        self._halt[0] = 1


class CompiledPlay(Backend):
    """Backend for batches without learned agents: the engine plays each game to its end."""

    plays_one_by_one = True

    def __init__(self, work: Work, *, searching: bool = False) -> None:
        """Prepare to play a batch.

        Args:
            work: batch to play.
            searching: whether at least one agent searches, so that chunks must have fewer games.
        """
        super().__init__(work)
        self.least_games, self._max_games = _SEARCHED_GAMES if searching else _GAMES

    def chunk_games(self, n_games: int, threads: int) -> int:
        """Return the number of games in a chunk: eight chunks per thread, within fixed limits.

        Several chunks per thread keep all threads busy until the end. With only two chunks for
        each of two threads, a third of the speed is lost.
        """
        return min(max(-(-n_games // (8 * threads)), self.least_games), self._max_games)

    def _play(self, start: int, stop: int, tally: Tally) -> None:
        """Play games `start` to `stop` (exclusive), and add each game to `tally` as it ends."""
        work = self._work
        scratch = np.zeros(2 * at.STATE_SIZE, dtype=np.int16)
        play_games(
            *(*work.arguments, scratch, start, stop),
            *(*tally.arguments, work.winners, self._halt),
        )
