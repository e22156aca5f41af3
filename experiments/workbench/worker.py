"""The worker: a process of its own for what takes long, so that steps are answered meanwhile.

It is given the board, gets jobs, and sends what it finds. It steps back behind whoever else wants
to compute.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from balance.whatif import Exploration
from experiments.workbench.board import Board
from experiments.workbench.certify import certify
from experiments.workbench.refused import told_error
from experiments.workbench.session import Cancelled, Job
from experiments.workbench.suggest import suggest
from sim import InputError
from sim.play.workers.processes import start_process
from sim.play.workers.seam import pickle_job

_NICE = 5
_PATIENCE_S = 5.0  # for a job that was cancelled, and for a process that is to end


class Worker:
    """The process, as the desk knows it: one job at a time."""

    def __init__(self, board: Board, threads: int | None) -> None:
        """It is not started yet.

        Args:
            board: whose numbers jobs are about.
            threads: to play with; default all cores.

        Raises:
            InputError: an agent exists in this process only.
        """
        self._given = (pickle_job(board), threads)
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._is_cancelled = self._is_at_work = False

    def start(self) -> None:
        """Start the process, which compiles what it takes, unless it runs already."""
        if self._process is not None and self._process.is_alive():
            return
        if self._pipe is not None:
            self._pipe.close()
        self._process, self._pipe = start_process(_work, *self._given)

    def begin(self) -> None:
        """From now on a cancellation is of the next job."""
        self._is_cancelled = False

    def run(self, job: Job) -> Generator[Any, None, None]:
        """Do a job; what it finds, as it comes. Close it to want no more.

        Raises:
            Cancelled: somebody cancelled it.
            Refused: it cannot be done.
            InputError: likewise, or the process died.
        """
        is_heard_out = True
        try:
            pipe = self._sent(job)
            is_heard_out = False
            while True:
                kind, found = pipe.recv()
                is_heard_out = kind != "found"
                if kind == "found":
                    yield found
                elif kind == "done":
                    return
                else:
                    raise found
        except (EOFError, OSError):
            is_heard_out = False
            if self._is_cancelled:
                raise Cancelled from None
            raise InputError("the process that did it has died; ask again") from None
        finally:
            self._is_at_work = False
            if not is_heard_out:
                self._give_up()

    def _sent(self, job: Job) -> Connection:
        with self._lock:
            if self._is_cancelled:
                raise Cancelled
            self.start()
            pipe = self._pipe
            assert pipe is not None  # noqa: S101 (it was started)
            pipe.send(job)
            self._is_at_work = True
            return pipe

    def cancel(self) -> None:
        """End the job, between two stretches of games."""
        with self._lock, suppress(OSError):
            self._is_cancelled = True
            if self._is_at_work and self._pipe is not None:
                self._pipe.send(None)

    def close(self) -> None:
        """End the process."""
        self._is_cancelled = True
        with self._lock:
            self._end()
            if self._pipe is not None and not self._is_at_work:
                self._pipe.close()

    def _give_up(self) -> None:
        """End a process that may still tell of a job: the next would take it for its own."""
        with self._lock:
            self._end()
            if self._pipe is not None:
                self._pipe.close()
            self._process = self._pipe = None

    def _end(self) -> None:
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join(_PATIENCE_S)


@dataclass(frozen=True)
class Bench:
    """What does a job: a board, and somebody who is told.

    Attributes:
        board: whose numbers jobs are about.
        threads: to play with.
        found: told what is found.
        is_cancelled: whether nobody wants it any more; asked between stretches of games.
    """

    board: Board
    threads: int | None
    found: Callable[[Any], None]
    is_cancelled: Callable[[], bool]

    def warm(self) -> None:
        """Compile all that jobs take; what fails here fails again, and is told, as one is done."""
        with suppress(Exception):
            Exploration(self.board.contest, 0, self.threads).explore({}, 4)

    def do(self, job: Job) -> None:
        """Do a job, and send what is found.

        Raises:
            Cancelled: nobody wants it any more.
            Refused: it cannot be done.
        """
        contest = replace(self.board.contest, on_games=self._go_on)
        how: dict[str, Any] = {
            "contest": contest, "try_number": job.try_number, "threads": self.threads
        }  # fmt: skip
        if job.name == "certify":
            self.found(certify(self.board, job.draft, **how))
        else:
            suggest(self.board, job.draft, self.found, **how)

    def _go_on(self, _: int) -> None:
        if self.is_cancelled():
            raise Cancelled


def _work(pipe: Connection, board: bytes, threads: int | None) -> None:
    """The process: job after job, until nobody sends any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the desk's
    if hasattr(os, "nice"):
        os.nice(_NICE)

    def is_cancelled() -> bool:
        return pipe.poll() and pipe.recv() is None

    known = pickle.loads(board)  # noqa: S301 (the desk pickled it)
    bench = Bench(known, threads, lambda found: pipe.send(("found", found)), is_cancelled)
    bench.warm()
    while True:
        try:
            job = pipe.recv()
            if job is None:  # a cancellation that came too late
                continue
            bench.do(job)
            pipe.send(("done", None))
        except (EOFError, OSError):  # the desk is gone
            return
        except Exception as error:  # noqa: BLE001 (it is told on the page, and the next job is done)
            pipe.send(("failed", told_error(error)))
