"""Verdicts from forked processes: a case may crash one or hang it, and the next case goes on.

The parent loads and warms up the engine before it forks, and plays nothing afterwards, so a new
worker costs milliseconds.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from tests.fuzz.playing import Verdict, verdict_on
from tests.fuzz.pools import Case

CRASHED, HUNG = "crashed", "hung"


@dataclass
class _Worker:
    """A forked process that is at `case` of its cases and says so through a pipe."""

    cases: list[int]
    pid: int = 0
    pipe: int = -1
    heard: bytes = b""
    since: float = field(default_factory=time.monotonic)

    def fork(self, find: Callable[[int], Case]) -> None:
        """Start a process on the cases that are left."""
        self.pipe, theirs = os.pipe()
        self.heard, self.since = b"", time.monotonic()
        self.pid = os.fork()
        if self.pid:
            os.close(theirs)
            return
        try:
            _work(self.cases, find, theirs)
        except BaseException:  # noqa: BLE001 - told, and the parent counts it
            traceback.print_exc()
            os._exit(1)
        os._exit(0)  # without the parent's exit handlers

    def listen(self) -> list[Verdict]:
        """Verdicts on the first of its cases, as far as they have come."""
        chunk = os.read(self.pipe, 1 << 16)
        if not chunk:
            return self._bury()
        self.since = time.monotonic()
        *lines, self.heard = (self.heard + chunk).split(b"\n")
        return [Verdict(**json.loads(line)) for line in lines]

    def give_up(self) -> list[Verdict]:
        """End the process; its present case has hung."""
        os.kill(self.pid, signal.SIGKILL)
        return self._bury(HUNG)

    def _bury(self, word: str = CRASHED) -> list[Verdict]:
        os.close(self.pipe)
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        by_signal = os.WIFSIGNALED(status)
        how = signal.Signals(os.WTERMSIG(status)).name if by_signal else f"status {status >> 8}"
        return [Verdict(word, how if word == CRASHED else "")] if self.cases else []


def _work(cases: Sequence[int], find: Callable[[int], Case], pipe: int) -> None:
    for index in cases:
        line = json.dumps(asdict(verdict_on(find(index)))).encode() + b"\n"
        while line:
            line = line[os.write(pipe, line) :]


def verdicts(
    cases: Sequence[int], find: Callable[[int], Case], *, n_workers: int = 1, patience_s: float = 20
) -> Iterator[tuple[int, Verdict]]:
    """Every case's verdict, in the order in which they come.

    Args:
        cases: their indices.
        find: makes a case from its index.
        n_workers: processes at a time; verdicts do not depend on it.
        patience_s: a case that takes longer has hung.
    """
    workers = [_Worker(list(cases[k::n_workers])) for k in range(n_workers)]
    workers = [worker for worker in workers if worker.cases]
    while workers:
        for worker in workers:
            if not worker.pid:
                worker.fork(find)
        ready = select.select([worker.pipe for worker in workers], [], [], 0.25)[0]
        for worker in workers:
            came: list[Verdict] = []
            if worker.pipe in ready:
                came = worker.listen()
            elif time.monotonic() - worker.since > patience_s:
                came = worker.give_up()
            for verdict in came:
                yield worker.cases.pop(0), verdict
        for worker in workers:
            if worker.pid and not worker.cases:
                worker.listen()
        workers = [worker for worker in workers if worker.cases]


def verdict_apart(case: Case, patience_s: float) -> Verdict:
    """The verdict on one case, in a process of its own."""
    [(_, verdict)] = verdicts([0], lambda _: case, patience_s=patience_s)
    return verdict
