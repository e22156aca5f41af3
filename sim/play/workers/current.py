"""The current workers of this process, which play games if no number of threads is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sim.arguments import ThreadCount, checked
from sim.play.workers.seam import Threads, Workers, n_cores

_stack: list[Workers] = []
"""Workers of the running `working_with` blocks, from the outermost to the innermost block."""


def current_workers() -> Workers:
    """Return the workers of the innermost `working_with` block; by default one thread per core."""
    return _stack[-1] if _stack else Threads(n_cores())


def n_local_threads() -> int:
    """Return the number of threads with which this process itself works.

    It is the number of the current workers if they are threads, and one per core otherwise.
    """
    workers = current_workers()
    return n_cores() if workers.are_remote else workers.n_workers


@contextmanager
def working_with(workers: Workers) -> Iterator[Workers]:
    """Make `workers` the current workers of all threads while the `with` block runs.

    The workers are closed at the end of the block.
    """
    _stack.append(workers)
    try:
        yield workers
    finally:
        _stack.pop()
        workers.close()


@checked(n_threads=ThreadCount)
def using_threads(n_threads: int) -> AbstractContextManager[Workers]:
    """Return a context in which games are played by a number of threads of this process.

    The number of threads does not change any result.

    Args:
        n_threads: number of threads, from 1 to 1,024.

    Raises:
        InputError: the number is outside its limits.
    """
    return working_with(Threads(n_threads))
