"""Workers in other processes: what travels is bytes, and a process that is lost is replaced."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, ClassVar

from sim.play.workers.current import working_with
from sim.play.workers.seam import (
    SHELF_SIZE,
    Job,
    Parcel,
    PieceT,
    ResultT,
    Shelf,
    Threads,
    Workers,
    n_cores,
    pickled,
)


@dataclass(frozen=True)
class Answer:
    """What a piece came to: a value, or what was raised."""

    seconds: float
    value: Any = None
    error: Exception | None = None

    def result(self) -> Any:
        """The value.

        Raises:
            Exception: what was raised where the piece was done.
        """
        if self.error is not None:
            raise self.error
        return self.value


def spawned(work: Callable[..., None], *told: Any) -> tuple[BaseProcess, Connection]:
    """Begin a process; nothing but what it is told reaches it.

    It never hears Ctrl-C, which is for whoever began it, not even while it loads.

    Args:
        work: what it does, given its end of a pipe and `told`.
        told: what else it needs.

    Returns:
        The process, and our end of the pipe.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, *told), daemon=True)
    with _deaf_to_ctrl_c():
        process.start()
    theirs.close()
    return process, ours


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Let what is begun inside hear no Ctrl-C, where signals can be held back."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would hear them again once it has started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Connection) -> None:
    """Do the pieces that come through a pipe, until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever began this hears it, and ends us
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    shelf = Shelf()
    with working_with(Threads(1)):
        while True:
            try:
                digest, content, piece = pipe.recv()
            except EOFError:
                return
            pipe.send(answered(shelf, digest, content, piece))


def answered(shelf: Shelf, digest: str, content: Any, piece: Any) -> Answer:
    """Do a piece, whatever it raises."""
    began_s = time.perf_counter()
    try:
        value = shelf.do(digest, content, piece)
    except Exception as error:  # noqa: BLE001 (it is raised again where the piece is wanted)
        return Answer(time.perf_counter() - began_s, error=_sendable(error))
    return Answer(time.perf_counter() - began_s, value)


def _sendable(error: Exception) -> Exception:
    """The error itself if it travels, else what it says; with where it was raised."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    except Exception:  # noqa: BLE001 (whatever a stranger's error does)
        return RuntimeError("".join(traceback.format_exception(error)))
    error.add_note("In a worker:\n" + "".join(traceback.format_exception(error)))
    return error


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# --- who hands pieces out ---

_LOST = (EOFError, OSError)  # what a pipe says whose other end has died

Waiting = deque[tuple[Any, int]]
"""Pieces that nobody is at, and how many workers each has lost so far."""


@dataclass
class Elsewhere(Workers):
    """Workers that jobs travel to.

    While one thread has them at work, others make do with threads.
    """

    least_s: float = 0.5
    are_elsewhere: ClassVar[bool] = True
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
        self.piece = piece
        self.n_lost = n_lost
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
