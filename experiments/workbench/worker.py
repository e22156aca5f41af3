"""The worker: a process of its own for what takes long, so that steps are answered meanwhile.

It gets jobs and sends what it finds; nothing but plain data passes. It reads the experiment for
itself, and steps back behind whoever else wants to compute.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, NamedTuple

from balance.whatif import Exploration
from experiments.experiment import load_experiment
from experiments.runs.json_file import digest
from experiments.workbench.board import Board
from experiments.workbench.certify import certify
from experiments.workbench.draft import Draft
from experiments.workbench.jobs import Cancelled, Job, Proposal
from experiments.workbench.suggest import suggest
from sim import InputError, validate

_NICE = 5
_PATIENCE_S = 5.0  # for a job that was cancelled, and for a process that is to end
_POLL_S = 0.1


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
        self._source = source
        self._context = multiprocessing.get_context("spawn")
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._cancelled = self._context.Event()

    def start(self) -> None:
        """Start the process, which compiles what it takes, unless it runs already."""
        if self._process is not None and self._process.is_alive():
            return
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=_work, args=(theirs, self._cancelled, self._source), daemon=True
        )
        self._process.start()
        theirs.close()

    def begin(self) -> None:
        """From now on a cancellation is of the next job."""
        self._cancelled.clear()

    def run(self, job: Job) -> Iterator[Any]:
        """Do a job; what it finds, as it comes.

        Raises:
            Cancelled: somebody cancelled it.
            Refused: it cannot be done.
            InputError: likewise, or the process died.
        """
        self.start()
        pipe = self._pipe
        assert pipe is not None  # noqa: S101 (it was started)
        try:
            pipe.send(job)
            while True:
                kind, found = pipe.recv()
                if kind == "found":
                    yield found
                elif kind == "done":
                    return
                else:
                    raise found
        except (EOFError, OSError):
            if self._cancelled.is_set():
                raise Cancelled from None
            raise InputError("the process that did it has died; ask again") from None

    def cancel(self) -> None:
        """End the job, between two stretches of games."""
        self._cancelled.set()

    def close(self) -> None:
        """End the process."""
        self._cancelled.set()
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join(_PATIENCE_S)
        if self._pipe is not None:
            self._pipe.close()


@dataclass(frozen=True)
class _Bench:
    """What the process has at hand."""

    board: Board
    cancelled: Event
    threads: int | None
    send: Callable[[str, Any], None]

    def do(self, job: Job) -> None:
        """Do a job, and send what is found."""
        contest = replace(self.board.contest, on_games=self._go_on)
        draft = validate(Draft, job.draft, source="draft")
        how: dict[str, Any] = {
            "contest": contest,
            "try_number": job.try_number,
            "threads": self.threads,
        }
        if job.name == "certify":
            self.send("found", certify(self.board, draft, **how))
        else:
            suggest(self.board, draft, self._found, **how)

    def _found(self, proposal: Proposal) -> None:
        self._go_on(0)
        self.send("found", proposal)

    def _go_on(self, _: int) -> None:
        parent = multiprocessing.parent_process()
        if self.cancelled.is_set() or (parent is not None and not parent.is_alive()):
            raise Cancelled


def _work(pipe: Connection, cancelled: Event, source: Source) -> None:
    """The process: job after job, until nobody sends any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the desk's
    if hasattr(os, "nice"):
        os.nice(_NICE)

    def send(kind: str, data: Any) -> None:
        pipe.send((kind, data))

    bench = _ready(source, cancelled, send)
    while True:
        try:
            job = pipe.recv()
            if isinstance(bench, InputError):
                raise bench
            bench.do(job)
            send("done", None)
        except (EOFError, BrokenPipeError):
            return
        except InputError as error:
            send("failed", error)


def _ready(
    source: Source, cancelled: Event, send: Callable[[str, Any], None]
) -> _Bench | InputError:
    """All that jobs take, compiled; or why there can be none."""
    try:
        board = source.board()
    except InputError as error:
        return error
    if board.has_opponents:
        Exploration(board.contest, source.seed, source.threads).explore({}, 4)
    return _Bench(board, cancelled, source.threads, send)
