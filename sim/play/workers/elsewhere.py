"""What workers in other processes have in common, wherever those are."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from sim.play.workers.child import Answer
from sim.play.workers.seam import Effort, Handle, Job, PieceT, ResultT
from sim.play.workers.threads import Threads, n_cores

Waiting = deque[tuple[Any, int]]
"""Pieces that nobody is at, and how many workers each has lost so far."""


@dataclass
class Elsewhere:
    """Workers that jobs travel to (`sim.play.workers.seam.Workers`).

    While one thread has them at work, others make do with threads.
    """

    n_workers: int
    least_s: float = 0.5
    effort: Effort = field(default_factory=Effort)
    are_elsewhere = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def put(self, job: Job[PieceT, ResultT]) -> Handle[PieceT, ResultT]:
        """The job as bytes, which travel to each place but once."""
        handle = Handle(job)
        handle.content  # noqa: B018 (refuses what cannot travel, before anything is played)
        return handle

    def map(
        self, handle: Handle[PieceT, ResultT], pieces: Sequence[PieceT]
    ) -> Iterator[tuple[PieceT, ResultT]]:
        """Do pieces, the first ones first."""
        if not self._lock.acquire(blocking=False):
            yield from Threads(min(self.n_workers, n_cores())).map(handle, pieces)
            return
        try:
            waiting = deque((piece, 0) for piece in pieces)
            with closing(self._answers(handle, waiting)) as answers:
                for piece, answer in answers:
                    self.effort.n_pieces += 1
                    self.effort.seconds += answer.seconds
                    yield piece, answer.result()
        finally:
            self._lock.release()

    @abstractmethod
    def _answers(
        self, handle: Handle[Any, Any], waiting: Waiting
    ) -> Generator[tuple[Any, Answer], None, None]:
        """Hand out what waits, and tell each piece with what it came to.

        A piece whose worker was lost waits again, before all others, and is told to `effort`. Once
        closed, or by an error, nobody is at anything any more.
        """
