"""Verdicts from forked processes: a case may crash or hang one, and the next case goes on.

The parent loads and warms up the engine before it forks, and plays nothing afterwards, so a new
worker costs milliseconds.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from tests.fuzz.playing import Verdict, verdict_on
from tests.fuzz.pools import Case

CRASHED = "crashed"
HUNG = "hung"
_FORKS = get_context("fork")


class _Worker:
    """A forked process that works on the first of its cases, and sends its verdicts one by one."""

    def __init__(self, cases: list[int], find: Callable[[int], Case]) -> None:
        self.cases = cases
        self._find = find
        self.fork()

    def fork(self) -> None:
        """Start a process on the cases that are left."""
        self.pipe, child_pipe = _FORKS.Pipe(duplex=False)
        arguments = self.cases, self._find, child_pipe
        self._process = _FORKS.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        child_pipe.close()
        self._since = time.monotonic()

    def verdict(self, patience_s: float) -> Verdict | None:
        """Return the verdict on the first of its cases, or `None` if there is none yet."""
        if self.pipe.poll():
            self._since = time.monotonic()
            with suppress(EOFError):
                return self.pipe.recv()
            self._process.join()
            status = self._process.exitcode
            how = signal.Signals(-status).name if status < 0 else f"status {status}"
            return Verdict(CRASHED, how)
        if time.monotonic() - self._since > patience_s:
            self._process.kill()
            return Verdict(HUNG)
        return None


def _work(cases: Sequence[int], find: Callable[[int], Case], pipe: Connection) -> None:
    for index in cases:
        pipe.send(verdict_on(find(index)))


def verdicts(
    cases: Sequence[int], find: Callable[[int], Case], *, n_workers: int = 1, patience_s: float = 20
) -> Iterator[tuple[int, Verdict]]:
    """Yield the index and verdict of every case, in the order in which they arrive.

    Args:
        cases: indices of the cases.
        find: makes a case from its index.
        n_workers: number of parallel processes; verdicts do not depend on it.
        patience_s: seconds after which a case counts as hung.
    """
    workers = [_Worker(list(cases[k::n_workers]), find) for k in range(min(n_workers, len(cases)))]
    while workers:
        wait([worker.pipe for worker in workers], timeout=0.25)
        for worker in workers:
            verdict = worker.verdict(patience_s)
            if verdict is not None:
                yield worker.cases.pop(0), verdict
                if verdict.word in (CRASHED, HUNG):
                    worker.fork()
        workers = [worker for worker in workers if worker.cases]


def verdict_apart(case: Case, patience_s: float) -> Verdict:
    """Return the verdict on one case, in a process of its own."""
    [(_, verdict)] = verdicts([0], lambda _: case, patience_s=patience_s)
    return verdict
