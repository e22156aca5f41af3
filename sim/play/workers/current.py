"""The current workers of this process, which play games if no number of threads is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim.play.workers.seam import Threads, Workers, n_cores

_stack: list[Workers] = []
"""Workers of the running `working_with` blocks, from the outermost to the innermost block."""


def current_workers() -> Workers:
    """Return the workers of the innermost `working_with` block; by default one thread per core."""
    return _stack[-1] if _stack else Threads(n_cores())


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
