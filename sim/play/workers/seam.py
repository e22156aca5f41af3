"""The seam between what is to be done and who does it, which is threads where nothing else is said.

A job is done by pieces, by whoever is free. A piece is a pure function of the job and
of the piece: who does it, when, and how often it had to be begun again shows in no result.
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

SHELF_SIZE = 4  # jobs that a worker keeps
RETRIES_MAX = 3  # of a piece whose worker was lost; what kills four of them is in the piece

PieceT = TypeVar("PieceT")
ResultT = TypeVar("ResultT")
PieceT_contra = TypeVar("PieceT_contra", contravariant=True)
ResultT_co = TypeVar("ResultT_co", covariant=True)


class Job(Protocol[PieceT_contra, ResultT_co]):
    """What is done by pieces; for workers elsewhere it is pickled, as pieces and results are."""

    def do(self, piece: PieceT_contra, /) -> ResultT_co:
        """Do a piece; threads may call it side by side."""

    def give_up(self) -> None:
        """Let pieces that threads are at end early; what they return is not used."""


@dataclass
class Effort:
    """What was done elsewhere, for the log.

    Attributes:
        tell: told what a person should know, in a line.
        n_pieces: pieces that were done.
        n_small: batches that were too small to be handed over.
        n_retries: pieces that were begun again because their worker was lost.
        seconds: spent on pieces, by all workers together.
    """

    tell: Callable[[str], None] = lambda _: None
    n_pieces: int = 0
    n_small: int = 0
    n_retries: int = 0
    seconds: float = 0.0

    def retry(self, n_lost: int, why: str) -> None:
        """Tell that a worker was lost at a piece for the `n_lost`-th time, and that another begins.

        Raises:
            InputError: it has happened too often.
        """
        if n_lost > RETRIES_MAX:
            raise InputError(
                f"a piece of the work has lost {n_lost} workers, the last one {why}; the limit is "
                f"{RETRIES_MAX} retries; is there memory enough for so many workers?"
            )
        self.n_retries += 1
        self.tell(f"a worker was lost ({why}); its piece is done again, retry {n_lost}")

    def keep_here(self, seconds: float) -> None:
        """Tell, once, of a batch that would gain nothing elsewhere."""
        if self.n_small == 0:
            self.tell(
                f"a batch of some {seconds:.1g} s of work is too small to gain from workers; "
                "such batches are played by threads"
            )
        self.n_small += 1

    @property
    def words(self) -> str:
        """All of it in a line."""
        return (
            f"{self.n_pieces:,} pieces, {self.n_retries} retries, {self.seconds:.1f} s of work; "
            f"{self.n_small:,} batches too small"
        )


@dataclass(frozen=True)
class Parcel:
    """A job as it travels.

    Attributes:
        content: its bytes (`pickled`).
    """

    content: bytes

    @cached_property
    def digest(self) -> str:
        """What tells it from other jobs."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass
class Workers(ABC):
    """Whoever does pieces of jobs.

    Attributes:
        n_workers: how many pieces are done at once.
        least_s: work on one core below which a piece is not worth handing over.
        effort: what they did.
        are_elsewhere: whether they share no memory, and no interpreter, with this process.
    """

    n_workers: int
    least_s: float = 0.0
    effort: Effort = field(default_factory=Effort, compare=False)
    are_elsewhere: ClassVar[bool] = False

    @abstractmethod
    def map(
        self, job: Job[PieceT, ResultT], pieces: Sequence[PieceT]
    ) -> Iterator[tuple[PieceT, ResultT]]:
        """Do pieces of a job; tells each with what it came to, in any order.

        Raises:
            InputError: the job cannot travel, or a piece loses its workers again and again.
        """

    def close(self) -> None:  # noqa: B027 (of threads nobody is left)
        """Leave nobody behind."""


class _Pickler(pickle.Pickler):
    """Refuses what is defined where workers cannot import it: in a notebook or a script."""

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, FunctionType | type) and thing.__module__ == "__main__":
            raise pickle.PicklingError(f"{thing.__qualname__!r} is defined in this process only")
        return NotImplemented


def pickled(job: object) -> bytes:
    """A job as bytes, by content.

    Raises:
        InputError: some part of it exists in this process only.
    """
    content = io.BytesIO()
    try:
        _Pickler(content, protocol=5).dump(job)
    except InputError:
        raise
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"workers elsewhere cannot be sent this work: {error}; declare it in an installed "
            "package (docs/plugins.md), or use --workers threads"
        ) from error
    return content.getvalue()


@dataclass
class Shelf:
    """The last few jobs that a worker was sent, ready to be done."""

    _jobs: dict[str, Job[Any, Any]] = field(default_factory=dict)

    def __contains__(self, digest: str) -> bool:
        return digest in self._jobs

    def do(self, digest: str, content: bytes | memoryview | None, piece: Any) -> Any:
        """Do a piece of the job with this digest, which `content` brings if it is not here."""
        if digest not in self._jobs:
            while len(self._jobs) >= SHELF_SIZE:
                del self._jobs[next(iter(self._jobs))]
            self._jobs[digest] = pickle.loads(content or b"")  # noqa: S301 (from our own process)
        return self._jobs[digest].do(piece)


# --- threads ---


def n_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads(Workers):
    """So many threads of this process, started for each job."""

    def map(
        self, job: Job[PieceT, ResultT], pieces: Sequence[PieceT]
    ) -> Iterator[tuple[PieceT, ResultT]]:
        """Do pieces; they come in their order."""
        is_main = threading.current_thread() is threading.main_thread()
        if not pieces or (not is_main and self.n_workers == 1):
            yield from ((piece, job.do(piece)) for piece in pieces)
            return
        # The main thread only waits: while it is in compiled code it hears no Ctrl-C.
        with ThreadPoolExecutor(min(self.n_workers, len(pieces))) as pool:
            try:
                with uninterrupted():  # the pool's own locks do not outlive an exception
                    done = pool.map(job.do, pieces)
                yield from zip(pieces, done, strict=True)
            except BaseException:
                job.give_up()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
