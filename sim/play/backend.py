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
_NO_VIEW = np.zeros(1, dtype=np.int16)  # passed to the engine when actions are not counted


@dataclass(frozen=True)
class Tally:
    """Aggregates of a chunk of games, for the rows of the batch that the chunk touches.

    `sim.play.outcomes.Outcomes` describes the counts.

    Attributes:
        first_row: row of the batch that row 0 of the arrays stands for.
        totals: ``[rows, N_TOTALS]`` wins, draws, sums and faults of each row.
        turns: ``[rows, TURN_BINS]`` number of games by number of turns.
        seen: ``[rows, *SEEN_SHAPE]`` games by what happened to the card of each deck slot; zero
            rows if card counts are not kept.
        chosen: ``[rows, N_SEATS, n_actions]`` how often each action was chosen; no actions if
            action counts are not kept.
        first_game: game of the batch that the first entry of `winners` stands for.
        winners: ``[games]`` int8 result of each game; empty if results are not kept.
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
        """The count arrays, flattened, in the order in which the engine takes them."""
        return self.totals.ravel(), self.turns.ravel(), self.seen.ravel(), self.chosen.ravel()

    def add(self, later: Tally) -> None:
        """Add the aggregates of a chunk; chunks may be added in any order.

        Of several games of one row that a fault stopped, the fault of the first game is kept.

        Args:
            later: aggregates of the chunk; its rows must be among the rows of this tally.
        """
        rows = slice(later.first_row, later.first_row + len(later.totals))
        totals = self.totals[rows]
        known_game = totals[:, at.FAULT_GAME]
        added_game = later.totals[:, at.FAULT_GAME]
        # Game numbers start at 1; 0 stands for a row without a fault.
        is_first = (added_game != 0) & ((known_game == 0) | (added_game < known_game))
        # Columns before FAULTS are sums, FAULTS is a bit set, and those behind it describe one
        # fault, so each of the three parts is merged in its own way.
        totals[:, : at.FAULTS] += later.totals[:, : at.FAULTS]
        totals[:, at.FAULTS] |= later.totals[:, at.FAULTS]
        totals[is_first, at.FAULT_ROW :] = later.totals[is_first, at.FAULT_ROW :]
        self.turns[rows] += later.turns
        self.seen[rows] += later.seen
        self.chosen[rows] += later.chosen
        self.winners[later.first_game : later.first_game + len(later.winners)] = later.winners


@dataclass(frozen=True)
class Work:
    """A batch as the arrays that the engine takes (`sim.engine.kernel.play_games`).

    Attributes:
        tables: ``[V, size]`` card tables of all variants.
        decks: ``[D, DECK_ROW_SIZE]`` deck rows.
        rows: ``[R, GAMES_SIZE]`` variant, players by seat and index of the first game.
        ends: ``[R]`` cumulative number of games, up to and including each row.
        addresses: ``[D, 2]`` addresses of each player's agent, for games of plain cards and for
            games under the general rules; `sim.engine.layout.ASK` for learned agents.
        stream: seed from which the seeds of all games are derived.
        keep_cards: whether to count what happened to the card of each deck slot.
        winners: ``[G]`` int8 result of each game, written in place; empty if results are not kept.
        counting_view: view that numbers the actions to count; `None` to count no actions.
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
        """The arrays in the order in which the engine takes them (`sim.engine.kernel.BATCH`)."""
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
        """Return an empty tally for all games of the batch."""
        return self._tally(0, len(self.rows), 0, np.zeros_like(self.winners))

    def _tally(
        self, first_row: int, n_rows: int, first_game: int, winners: npt.NDArray[np.int8]
    ) -> Tally:
        """Return a tally of zeros for consecutive rows, with `winners` as the array of results."""
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
        """Return an empty tally for games `start` (inclusive) to `stop` (exclusive), at least one.

        Its results are a view into `winners` of the batch, so chunks write them in place.
        """
        first_row, last_row = np.searchsorted(self.ends, [start, stop - 1], side="right").tolist()
        return self._tally(first_row, last_row - first_row + 1, start, self.winners[start:stop])


# Fewest and most games of a chunk. Below the first number, handing a chunk to a thread costs more
# than it saves; above the second, Ctrl-C waits too long. A game of searching agents takes hundreds
# of times as long as one of scripts. Chosen by hand, not tuned.
_GAMES = 500, 20_000
_SEARCHED_GAMES = 4, 100


class Backend(ABC):
    """A way to play a chunk of a batch's games; the outcomes are the same for all backends.

    Attributes:
        least_games: number of games from which the time of one game can be estimated.
        plays_one_by_one: whether the games of a chunk are played one after the other.
        stretches: tallies of the chunks that are being played now, by their first game. The engine
            updates them after each game.
    """

    least_games: int
    plays_one_by_one: bool

    def __init__(self, work: Work) -> None:
        self._work = work
        self.stretches: dict[int, Tally] = {}
        self._halt = np.zeros(1, dtype=np.uint8)  # an array, since compiled code polls it

    @abstractmethod
    def chunk_games(self, n_games: int, threads: int) -> int:
        """Return the number of games to give a thread at a time.

        Args:
            n_games: number of games to divide into chunks.
            threads: number of threads that play.
        """

    def play(self, start: int, stop: int) -> Tally:
        """Play games `start` (inclusive) to `stop` (exclusive).

        Threads may call this method concurrently.
        """
        tally = self._work.tally_of(start, stop)
        self.stretches[start] = tally
        try:
            self._play(start, stop, tally)
        finally:
            del self.stretches[start]
        return tally

    @abstractmethod
    def _play(self, start: int, stop: int, tally: Tally) -> None:
        """Play games `start` to `stop`, and add each to the tally as it ends."""

    def give_up(self) -> None:
        """Make all running chunks end at the next action or question.

        Their results are incomplete and must be discarded.
        """
        self._halt[0] = 1


class CompiledPlay(Backend):
    """The backend for compiled agents: the engine plays each game to its end."""

    plays_one_by_one = True

    def __init__(self, work: Work, *, searching: bool = False) -> None:
        """Prepare to play a batch.

        Args:
            work: the batch.
            searching: whether an agent searches, so that chunks must have fewer games.
        """
        super().__init__(work)
        self.least_games, self._most = _SEARCHED_GAMES if searching else _GAMES

    def chunk_games(self, n_games: int, threads: int) -> int:
        """Return a chunk size that keeps all threads busy until the end: eight chunks per thread.

        With only two chunks for each of two threads, a third of the speed is lost at the end.
        """
        return min(max(-(-n_games // (8 * threads)), self.least_games), self._most)

    def _play(self, start: int, stop: int, tally: Tally) -> None:
        """Play games `start` to `stop` in the engine, and add each to the tally as it ends."""
        work = self._work
        scratch = np.zeros(2 * at.STATE_SIZE, dtype=np.int16)
        play_games(
            *(*work.arguments, scratch, start, stop),
            *(*tally.arguments, work.winners, self._halt),
        )
