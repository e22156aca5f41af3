"""Threads of this process: nothing travels, and compiled games run side by side."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from sim.interruption import uninterrupted
from sim.play.workers.seam import Effort, Job, PieceT, ResultT


def n_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Threads:
    """So many threads of this process, started for each job (`sim.play.workers.seam.Workers`)."""

    n_workers: int
    effort: Effort = field(default_factory=Effort, compare=False)
    are_elsewhere = False
    least_s = 0.0

    def map(
        self, job: Job[PieceT, ResultT], pieces: Sequence[PieceT]
    ) -> Iterator[tuple[PieceT, ResultT]]:
        """Do pieces; they come in their order."""
        is_main = threading.current_thread() is threading.main_thread()
        if not pieces or (not is_main and self.n_workers == 1):
            yield from ((piece, job.do(piece)) for piece in pieces)
            return
        # The main thread only waits: while it is in compiled code it hears no Ctrl-C.
        with ThreadPoolExecutor(min(self.n_workers, len(pieces))) as pool:
            try:
                with uninterrupted():  # the pool's own locks do not outlive an exception
                    done = pool.map(job.do, pieces)
                yield from zip(pieces, done, strict=True)
            except BaseException:
                job.give_up()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def close(self) -> None:
        """Nobody is left behind."""
