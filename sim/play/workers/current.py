"""Whoever plays where nobody is told who: the workers that this process has at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim.play.workers.seam import Threads, Workers, n_cores

_at_hand: list[Workers] = []


def current_workers() -> Workers:
    """Those of the innermost `working_with`; without, a thread for each core."""
    return _at_hand[-1] if _at_hand else Threads(n_cores())


@contextmanager
def working_with(workers: Workers) -> Iterator[Workers]:
    """Have workers at hand in all threads of this process, then leave none behind."""
    _at_hand.append(workers)
    try:
        yield workers
    finally:
        _at_hand.pop()
        workers.close()
