"""The interface between jobs and workers, and the workers that are threads.

A job is divided into tasks, which idle workers carry out. The result of a task depends only on the
job and the task, not on the worker, the order of tasks or the number of retries.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType
from typing import Any, ClassVar, Protocol, TypeVar

from sim.errors import InputError
from sim.interruption import uninterrupted

# Number of jobs that a worker keeps in memory. Only a few jobs alternate at a time, and card tables
# take megabytes. Chosen by hand, not tuned.
CACHED_JOBS_MAX = 4
RETRIES_MAX = 3  # retries of a task; if four workers die during a task, the task is the cause

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")
TaskT_contra = TypeVar("TaskT_contra", contravariant=True)
ResultT_co = TypeVar("ResultT_co", covariant=True)


class Job(Protocol[TaskT_contra, ResultT_co]):
    """Work that is divided into tasks, which workers can carry out in any order.

    For remote workers, the job, its tasks and their results must be picklable.
    """

    def do(self, task: TaskT_contra, /) -> ResultT_co:
        """Carry out a task and return its result; threads may call it concurrently."""

    def give_up(self) -> None:
        """Make all running tasks of this process end early; their results will be discarded."""


@dataclass
class Effort:
    """Statistics of the work of remote workers, for the log.

    Attributes:
        report: callback, called with one line of text about each lost worker and about the first
            batch that is too small for remote workers.
        n_tasks: number of finished tasks.
        n_small: number of batches that were too small for remote workers.
        n_retries: number of times that a task was started again because its worker was lost.
        seconds: time that workers spent on tasks, summed over workers, in seconds.
    """

    report: Callable[[str], None] = lambda _: None
    n_tasks: int = 0
    n_small: int = 0
    n_retries: int = 0
    seconds: float = 0.0

    def retry(self, n_lost: int, why: str) -> None:
        """Record and report that a task is started again because its worker was lost.

        Args:
            n_lost: number of workers that have been lost while doing this task.
            why: reason for the end of the last lost worker, as words for a message.

        Raises:
            InputError: `n_lost` is greater than `RETRIES_MAX`.
        """
        if n_lost > RETRIES_MAX:
            raise InputError(
                f"a task has lost {n_lost} workers, the last one by {why}; the limit is "
                f"{RETRIES_MAX} retries",
                value=n_lost,
                limit=RETRIES_MAX,
                remedy="if memory is short, use fewer workers",
            )
        self.n_retries += 1
        self.report(f"a worker was lost ({why}); its task is started again, retry {n_lost}")

    def keep_here(self, seconds: float) -> None:
        """Record that a batch was too small for remote workers, and report the first such batch.

        Args:
            seconds: estimated time of the batch on one core, in seconds.
        """
        if self.n_small == 0:
            self.report(
                f"a batch of about {seconds:.1g} s of work is too small to gain from workers; "
                "such batches are played by threads"
            )
        self.n_small += 1

    @property
    def words(self) -> str:
        """The statistics in words, as one line for the log."""
        return (
            f"{self.n_tasks:,} pieces, {self.n_retries} retries, {self.seconds:.1f} s of work; "
            f"{self.n_small:,} batches too small"
        )


@dataclass(frozen=True)
class Payload:
    """A pickled job with its digest.

    Attributes:
        content: bytes of the job (`pickle_job`).
    """

    content: bytes

    @cached_property
    def digest(self) -> str:
        """SHA-256 digest of the content, which identifies the job in the caches of workers."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass
class Workers(ABC):
    """Base class of workers, which carry out the tasks of jobs.

    Attributes:
        n_workers: number of tasks that are carried out at the same time.
        least_s: minimum time of a task on one core, in seconds; for shorter tasks, sending would
            take too large a part of the time.
        effort: statistics of the work, filled in only by remote workers.
        are_remote: whether the workers share neither memory nor interpreter with this process.
    """

    n_workers: int
    least_s: float = 0.0
    effort: Effort = field(default_factory=Effort, compare=False)
    are_remote: ClassVar[bool] = False

    @abstractmethod
    def map(
        self, job: Job[TaskT, ResultT], tasks: Sequence[TaskT]
    ) -> Iterator[tuple[TaskT, ResultT]]:
        """Carry out tasks of a job, and yield each task with its result, in any order.

        Raises:
            InputError: the job cannot be pickled for remote workers, or a task has lost more
                workers than the limit.
            Exception: a task raised an error, which is raised again.
        """

    def close(self) -> None:  # noqa: B027 (threads end with each call of `map`)
        """End all workers; threads have already ended with each call of `map`."""


class _Pickler(pickle.Pickler):
    """A pickler that rejects functions and classes defined in a notebook or script.

    The standard pickler accepts them, but workers cannot import them.
    """

    def reducer_override(self, thing: Any) -> Any:
        """Return `NotImplemented`, so that the standard pickler handles an object.

        Raises:
            pickle.PicklingError: the object is a function or class of the main module.
        """
        if isinstance(thing, FunctionType | type) and thing.__module__ == "__main__":
            raise pickle.PicklingError(f"{thing.__qualname__!r} is defined in this process only")
        return NotImplemented


def pickle_job(job: object) -> bytes:
    """Return a job as bytes, for remote workers.

    Raises:
        InputError: a part of the job cannot be pickled, or is defined where workers cannot import
            it.
    """
    content = io.BytesIO()
    try:
        _Pickler(content, protocol=5).dump(job)
    except InputError:
        raise
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"workers cannot be sent this work: {error}",
            remedy="declare the object in an installed package (docs/plugins.md), or use "
            "--workers threads",
        ) from error
    return content.getvalue()


@dataclass
class JobCache:
    """Cache of the jobs that a worker has received; a full cache drops the job added first."""

    _jobs: dict[str, Job[Any, Any]] = field(default_factory=dict)

    def __contains__(self, digest: str) -> bool:
        return digest in self._jobs

    def do(self, digest: str, content: bytes | memoryview | None, task: Any) -> Any:
        """Carry out a task of a job, add the job to the cache if necessary, and return the result.

        Args:
            digest: digest of the job (`Payload.digest`).
            content: bytes of the job; needed only if the cache does not contain the job.
            task: task of the job.
        """
        if digest not in self._jobs:
            # Dictionaries keep their order, so the first key is that of the job added first.
            while len(self._jobs) >= CACHED_JOBS_MAX:
                del self._jobs[next(iter(self._jobs))]
            self._jobs[digest] = pickle.loads(content or b"")  # noqa: S301 (from our own process)
        return self._jobs[digest].do(task)


# --- workers that are threads of this process ---


def n_cores() -> int:
    """Return the number of CPU cores that this process may use, at least 1."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads(Workers):
    """Threads of this process, started for each call of `map`."""

    def map(
        self, job: Job[TaskT, ResultT], tasks: Sequence[TaskT]
    ) -> Iterator[tuple[TaskT, ResultT]]:
        """Carry out tasks, and yield each task with its result, in the order of `tasks`.

        If a task raises an error or the generator is closed, `job.give_up` is called.
        """
        is_main = threading.current_thread() is threading.main_thread()
        if not tasks or (not is_main and self.n_workers == 1):
            yield from ((task, job.do(task)) for task in tasks)
            return
        # Python handles Ctrl-C in the main thread, but not inside compiled code, so the main thread
        # only waits for the pool.
        with ThreadPoolExecutor(min(self.n_workers, len(tasks))) as pool:
            try:
                with uninterrupted():  # an exception inside would leave the pool's locks held
                    results = pool.map(job.do, tasks)
                yield from zip(tasks, results, strict=True)
            except BaseException:
                job.give_up()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
