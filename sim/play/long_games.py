"""Games that take long: which one it is, found out by looking on while the engine plays.

The engine counts each game where it ends, so that nothing is added to what it does: somebody who
looks at the counts of a stretch twice sees whether a game has ended between.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.seeds import number_of

if TYPE_CHECKING:
    from sim.play.backend import Tally
    from sim.play.batch_job import BatchJob

LONG_S = 10.0  # of a game: hundreds of times what the slowest pilot takes for a usual one
AGAIN_S = 50.0  # so that nobody who waits is left for a minute without a word
_LOOK_S = 1.0  # between two looks, each some microseconds


class LongGame(NamedTuple):
    """A game that has not ended for long.

    Attributes:
        decks: of both seats, as rows of a batch (`sim.play.batch.deck_row`).
        agents: who plays them.
        variant: row of the table.
        game_index: of the game in its stream; `None` where many are played side by side.
        game_seed: that game's, likewise.
        seconds: how long nothing has ended.
    """

    decks: tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]
    agents: tuple[str, str]
    variant: int
    game_index: int | None
    game_seed: int | None
    seconds: float


_playing: dict[int, BatchJob] = {}  # of all threads of this process
_numbers = count()


@contextmanager
def under_way(job: BatchJob) -> Iterator[None]:
    """Let a batch be looked at while the block plays it."""
    number = next(_numbers)
    _playing[number] = job
    try:
        yield
    finally:
        del _playing[number]


@contextmanager
def reporting_long_games(
    tell: Callable[[LongGame], None], *, long_s: float = LONG_S, again_s: float = AGAIN_S
) -> Iterator[None]:
    """Tell of games that take long, while the block plays some in threads of this process.

    Each pairing is told once, and what still has not ended again and again.

    Args:
        tell: called by another thread.
        long_s: what is long.
        again_s: how long to be silent of what was told.
    """
    watch = _Watch(tell, long_s, again_s)
    ended = threading.Event()
    look_s = min(_LOOK_S, long_s / 4)

    def look_on() -> None:
        while not ended.wait(look_s):
            watch.look()

    thread = threading.Thread(target=look_on, name="long games", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class _Watch:
    """Remembers what the counts were, and what has been told."""

    def __init__(self, tell: Callable[[LongGame], None], long_s: float, again_s: float) -> None:
        self._tell = tell
        self._long_s = long_s
        self._again_s = again_s
        self._seen: dict[tuple[int, int], tuple[int, float]] = {}
        self._told: dict[tuple[object, ...], float] = {}
        self._last_told_s = -again_s

    def look(self) -> None:
        """Look once at all that is being played."""
        now_s = time.monotonic()
        seen = self._seen
        self._seen = {}
        for number, job in list(_playing.items()):
            for start, tally in list(job.stretches.items()):
                key = number, start
                n_ended = int(tally.turns.sum())
                before, since_s = seen.get(key, (-1, now_s))
                self._seen[key] = n_ended, (since_s if n_ended == before else now_s)
                if n_ended == before and now_s - since_s >= self._long_s:
                    self._tell_once(job, start, tally, now_s - since_s, now_s)

    def _tell_once(
        self, job: BatchJob, start: int, tally: Tally, seconds: float, now_s: float
    ) -> None:
        game = _long_game(job, start, tally, seconds)
        if game is None:
            return
        pairing = (*game.agents, *(deck.tobytes() for deck in game.decks))
        is_new = pairing not in self._told
        if is_new or now_s - self._last_told_s >= self._again_s:
            self._told[pairing] = now_s
            self._last_told_s = now_s
            self._tell(game)


def _long_game(job: BatchJob, start: int, tally: Tally, seconds: float) -> LongGame | None:
    """The first game of a stretch that has not ended; `None` if it just has."""
    batch = job.batch
    ends = job.work.ends
    for place, n_ended in enumerate(tally.turns.sum(axis=1).tolist()):
        row = tally.first_row + place
        first = max(start, int(ends[row] - batch.n_games[row]))  # of the row's in the stretch
        if first + n_ended >= ends[row] or tally.totals[place, at.FAULT_GAME]:
            continue
        players = batch.seats[row].tolist()
        index = int(batch.first_game[row] + first + n_ended - (ends[row] - batch.n_games[row]))
        is_one = job.plays_one_by_one
        return LongGame(
            decks=(batch.decks[players[0]], batch.decks[players[1]]),
            agents=(job.agents[players[0]].name, job.agents[players[1]].name),
            variant=int(batch.variant[row]),
            game_index=index if is_one else None,
            game_seed=number_of(batch.stream, index) if is_one else None,
            seconds=seconds,
        )
    return None
