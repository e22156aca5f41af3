"""The worker: a process of its own for what takes long, so that steps are answered meanwhile.

It gets jobs and sends what it finds; nothing but plain data passes. It reads the experiment for
itself, and steps back behind whoever else wants to compute.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from balance.whatif import Exploration
from experiments.loading import load_experiment
from experiments.runs.json_file import digest
from experiments.workbench.board import Board
from experiments.workbench.certify import certify
from experiments.workbench.crash import crash_words
from experiments.workbench.draft import Draft
from experiments.workbench.jobs import Cancelled, Job
from experiments.workbench.suggest import suggest
from sim import InputError, validate

_NICE = 5
_PATIENCE_S = 5.0  # for a job that was cancelled, and for a process that is to end

if TYPE_CHECKING:
    Pipe = Connection[Any, Any]  # which takes no types as it runs


class Source(NamedTuple):
    """Where an experiment is read from.

    Attributes:
        name: its file, or its shipped name.
        results: where trained agents are looked for.
        seed: of the run.
        digest: of all that it comes to.
        threads: to play with.
    """

    name: str
    results: Path
    seed: int
    digest: str
    threads: int | None

    @classmethod
    def of(cls, board: Board, name: str, results: Path, threads: int | None) -> Source:
        """That of a board which was read by this name."""
        known = digest(board.experiment.resolved(), 16)
        return cls(name, results, board.experiment.settings.seed, known, threads)

    def board(self) -> Board:
        """Read it again.

        Raises:
            InputError: it cannot be read any more, or has become another.
        """
        experiment = load_experiment(self.name, self.results).with_seed(self.seed)
        if digest(experiment.resolved(), 16) != self.digest:
            raise InputError(
                f"{self.name}: its files have changed since the workbench was opened; open it again"
            )
        return Board.of(experiment)


class Worker:
    """The process, as the desk knows it: one job at a time."""

    def __init__(self, source: Source) -> None:
        """It is not started yet."""
        self._source, self._lock = source, threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Pipe | None = None
        self._is_cancelled = self._is_at_work = False

    def start(self) -> None:
        """Start the process, which compiles what it takes, unless it runs already."""
        if self._process is not None and self._process.is_alive():
            return
        context = multiprocessing.get_context("spawn")
        if self._pipe is not None:
            self._pipe.close()
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._source), daemon=True)
        with _deaf_to_interrupts():
            self._process.start()
        theirs.close()

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
            pipe, is_heard_out = self._sent(job), False
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

    def _sent(self, job: Job) -> Pipe:
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


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let a process that is started here never hear Ctrl-C, which is the desk's, even as it loads.

    Where signals cannot be held back it ignores them itself as soon as it can.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would hear them again once it has started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(frozen=True)
class Bench:
    """What does a job: an experiment, and somebody who is told.

    Attributes:
        board: the experiment's.
        threads: to play with.
        found: told what is found.
        is_cancelled: whether nobody wants it any more; asked between stretches of games.
    """

    board: Board
    threads: int | None
    found: Callable[[Any], None]
    is_cancelled: Callable[[], bool]

    def do(self, job: Job) -> None:
        """Do a job, and send what is found.

        Raises:
            Cancelled: nobody wants it any more.
            Refused: it cannot be done.
        """
        contest = replace(self.board.contest, on_games=self._go_on)
        draft = validate(Draft, job.draft, source="draft")
        how: dict[str, Any] = {"contest": contest, "threads": self.threads}
        how["try_number"] = job.try_number
        if job.name == "certify":
            self.found(certify(self.board, draft, **how))
        else:
            suggest(self.board, draft, self.found, **how)

    def _go_on(self, _: int) -> None:
        if self.is_cancelled():
            raise Cancelled


def _work(pipe: Pipe, source: Source) -> None:
    """The process: job after job, until nobody sends any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the desk's
    if hasattr(os, "nice"):
        os.nice(_NICE)

    def is_cancelled() -> bool:
        return pipe.poll() and pipe.recv() is None

    bench = _ready(source, lambda found: pipe.send(("found", found)), is_cancelled)
    while True:
        try:
            job = pipe.recv()
            if job is None:  # a cancellation that came too late
                continue
            _do(bench, job)
            pipe.send(("done", None))
        except (EOFError, OSError):  # the desk is gone
            return
        except InputError as error:
            pipe.send(("failed", error))
        except Exception as error:  # noqa: BLE001 (it is told on the page, and the next job is done)
            pipe.send(("failed", InputError(crash_words(error))))


def _do(bench: Bench | InputError, job: Job) -> None:
    """Do a job, or say why there can be none."""
    if isinstance(bench, InputError):
        raise bench
    bench.do(job)


def _ready(
    source: Source, found: Callable[[Any], None], is_cancelled: Callable[[], bool]
) -> Bench | InputError:
    """All that jobs take, compiled; or why there can be none."""
    try:
        board = source.board()
        if board.has_opponents:
            Exploration(board.contest, source.seed, source.threads).explore({}, 4)
    except InputError as error:
        return error
    except Exception as error:  # noqa: BLE001 (likewise)
        return InputError(crash_words(error))
    return Bench(board, source.threads, found, is_cancelled)
