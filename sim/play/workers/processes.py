"""Worker processes: jobs and tasks travel as bytes, and a process that is lost is replaced."""

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
    CACHED_JOBS_MAX,
    Job,
    JobCache,
    Payload,
    ResultT,
    TaskT,
    Threads,
    Workers,
    n_cores,
    pickle_job,
)


@dataclass(frozen=True)
class Answer:
    """The result of a task: a value, or the error that the task raised.

    Attributes:
        seconds: time that the task took.
        value: the value that the task returned.
        error: the error that the task raised; `None` if it returned.
    """

    seconds: float
    value: Any = None
    error: Exception | None = None

    def result(self) -> Any:
        """Return the value of the task.

        Raises:
            Exception: the error that the task raised in the worker.
        """
        if self.error is not None:
            raise self.error
        return self.value


def start_process(work: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Start a process that shares nothing with this one but its arguments and a pipe.

    The process ignores Ctrl-C, even while it loads, since Ctrl-C is meant for this process.

    Args:
        work: function to run in the process; takes its end of the pipe, then `arguments`.
        arguments: further arguments of `work`.

    Returns:
        The process, and this process's end of the pipe.
    """
    context = multiprocessing.get_context("spawn")
    own_end, child_end = context.Pipe()
    process = context.Process(target=work, args=(child_end, *arguments), daemon=True)
    with _block_ctrl_c():
        process.start()
    child_end.close()
    return process, own_end


@contextmanager
def _block_ctrl_c() -> Iterator[None]:
    """Block Ctrl-C in the processes that the block starts, where the system can block signals."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Starting the resource tracker unblocks the signal, so it must run before it is blocked.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Connection) -> None:
    """Carry out the tasks that arrive through a pipe, until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends its children
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    shelf = JobCache()
    with working_with(Threads(1)):
        while True:
            try:
                digest, content, task = pipe.recv()
            except EOFError:
                return
            pipe.send(do_task(shelf, digest, content, task))


def do_task(shelf: JobCache, digest: str, content: Any, task: Any) -> Answer:
    """Carry out a task, and return its value or any error that it raises.

    Args:
        shelf: the jobs that this worker holds.
        digest: digest of the task's job (`Payload.digest`).
        content: bytes of the job; needed only if `shelf` does not hold the job.
        task: the task.
    """
    began_s = time.perf_counter()
    try:
        value = shelf.do(digest, content, task)
    except Exception as error:  # noqa: BLE001 (it is raised again in the process that asked)
        return Answer(time.perf_counter() - began_s, error=_sendable(error))
    return Answer(time.perf_counter() - began_s, value)


def _sendable(error: Exception) -> Exception:
    """Return an error that can be pickled, with the worker's traceback as a note.

    An error that cannot be pickled becomes a `RuntimeError` with its traceback as text.
    """
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    except Exception:  # noqa: BLE001 (errors of plug-ins may fail in any way)
        return RuntimeError("".join(traceback.format_exception(error)))
    error.add_note("In a worker:\n" + "".join(traceback.format_exception(error)))
    return error


def _exit_with_parent() -> None:
    """End this process when its parent process ends, even if the parent is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# --- distribution of tasks ---

_LOST = (EOFError, OSError)  # raised by a pipe when the process at its other end has died

Waiting = deque[tuple[Any, int]]
"""Tasks to hand out, each with the number of workers that were lost while they did it."""


@dataclass
class RemoteWorkers(Workers):
    """Workers in other processes, to which jobs are sent.

    One thread at a time can use them. Calls from other threads are served by threads of this
    process meanwhile.
    """

    least_s: float = 0.5  # sending a task takes milliseconds, which is then about a percent
    are_remote: ClassVar[bool] = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def map(
        self, job: Job[TaskT, ResultT], tasks: Sequence[TaskT]
    ) -> Iterator[tuple[TaskT, ResultT]]:
        """Carry out tasks, the first ones first; each worker is sent the job only once."""
        if not self._lock.acquire(blocking=False):
            yield from Threads(min(self.n_workers, n_cores())).map(job, tasks)
            return
        try:
            waiting = deque((task, 0) for task in tasks)
            with closing(self._answers(Payload(pickle_job(job)), waiting)) as answers:
                for task, answer in answers:
                    self.effort.n_tasks += 1
                    self.effort.seconds += answer.seconds
                    yield task, answer.result()
        finally:
            self._lock.release()

    @abstractmethod
    def _answers(
        self, parcel: Payload, waiting: Waiting
    ) -> Generator[tuple[Any, Answer], None, None]:
        """Hand out waiting tasks, and yield each task with its answer.

        A task that loses its worker is put back in front of all others and recorded in `effort`.
        When the generator is closed or raises, no worker is busy any more.

        Args:
            parcel: the pickled job.
            waiting: the tasks; the method removes those that it hands out.
        """


class _Child:
    """A worker process, with the task it is doing and the jobs it holds."""

    def __init__(self) -> None:
        self.process, self.pipe = start_process(serve)
        self.task: Any = None
        self.n_lost = 0  # number of processes that were lost at this task
        # Mirrors the worker's own shelf: both drop the job that was added first.
        self._job_digests = deque[str](maxlen=CACHED_JOBS_MAX)

    def begin(self, parcel: Payload, task: Any, n_lost: int) -> None:
        """Send a task to the process, and the job unless the process holds it.

        Args:
            parcel: the pickled job.
            task: the task.
            n_lost: number of workers that were lost at this task.
        """
        self.task = task
        self.n_lost = n_lost
        content = None if parcel.digest in self._job_digests else parcel.content
        if content is not None:
            self._job_digests.append(parcel.digest)
        with suppress(*_LOST):  # a process that has died is noticed when its answer is read
            self.pipe.send((parcel.digest, content, task))

    def end(self) -> str:
        """End the process, release its resources, and return how it ended."""
        self.process.terminate()
        self.process.join(1)
        self.process.kill()
        self.process.join()
        self.pipe.close()
        code = self.process.exitcode or 0
        self.process.close()
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"


@dataclass
class Processes(RemoteWorkers):
    """Worker processes of this machine, started when they are first needed.

    They start as fresh interpreters, so only what is sent to them reaches them.
    """

    _idle: list[_Child] = field(default_factory=list)
    _busy: dict[Connection, _Child] = field(default_factory=dict)

    def _answers(
        self, parcel: Payload, waiting: Waiting
    ) -> Generator[tuple[Any, Answer], None, None]:
        """Hand out tasks to idle processes, and yield each task with its answer."""
        try:
            while waiting or self._busy:
                self._hand_out(parcel, waiting)
                for answer in self._receive(waiting):
                    self._hand_out(parcel, waiting)  # first, so that no process waits for us
                    yield answer
        except BaseException:
            self.close()  # the running tasks are not wanted any more
            raise

    def _hand_out(self, parcel: Payload, waiting: Waiting) -> None:
        """Give tasks to idle processes, and start new processes up to the number of workers."""
        while waiting and len(self._busy) < self.n_workers:
            child = self._idle.pop() if self._idle else _Child()
            self._busy[child.pipe] = child
            child.begin(parcel, *waiting.popleft())

    def _receive(self, waiting: Waiting) -> Iterator[tuple[Any, Answer]]:
        """Wait for answers; put the tasks of lost processes back in front of all others."""
        ready = wait(list(self._busy))
        for child in [child for pipe, child in self._busy.items() if pipe in ready]:
            del self._busy[child.pipe]
            try:
                answer = child.pipe.recv()
            except _LOST:
                waiting.appendleft((child.task, child.n_lost + 1))
                self.effort.retry(child.n_lost + 1, child.end())
            else:
                self._idle.append(child)
                yield child.task, answer

    def close(self) -> None:
        """End all processes; new ones start when they are needed again."""
        children = [*self._idle, *self._busy.values()]
        self._idle.clear()
        self._busy.clear()
        for child in children:
            child.process.terminate()  # ask all first, so that they end while we wait for one
        for child in children:
            child.end()
