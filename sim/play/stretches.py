"""A batch handed out: which stretches of it whom is given."""

from __future__ import annotations

import time
from collections.abc import Iterator

from sim.play.backend import Tally
from sim.play.batch_job import BatchJob
from sim.play.workers.seam import Workers
from sim.play.workers.threads import Threads, n_cores


def play_stretches(job: BatchJob, workers: Workers) -> Iterator[Tally]:
    """Play all games of a batch; stretches come in any order.

    Workers elsewhere are asked only where it pays. Each command plays many small batches, so a
    first stretch is played here to tell: what is too small is then played to its end by threads.

    Args:
        job: the batch.
        workers: who plays.
    """
    n_games = job.batch.total
    if not workers.are_elsewhere:
        yield from _played(job, workers, 0, n_games, 0)
        return
    here = Threads(min(workers.n_workers, n_cores()))
    half = job.backend.least_games // 2
    seconds, start = list[float](), 0
    while len(seconds) < 2 and start + half < n_games:
        began_s = time.perf_counter()
        yield from _played(job, here, start, start + half, half)
        seconds.append(time.perf_counter() - began_s)
        start += half
    game_s = min(seconds, default=0.0) / half  # the first one may also have loaded the engine
    if game_s * (n_games - start) <= 2 * workers.least_s:
        workers.effort.keep_here(game_s * n_games)
        yield from _played(job, here, start, n_games, 0)
    else:
        yield from _played(job, workers, start, n_games, int(workers.least_s / game_s))


def _played(
    job: BatchJob, workers: Workers, start: int, stop: int, least_games: int
) -> Iterator[Tally]:
    """Games `start` to `stop`, at least so many at a time while there is enough for everybody."""
    n_games = stop - start
    if n_games <= 0:
        return
    fair = -(-n_games // workers.n_workers)
    size = max(job.backend.stretch_games(n_games, workers.n_workers), min(least_games, fair), 1)
    pieces = [(k, min(k + size, stop)) for k in range(start, stop, size)]
    for _, tally in workers.map(workers.put(job), pieces):
        yield tally
