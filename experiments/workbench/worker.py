"""Worker process for long jobs, so that the workbench reacts to edits while a job is running.

The process receives the view model at its start and then one job after another, and sends the
results. Its low priority favours the games for the current draft.
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

from balance.contest.whatif import Exploration
from experiments.workbench.certify import certify
from experiments.workbench.page_errors import as_input_error
from experiments.workbench.session import Cancelled, Job
from experiments.workbench.suggest import suggest
from experiments.workbench.view_model import ViewModel
from sim import InputError
from sim.play.workers.current import n_local_threads, using_threads
from sim.play.workers.processes import start_process
from sim.play.workers.seam import pickle_job

_NICE = 5  # chosen by hand: a lower priority than the page's games (0), not the lowest (19)
_END_TIMEOUT_S = 5.0  # chosen by hand: a terminated process ends within milliseconds


class Worker:
    """Handle of the worker process, which executes one job at a time.

    `cancel` and `close` may be called by other threads while `run` is executing a job.
    """

    def __init__(self, view: ViewModel) -> None:
        """Prepare the process without starting it.

        Args:
            view: view model of the experiment.

        Raises:
            InputError: an agent cannot be pickled, so it cannot be sent to another process.
        """
        self._arguments = (pickle_job(view), n_local_threads())
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._is_cancelled = False
        self._is_at_work = False

    def start(self) -> None:
        """Start the process if it is not running; the process first compiles the games' code."""
        if self._process is not None and self._process.is_alive():
            return
        if self._pipe is not None:
            self._pipe.close()
        self._process, self._pipe = start_process(_work, *self._arguments)

    def begin(self) -> None:
        """Prepare for the next job: discard an earlier cancellation.

        A later call of `cancel` cancels the next job, even if `run` has not been called yet.
        """
        self._is_cancelled = False

    def run(self, job: Job) -> Generator[Any, None, None]:
        """Execute a job, and yield its results as they arrive.

        If the generator is closed before the end of the job, the process is terminated.

        Raises:
            Cancelled: the job was cancelled.
            InputError: the job failed, or the process died.
        """
        # An error in `_send` leaves the process without a job, so the process can be kept.
        has_ended = True
        try:
            pipe = self._send(job)
            has_ended = False
            while True:
                kind, result = pipe.recv()
                has_ended = kind != "found"
                if kind == "found":
                    yield result
                elif kind == "done":
                    return
                else:
                    raise result
        except (EOFError, OSError):
            has_ended = False
            if self._is_cancelled:
                raise Cancelled from None
            raise InputError("the process of this job has died", remedy="try again") from None
        finally:
            self._is_at_work = False
            if not has_ended:
                self._discard_process()

    def _send(self, job: Job) -> Connection:
        """Send a job to the process, and start the process if necessary; return its pipe.

        Raises:
            Cancelled: the job was cancelled before its start.
        """
        with self._lock:
            if self._is_cancelled:
                raise Cancelled
            self.start()
            pipe = self._pipe
            assert pipe is not None  # noqa: S101 (`start` sets it)
            pipe.send(job)
            self._is_at_work = True
            return pipe

    def cancel(self) -> None:
        """Cancel the current or next job; a running job ends after its current chunk of games."""
        with self._lock, suppress(OSError):
            self._is_cancelled = True
            if self._is_at_work and self._pipe is not None:
                self._pipe.send(None)

    def close(self) -> None:
        """Terminate the process; a running job ends as cancelled."""
        self._is_cancelled = True
        with self._lock:
            self._end()
            if self._pipe is not None and not self._is_at_work:
                self._pipe.close()

    def _discard_process(self) -> None:
        """Terminate the process and close its pipe, so that the next job starts a new process."""
        # The process may still send results of the last job, which the next job would receive.
        with self._lock:
            self._end()
            if self._pipe is not None:
                self._pipe.close()
            self._process = None
            self._pipe = None

    def _end(self) -> None:
        """Terminate the process if it is running, and wait at most `_END_TIMEOUT_S` for its end."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join(_END_TIMEOUT_S)


@dataclass(frozen=True)
class JobRunner:
    """Executor of jobs in the worker process.

    Attributes:
        view: view model of the experiment.
        send: function that is called with each result of a job.
        is_cancelled: function that returns whether the running job was cancelled; called after
            each chunk of games.
    """

    view: ViewModel
    send: Callable[[Any], None]
    is_cancelled: Callable[[], bool]

    def warm(self) -> None:
        """Play a few games, so that the games' code is compiled before the first job.

        Exceptions are ignored.
        """
        # An error here occurs again in the first job, which reports it.
        with suppress(Exception):
            contest = self.view.contest
            Exploration(contest, 0).explore({}, 2 * contest.n_seatings)

    def run(self, job: Job) -> None:
        """Execute a job, and send its results: one per suggestion, or one certificate.

        Raises:
            Cancelled: the job was cancelled.
            InputError: the job is impossible, for instance because no number may change.
        """
        contest = replace(self.view.contest, on_games=self._stop_if_cancelled)
        options: dict[str, Any] = {"contest": contest, "try_number": job.try_number}
        if job.name == "certify":
            self.send(certify(self.view, job.draft, **options))
        else:
            suggest(self.view, job.draft, self.send, **options)

    def _stop_if_cancelled(self, _: int) -> None:
        """Raise `Cancelled` if the job was cancelled; the contest calls this after each chunk."""
        if self.is_cancelled():
            raise Cancelled


def _work(pipe: Connection, pickled_view: bytes, n_threads: int) -> None:
    """Execute jobs until the pipe is closed; the body of the worker process.

    Args:
        pipe: connection to the main process. It receives jobs, and `None` to cancel the running
            job. It sends pairs: `found` with a result, `done` with `None`, `failed` with an error.
        pickled_view: view model of the experiment, pickled.
        n_threads: number of threads for games.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C for both
    if hasattr(os, "nice"):
        os.nice(_NICE)

    def is_cancelled() -> bool:
        """Return whether a cancellation of the running job has arrived; remove it from the pipe."""
        return pipe.poll() and pipe.recv() is None

    view = pickle.loads(pickled_view)  # noqa: S301 (the main process pickled it)
    runner = JobRunner(view, lambda result: pipe.send(("found", result)), is_cancelled)
    with using_threads(n_threads):
        runner.warm()
        while True:
            try:
                job = pipe.recv()
                if job is None:  # a cancellation that arrived after its job had ended
                    continue
                runner.run(job)
                pipe.send(("done", None))
            except (EOFError, OSError):  # the main process has ended
                return
            except Exception as error:  # noqa: BLE001 (sent to the page; the next job may succeed)
                pipe.send(("failed", as_input_error(error)))
