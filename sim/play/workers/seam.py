"""The interface between jobs and workers, and workers that are threads.

A job is divided into tasks, which free workers carry out. A task is a pure function of the job and
the task itself, so results do not depend on which worker does it, when, or after how many retries.
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

CACHED_JOBS_MAX = (
    4  # jobs that a worker keeps; a few alternate at a time, and tables take megabytes
)
RETRIES_MAX = 3  # retries of a task; if four workers die of a task, the task is the cause

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")
TaskT_contra = TypeVar("TaskT_contra", contravariant=True)
ResultT_co = TypeVar("ResultT_co", covariant=True)


class Job(Protocol[TaskT_contra, ResultT_co]):
    """Work that is divided into tasks.

    For remote workers the job, its tasks and their results must be picklable.
    """

    def do(self, task: TaskT_contra, /) -> ResultT_co:
        """Carry out a task and return its result; threads may call it concurrently."""

    def give_up(self) -> None:
        """Make tasks that threads are doing end early; their results are discarded."""


@dataclass
class Effort:
    """Statistics of the work of remote workers, for the log.

    Attributes:
        report: called with one line about each event that a person should know of.
        n_tasks: number of finished tasks.
        n_small: number of batches that were too small for remote workers.
        n_retries: number of tasks that were started again because their worker was lost.
        seconds: time spent on tasks, summed over workers.
    """

    report: Callable[[str], None] = lambda _: None
    n_tasks: int = 0
    n_small: int = 0
    n_retries: int = 0
    seconds: float = 0.0

    def retry(self, n_lost: int, why: str) -> None:
        """Record and report that a task is started again because its worker was lost.

        Args:
            n_lost: number of workers that were lost at this task.
            why: how the last of them ended.

        Raises:
            InputError: the task has lost more workers than the limit.
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
            seconds: estimated time of the batch on one core.
        """
        if self.n_small == 0:
            self.report(
                f"a batch of about {seconds:.1g} s of work is too small to gain from workers; "
                "such batches are played by threads"
            )
        self.n_small += 1

    @property
    def words(self) -> str:
        """The statistics as one line of the log."""
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
        """SHA-256 digest of the content, by which workers know the jobs they hold."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass
class Workers(ABC):
    """Workers of one kind, which carry out the tasks of jobs.

    Attributes:
        n_workers: number of tasks that are done at once.
        least_s: least time of a task in seconds on one core; shorter ones are not worth sending.
        effort: statistics of their work.
        are_remote: whether the workers are remote: they share neither memory nor interpreter
            with this process.
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
            InputError: the job cannot be pickled, or a task loses its workers again and again.
        """

    def close(self) -> None:  # noqa: B027 (threads end with each call of `map`)
        """End all workers."""


class _Pickler(pickle.Pickler):
    """A pickler that rejects functions and classes of a notebook or script.

    Workers could not import them, and a plain pickler would not notice.
    """

    def reducer_override(self, thing: Any) -> Any:
        """Reject a function or class of the main module; leave other objects to the base class."""
        if isinstance(thing, FunctionType | type) and thing.__module__ == "__main__":
            raise pickle.PicklingError(f"{thing.__qualname__!r} is defined in this process only")
        return NotImplemented


def pickle_job(job: object) -> bytes:
    """Return a job as bytes.

    Raises:
        InputError: a part of the job is defined where workers cannot import it.
    """
    content = io.BytesIO()
    try:
        _Pickler(content, protocol=5).dump(job)
    except InputError:
        raise
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"workers cannot be sent this work: {error}",
            remedy="declare it in an installed package (docs/plugins.md), or use --workers threads",
        ) from error
    return content.getvalue()


@dataclass
class JobCache:
    """A worker's cache of the last few jobs it was sent."""

    _jobs: dict[str, Job[Any, Any]] = field(default_factory=dict)

    def __contains__(self, digest: str) -> bool:
        return digest in self._jobs

    def do(self, digest: str, content: bytes | memoryview | None, task: Any) -> Any:
        """Carry out a task of a job and return its result.

        Args:
            digest: digest of the job (`Payload.digest`).
            content: bytes of the job, needed if the cache does not hold it.
            task: the task.
        """
        if digest not in self._jobs:
            while len(self._jobs) >= CACHED_JOBS_MAX:
                del self._jobs[next(iter(self._jobs))]
            self._jobs[digest] = pickle.loads(content or b"")  # noqa: S301 (from our own process)
        return self._jobs[digest].do(task)


# --- threads ---


def n_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads(Workers):
    """Threads of this process, started for each call of `map`."""

    def map(
        self, job: Job[TaskT, ResultT], tasks: Sequence[TaskT]
    ) -> Iterator[tuple[TaskT, ResultT]]:
        """Carry out tasks, and yield each with its result, in the order of `tasks`."""
        is_main = threading.current_thread() is threading.main_thread()
        if not tasks or (not is_main and self.n_workers == 1):
            yield from ((task, job.do(task)) for task in tasks)
            return
        # The main thread only waits, since Python handles Ctrl-C there and not in compiled code.
        with ThreadPoolExecutor(min(self.n_workers, len(tasks))) as pool:
            try:
                with uninterrupted():  # an exception inside would leave the pool's locks held
                    results = pool.map(job.do, tasks)
                yield from zip(tasks, results, strict=True)
            except BaseException:
                job.give_up()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
