"""Workers in other processes: what travels is bytes, and a process that is lost is replaced."""

from __future__ import annotations

import signal
import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from sim.play.workers.child import Answer, serve, spawned
from sim.play.workers.seam import SHELF_SIZE, Effort, Job, Parcel, PieceT, ResultT, pickled
from sim.play.workers.threads import Threads, n_cores

_LOST = (EOFError, OSError)  # what a pipe says whose other end has died

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

    def map(
        self, job: Job[PieceT, ResultT], pieces: Sequence[PieceT]
    ) -> Iterator[tuple[PieceT, ResultT]]:
        """Do pieces, the first ones first; the job travels to each place but once."""
        if not self._lock.acquire(blocking=False):
            yield from Threads(min(self.n_workers, n_cores())).map(job, pieces)
            return
        try:
            waiting = deque((piece, 0) for piece in pieces)
            with closing(self._answers(Parcel(pickled(job)), waiting)) as answers:
                for piece, answer in answers:
                    self.effort.n_pieces += 1
                    self.effort.seconds += answer.seconds
                    yield piece, answer.result()
        finally:
            self._lock.release()

    @abstractmethod
    def _answers(
        self, parcel: Parcel, waiting: Waiting
    ) -> Generator[tuple[Any, Answer], None, None]:
        """Hand out what waits, and tell each piece with what it came to.

        A piece whose worker was lost waits again, before all others, and is told to `effort`. Once
        closed, or by an error, nobody is at anything any more.
        """


class _Child:
    """A process, and what it has been sent."""

    def __init__(self) -> None:
        self.process, self.pipe = spawned(serve)
        self.piece: Any = None
        self.n_lost = 0  # how many processes the piece has lost so far
        self._has = deque[str](maxlen=SHELF_SIZE)

    def begin(self, parcel: Parcel, piece: Any, n_lost: int) -> None:
        """Send it a piece, and the job unless it has that; one that has died is noticed later."""
        self.piece, self.n_lost = piece, n_lost
        content = None if parcel.digest in self._has else parcel.content
        if content is not None:
            self._has.append(parcel.digest)
        with suppress(*_LOST):
            self.pipe.send((parcel.digest, content, piece))

    def end(self) -> str:
        """Leave nothing of it; tells how it ended."""
        self.process.terminate()
        self.process.join(1)
        self.process.kill()
        self.process.join()
        self.pipe.close()
        code = self.process.exitcode or 0
        self.process.close()
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"


@dataclass
class Processes(Elsewhere):
    """So many processes of this machine, started when first needed.

    They are spawned: nothing but what is sent reaches them.
    """

    _idle: list[_Child] = field(default_factory=list)
    _busy: dict[Connection, _Child] = field(default_factory=dict)

    def _answers(
        self, parcel: Parcel, waiting: Waiting
    ) -> Generator[tuple[Any, Answer], None, None]:
        try:
            while waiting or self._busy:
                self._hand_out(parcel, waiting)
                for done in self._heard(waiting):
                    self._hand_out(parcel, waiting)
                    yield done
        except BaseException:
            self.close()  # what they are at is not wanted any more, and may be what has failed
            raise

    def _hand_out(self, parcel: Parcel, waiting: Waiting) -> None:
        """Give a piece to everybody who is free, and to new ones if there are too few."""
        while waiting and len(self._busy) < self.n_workers:
            child = self._idle.pop() if self._idle else _Child()
            self._busy[child.pipe] = child
            child.begin(parcel, *waiting.popleft())

    def _heard(self, waiting: Waiting) -> Iterator[tuple[Any, Answer]]:
        """Wait for answers; pieces whose process has died wait again, before all others."""
        ready = wait(list(self._busy))
        for child in [child for pipe, child in self._busy.items() if pipe in ready]:
            del self._busy[child.pipe]
            try:
                answer = child.pipe.recv()
            except _LOST:
                waiting.appendleft((child.piece, child.n_lost + 1))
                self.effort.retry(child.n_lost + 1, child.end())
            else:
                self._idle.append(child)
                yield child.piece, answer

    def close(self) -> None:
        """End all processes; those that are needed again are started again."""
        children = [*self._idle, *self._busy.values()]
        self._idle.clear()
        self._busy.clear()
        for child in children:
            child.process.terminate()  # all at once, then one after the other
        for child in children:
            child.end()
