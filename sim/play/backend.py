"""A batch on its way to the engine: flat arrays, and the aggregates of a stretch of its games."""

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
_NO_VIEW = np.zeros(1, dtype=np.int16)  # where no actions are counted


@dataclass(frozen=True)
class Tally:
    """Aggregates of a stretch of games, for the rows it touches; see `sim.play.outcomes.Outcomes`.

    Attributes:
        first_row: row of the batch that row 0 of the arrays stands for.
        totals: ``[rows, N_TOTALS]``.
        turns: ``[rows, TURN_BINS]``.
        seen: ``[rows, *SEEN_SHAPE]``, or of no rows if card counts are not kept.
        chosen: ``[rows, N_SEATS, n_actions]``, likewise for counts of actions.
        first_game: game of the batch that the first of `winners` stands for.
        winners: ``[games]`` int8 result of each game, or of none if they are not kept.
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
        """The arrays as the engine takes them."""
        return self.totals.ravel(), self.turns.ravel(), self.seen.ravel(), self.chosen.ravel()

    def add(self, later: Tally) -> None:
        """Add the aggregates of a stretch whose rows are among ours, in any order.

        What stopped a game is told of the first one of a row.
        """
        rows = slice(later.first_row, later.first_row + len(later.totals))
        ours = self.totals[rows]
        game = ours[:, at.FAULT_GAME]
        theirs = later.totals[:, at.FAULT_GAME]
        is_first = (theirs != 0) & ((game == 0) | (theirs < game))
        ours[:, : at.FAULTS] += later.totals[:, : at.FAULTS]
        ours[:, at.FAULTS] |= later.totals[:, at.FAULTS]
        ours[is_first, at.FAULT_ROW :] = later.totals[is_first, at.FAULT_ROW :]
        self.turns[rows] += later.turns
        self.seen[rows] += later.seen
        self.chosen[rows] += later.chosen
        self.winners[later.first_game : later.first_game + len(later.winners)] = later.winners


@dataclass(frozen=True)
class Work:
    """A batch in the arrays that the engine takes; see `sim.engine.kernel.play_games`.

    Attributes:
        tables: ``[V, size]`` numbers of all variants.
        decks: ``[D, DECK_ROW_SIZE]`` deck rows.
        rows: ``[R, GAMES_SIZE]`` variant, players by seat and first game index.
        ends: ``[R]`` games of the batch up to and with each row.
        addresses: ``[D, 2]`` of the players' agents, in plain and in all other games;
            `sim.engine.layout.ASK` for learned ones.
        stream: seed of the game seeds.
        keep_cards: whether to count what became of each deck slot.
        winners: ``[G]`` int8 that whoever plays writes in place, or empty if not wanted.
        counting_view: by whose numbers to count what was chosen, `None` not to count.
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
        """The arrays as the engine takes them: `sim.engine.kernel.BATCH`."""
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
        """Room for the aggregates of all games."""
        return self._tally(0, len(self.rows), 0, np.zeros_like(self.winners))

    def _tally(
        self, first_row: int, n_rows: int, first_game: int, winners: npt.NDArray[np.int8]
    ) -> Tally:
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
        """Room for the aggregates of games `start` to `stop`, at least one."""
        first_row, last_row = np.searchsorted(self.ends, [start, stop - 1], side="right").tolist()
        return self._tally(first_row, last_row - first_row + 1, start, self.winners[start:stop])


# Below the first number of games handing a stretch to a thread costs more than it saves; above
# the second Ctrl-C would wait too long.
_GAMES = 500, 20_000
_SEARCHED_GAMES = 4, 100


class Backend(ABC):
    """A way of playing a stretch of a batch's games; the outcomes are the same for all.

    Attributes:
        least_games: how many games tell what one takes.
        plays_one_by_one: whether the games of a stretch are played one after the other.
        stretches: what is being played, as it is counted by now, by the first game.
    """

    least_games: int
    plays_one_by_one: bool

    def __init__(self, work: Work) -> None:
        self._work = work
        self.stretches: dict[int, Tally] = {}
        self._halt = np.zeros(1, dtype=np.uint8)  # read by the engine, by all threads

    @abstractmethod
    def stretch_games(self, n_games: int, threads: int) -> int:
        """How many games to give a thread at a time."""

    def play(self, start: int, stop: int) -> Tally:
        """Play games `start` to `stop`; several threads may call it side by side."""
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
        """Let every stretch end at the next action or question; what they return is not used."""
        self._halt[0] = 1


class CompiledPlay(Backend):
    """Compiled agents: every game is played to its end inside the engine."""

    plays_one_by_one = True

    def __init__(self, work: Work, *, searching: bool = False) -> None:
        """Get ready to play `work`; `searching` says that an agent takes its time."""
        super().__init__(work)
        self.least_games, self._most = _SEARCHED_GAMES if searching else _GAMES

    def stretch_games(self, n_games: int, threads: int) -> int:
        """Stretches that keep all threads busy to the end.

        Eight to a thread, since two for two threads lose a third of the speed.
        """
        return min(max(-(-n_games // (8 * threads)), self.least_games), self._most)

    def _play(self, start: int, stop: int, tally: Tally) -> None:
        work = self._work
        scratch = np.zeros(2 * at.STATE_SIZE, dtype=np.int16)
        play_games(
            *(*work.arguments, scratch, start, stop),
            *(*tally.arguments, work.winners, self._halt),
        )
