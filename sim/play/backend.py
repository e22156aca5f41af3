"""A batch on its way to the engine: flat arrays, and the aggregates of a stretch of its games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

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
    """

    first_row: int
    totals: Counts
    turns: Counts
    seen: Counts
    chosen: Counts


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
        winners: ``[G]`` int8 written in place, or empty if not wanted.
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
    def chosen_shape(self) -> tuple[int, int]:
        """Of the counts of actions in one row."""
        return N_SEATS, self.counting_view.size.n_actions if self.counting_view else 0

    @property
    def counting_words(self) -> npt.NDArray[np.int16]:
        """Words of the counting view, or one word that nobody reads."""
        return self.counting_view.words if self.counting_view else _NO_VIEW

    @property
    def n_games(self) -> int:
        """``G``."""
        return int(self.ends[-1]) if len(self.ends) else 0

    def empty_tally(self, start: int, stop: int) -> Tally:
        """Room for the aggregates of games `start` to `stop`, at least one."""
        first_row, last_row = np.searchsorted(self.ends, [start, stop - 1], side="right")
        n_rows = int(last_row - first_row) + 1
        return Tally(
            int(first_row),
            np.zeros((n_rows, at.N_TOTALS), dtype=np.int64),
            np.zeros((n_rows, at.TURN_BINS), dtype=np.int64),
            np.zeros((n_rows if self.keep_cards else 0, *SEEN_SHAPE), dtype=np.int64),
            np.zeros((n_rows, *self.chosen_shape), dtype=np.int64),
        )


# Below the first number of games handing a stretch to a thread costs more than it saves; above
# the second Ctrl-C would wait too long.
_GAMES = 500, 20_000
_SEARCHED_GAMES = 4, 100


class Backend(Protocol):
    """A way of playing a stretch of a batch's games; the outcomes are the same for all."""

    def stretch_games(self, n_games: int, threads: int) -> int:
        """How many games to give a thread at a time."""

    def play(self, start: int, stop: int) -> Tally:
        """Play games `start` to `stop`; several threads may call it side by side."""

    def give_up(self) -> None:
        """Let stretches that are being played end early; what they return is not used."""


class CompiledPlay:
    """Compiled agents: every game is played to its end inside the engine."""

    def __init__(self, work: Work, *, searching: bool = False) -> None:
        """Get ready to play `work`; `searching` says that an agent takes its time."""
        self._work = work
        self._halt = np.zeros(1, dtype=np.uint8)  # read by the engine, by all threads
        self._least, self._most = _SEARCHED_GAMES if searching else _GAMES

    def stretch_games(self, n_games: int, threads: int) -> int:
        """Stretches that keep all threads busy to the end.

        Eight to a thread, since two for two threads lose a third of the speed.
        """
        return min(max(-(-n_games // (8 * threads)), self._least), self._most)

    def play(self, start: int, stop: int) -> Tally:
        """Play games `start` to `stop`."""
        work, tally = self._work, self._work.empty_tally(start, stop)
        play_games(
            work.tables.ravel(),
            work.tables.shape[1],
            work.decks.ravel(),
            work.rows.ravel(),
            work.ends,
            work.addresses.ravel(),
            work.stream,
            work.counting_words,
            np.zeros(2 * at.STATE_SIZE, dtype=np.int16),
            start,
            stop,
            tally.totals.ravel(),
            tally.turns.ravel(),
            tally.seen.ravel(),
            tally.chosen.ravel(),
            work.winners,
            self._halt,
        )
        return tally

    def give_up(self) -> None:
        """Let every stretch end with the action that is being taken in it."""
        self._halt[0] = 1
