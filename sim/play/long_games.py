"""Detection of games that take long, by reading the counts while the engine plays.

The engine counts each game when it ends. If the counts of a chunk have not changed between two
readings, its current game is still running. Detection therefore adds no work to the engine.
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

LONG_S = 10.0  # hundreds of times as long as a usual game of the slowest agent
AGAIN_S = 50.0  # seconds; a waiting person sees a message at least once a minute
_LOOK_S = 1.0  # seconds between two readings; one takes microseconds, so its cost is negligible


class LongGame(NamedTuple):
    """A game that has been running for a long time.

    Attributes:
        decks: deck row of each seat (`sim.play.batch.deck_row`).
        agents: name of the agent in each seat.
        variant: row of the card table that the game uses.
        game_index: index of the game in its stream; `None` if the games of a chunk run at the same
            time, since it is then unknown which game is slow.
        game_seed: seed of the game; `None` if `game_index` is `None`.
        seconds: seconds since a game of the chunk last ended.
    """

    decks: tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]
    agents: tuple[str, str]
    variant: int
    game_index: int | None
    game_seed: int | None
    seconds: float


_playing: dict[int, BatchJob] = {}
"""Batches that threads of this process are playing, by a serial number."""

_numbers = count()


@contextmanager
def under_way(job: BatchJob) -> Iterator[None]:
    """Register a batch for the detection of long games while the `with` block runs."""
    number = next(_numbers)
    _playing[number] = job
    try:
        yield
    finally:
        del _playing[number]


@contextmanager
def reporting_long_games(
    report: Callable[[LongGame], None], *, long_s: float = LONG_S, again_s: float = AGAIN_S
) -> Iterator[None]:
    """Report games that take long, while the `with` block plays games in threads of this process.

    The first long game of a pairing (two agents with two decks) is always reported. Later long
    games of the pairing are reported only if `again_s` have passed since the last report of any
    pairing.

    Args:
        report: callback, called from another thread with each long game to report.
        long_s: number of seconds without an ended game after which a game is long.
        again_s: minimum number of seconds since the last report for a pairing that was reported
            before.
    """
    watch = _Watch(report, long_s, again_s)
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
    """Detector of long games, which compares the counts of running chunks between readings.

    The arguments of the constructor are those of `reporting_long_games`.
    """

    def __init__(self, report: Callable[[LongGame], None], long_s: float, again_s: float) -> None:
        self._report = report
        self._long_s = long_s
        self._again_s = again_s
        self._seen: dict[tuple[int, int], tuple[int, float]] = {}
        self._reported = set[tuple[object, ...]]()
        self._last_report_s = -again_s

    def look(self) -> None:
        """Compare the counts of all running chunks with the previous reading; report long games."""
        now_s = time.monotonic()
        seen = self._seen
        self._seen = {}
        for number, job in list(_playing.items()):
            for start, tally in list(job.running_chunks.items()):
                key = number, start
                n_ended = int(tally.turns.sum())
                before, since_s = seen.get(key, (-1, now_s))
                self._seen[key] = n_ended, (since_s if n_ended == before else now_s)
                if n_ended == before and now_s - since_s >= self._long_s:
                    self._report_if_due(job, start, tally, now_s - since_s, now_s)

    def _report_if_due(
        self, job: BatchJob, start: int, tally: Tally, seconds: float, now_s: float
    ) -> None:
        """Report the long game of a chunk if its pairing is new or the last report is old enough.

        Args:
            job: batch that the chunk belongs to.
            start: index of the first game of the chunk.
            tally: counts of the chunk so far.
            seconds: seconds since a game of the chunk last ended.
            now_s: current time in seconds, by the monotonic clock.
        """
        game = _long_game(job, start, tally, seconds)
        if game is None:
            return
        pairing = *game.agents, *(deck.tobytes() for deck in game.decks)
        is_new = pairing not in self._reported
        if is_new or now_s - self._last_report_s >= self._again_s:
            self._reported.add(pairing)
            self._last_report_s = now_s
            self._report(game)


def _long_game(job: BatchJob, start: int, tally: Tally, seconds: float) -> LongGame | None:
    """Return the first unfinished game of a chunk.

    Rows that were stopped by a fault are skipped. The result is `None` if no row is left, which
    happens if the last game of the chunk has just ended.

    Args:
        job: batch that the chunk belongs to.
        start: index of the first game of the chunk.
        tally: counts of the chunk so far.
        seconds: seconds since a game of the chunk last ended.
    """
    batch = job.batch
    ends = job.work.ends
    for place, n_ended in enumerate(tally.turns.sum(axis=1).tolist()):
        row = tally.first_row + place
        # The first row of a chunk may have begun in an earlier chunk.
        first = max(start, int(ends[row] - batch.n_games[row]))
        if first + n_ended >= ends[row] or tally.totals[place, at.FAULT_GAME]:
            continue
        players = batch.seats[row].tolist()
        index = int(batch.first_game[row] + first + n_ended - (ends[row] - batch.n_games[row]))
        is_known = job.plays_one_by_one
        return LongGame(
            decks=(batch.decks[players[0]], batch.decks[players[1]]),
            agents=(job.agents[players[0]].name, job.agents[players[1]].name),
            variant=int(batch.variant[row]),
            game_index=index if is_known else None,
            game_seed=number_of(batch.stream, index) if is_known else None,
            seconds=seconds,
        )
    return None
