"""Worker processes, which receive jobs and tasks as bytes and are replaced if they die."""

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
    """Outcome of a task in a worker: the value it returned, or the error it raised.

    Attributes:
        seconds: time that the task took, in seconds.
        value: value that the task returned; `None` if it raised an error.
        error: error that the task raised; `None` if it returned a value.
    """

    seconds: float
    value: Any = None
    error: Exception | None = None

    def result(self) -> Any:
        """Return the value that the task returned.

        Raises:
            Exception: the task raised an error in the worker; that error is raised again.
        """
        if self.error is not None:
            raise self.error
        return self.value


def start_process(work: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Start a process as a new interpreter, connected to this process by a pipe.

    Ctrl-C does not reach the new process, not even while it loads, if the system can block signals.

    Args:
        work: function to run in the process, called with the process's end of the pipe and
            `arguments`.
        arguments: further arguments of `work`, which must be picklable.

    Returns:
        The started process, and this process's end of the pipe.
    """
    # A forked process would inherit locks that other threads of this process may hold.
    context = multiprocessing.get_context("spawn")
    own_end, child_end = context.Pipe()
    process = context.Process(target=work, args=(child_end, *arguments), daemon=True)
    with _block_ctrl_c():
        process.start()
    child_end.close()
    return process, own_end


@contextmanager
def _block_ctrl_c() -> Iterator[None]:
    """Block Ctrl-C in processes started by the `with` block, if the system can block signals."""
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
    """Carry out the tasks that arrive through a pipe until its other end is closed.

    Each message is the digest of a job, the bytes of the job (or `None` if this process received
    them before), and a task. The reply is an `Answer`. This function runs in the worker process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends its children
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    cache = JobCache()
    with working_with(Threads(1)):
        while True:
            try:
                digest, content, task = pipe.recv()
            except EOFError:
                return
            pipe.send(do_task(cache, digest, content, task))


def do_task(cache: JobCache, digest: str, content: Any, task: Any) -> Answer:
    """Carry out a task, and return its value or the exception that it raised.

    Args:
        cache: jobs that this worker has received.
        digest: digest of the task's job (`Payload.digest`).
        content: bytes of the job; needed only if `cache` does not contain the job.
        task: task of the job.
    """
    began_s = time.perf_counter()
    try:
        value = cache.do(digest, content, task)
    except Exception as error:  # noqa: BLE001 (it is raised again in the parent process)
        return Answer(time.perf_counter() - began_s, error=_sendable(error))
    return Answer(time.perf_counter() - began_s, value)


def _sendable(error: Exception) -> Exception:
    """Return an error for another process, with the traceback of this process as a note.

    An error that cannot be pickled is replaced by a `RuntimeError` with its traceback as text.
    """
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    except Exception:  # noqa: BLE001 (errors of plug-ins may fail in any way)
        return RuntimeError("".join(traceback.format_exception(error)))
    error.add_note("In a worker:\n" + "".join(traceback.format_exception(error)))
    return error


def _exit_with_parent() -> None:
    """Wait for the end of the parent process, even by a kill signal, then end this process."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # `sys.exit` would end only the thread that runs this function


# --- distribution of tasks to worker processes ---

_LOST = (EOFError, OSError)  # raised by a pipe when the process at its other end has died

Waiting = deque[tuple[Any, int]]
"""Tasks to send to workers, each with the number of workers that were lost while doing the task."""


@dataclass
class RemoteWorkers(Workers):
    """Base class of workers in other processes, to which jobs are sent as bytes.

    One thread at a time can use the workers. If another thread calls `map` at the same time,
    threads of this process carry out that thread's tasks.
    """

    least_s: float = 0.5  # sending a task takes a few milliseconds, about 1 % of this time
    are_remote: ClassVar[bool] = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def map(
        self, job: Job[TaskT, ResultT], tasks: Sequence[TaskT]
    ) -> Iterator[tuple[TaskT, ResultT]]:
        """Carry out tasks, and yield each task with its result, in any order (`Workers.map`).

        Tasks are started in their order. The job is sent to each worker only once.

        Raises:
            InputError: the job cannot be pickled, or a task loses more workers than the limit.
            Exception: a task raised an error, which is raised again.
        """
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
        self, payload: Payload, waiting: Waiting
    ) -> Generator[tuple[Any, Answer], None, None]:
        """Send waiting tasks to workers, and yield each task with its answer, in any order.

        If a worker is lost, its task is put back at the front of the queue and recorded in
        `effort`. When the generator is closed or raises an error, no worker remains busy.

        Args:
            payload: pickled job that the tasks belong to.
            waiting: queue of tasks; the method removes the tasks that it sends.
        """


class _Child:
    """A worker process, as seen by its parent: its pipe, its current task and its cached jobs."""

    def __init__(self) -> None:
        self.process, self.pipe = start_process(serve)
        self.task: Any = None
        self.n_lost = 0  # number of processes that were lost while doing this task
        # Mirrors the `JobCache` of the process: both drop the job that was added first.
        self._job_digests = deque[str](maxlen=CACHED_JOBS_MAX)

    def begin(self, payload: Payload, task: Any, n_lost: int) -> None:
        """Send a task to the process, and its job unless the process has cached the job.

        Args:
            payload: pickled job that the task belongs to.
            task: task to carry out.
            n_lost: number of workers that were lost while doing this task.
        """
        self.task = task
        self.n_lost = n_lost
        content = None if payload.digest in self._job_digests else payload.content
        if content is not None:
            self._job_digests.append(payload.digest)
        with suppress(*_LOST):  # the death of a process is handled when its answer is read
            self.pipe.send((payload.digest, content, task))

    def end(self) -> str:
        """End the process, and return the name of the signal or the exit status that ended it.

        The process is terminated first, and killed if it still runs a second later.
        """
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
    """Worker processes on this machine, started when they are first needed.

    They start as new interpreters, so they have no other data than the jobs and tasks sent to them.
    """

    _idle: list[_Child] = field(default_factory=list)
    _busy: dict[Connection, _Child] = field(default_factory=dict)

    def _answers(
        self, payload: Payload, waiting: Waiting
    ) -> Generator[tuple[Any, Answer], None, None]:
        """Send tasks to processes, and yield each task with its answer (`RemoteWorkers._answers`).

        If an error is raised or the generator is closed, all processes are ended.
        """
        try:
            while waiting or self._busy:
                self._hand_out(payload, waiting)
                for answer in self._receive(waiting):
                    # The consumer may take long, so the idle process gets its next task first.
                    self._hand_out(payload, waiting)
                    yield answer
        except BaseException:
            self.close()  # the results of running tasks are no longer needed
            raise

    def _hand_out(self, payload: Payload, waiting: Waiting) -> None:
        """Send waiting tasks to idle and newly started processes, until `n_workers` are busy."""
        while waiting and len(self._busy) < self.n_workers:
            child = self._idle.pop() if self._idle else _Child()
            self._busy[child.pipe] = child
            child.begin(payload, *waiting.popleft())

    def _receive(self, waiting: Waiting) -> Iterator[tuple[Any, Answer]]:
        """Wait until a busy process answers or dies, and yield all tasks with answers so far.

        The tasks of processes that died are put back at the front of the queue.
        """
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
        """End all processes; new processes start if they are needed again."""
        children = [*self._idle, *self._busy.values()]
        self._idle.clear()
        self._busy.clear()
        for child in children:
            child.process.terminate()  # to all first, so that they end at the same time
        for child in children:
            child.end()
