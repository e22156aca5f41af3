"""Training several networks at once, each on a thread of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Event
from typing import TypeVar

Result = TypeVar("Result")

# Between its calls of torch and the engine, a training needs the interpreter for some ten
# microseconds at a time. Waiting for it as long as Python usually lets one wait (5 ms) costs two
# trainings on two cores a tenth of their speed.
_PATIENCE_S = 5e-5


def do_side_by_side(
    jobs: Sequence[Callable[[], Result | None]], threads: int, stop: Event
) -> list[Result]:
    """Do all jobs, `threads` at once; when one fails or Ctrl-C comes, let the others save.

    Args:
        jobs: what to do; each looks at `stop` now and then, and returns `None` if stopped.
        threads: how many at once.
        stop: set when they shall end early.

    Returns:
        Their results, in the order of the jobs.
    """
    import torch  # noqa: PLC0415 (slow to load)

    # Torch asks OpenMP, which keeps the number of threads for each thread apart.
    pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
    with _impatient_threads(), pool:
        futures: list[Future[Result | None]] = [pool.submit(job) for job in jobs]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            stop.set()
            for future in futures:
                future.cancel()
            raise
    return [done for future in futures if (done := future.result()) is not None]


@contextmanager
def _impatient_threads() -> Iterator[None]:
    """Let threads take turns at the interpreter more often while the block runs."""
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(_PATIENCE_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual_s)
