"""The worker, with a process that only says what it is told to."""

from __future__ import annotations

from contextlib import closing
from itertools import count
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from experiments.workbench.jobs import Cancelled, Job
from experiments.workbench.worker import Source, Worker

JOB = Job("suggest", {}, 1)


class ScriptedWorker(Worker):
    """Every process that it starts finds two things of its first job, named by its own number."""

    def __init__(self, *, dies: bool = False) -> None:
        super().__init__(Source("nothing", Path(), 1, "", 1))
        self.numbers, self.theirs, self.dies = count(1), list[Any](), dies

    def start(self) -> None:
        if self._pipe is not None:
            return
        self._pipe, theirs = Pipe()
        number = next(self.numbers)
        theirs.send(("found", f"{number}a"))
        theirs.send(("found", f"{number}b"))
        if self.dies:
            theirs.close()
        else:
            theirs.send(("done", None))
        self.theirs.append(theirs)


def test_what_a_job_that_was_dropped_still_finds_is_not_taken_for_the_next_ones() -> None:
    worker = ScriptedWorker()
    with closing(worker.run(JOB)) as found:
        assert next(found) == "1a"
    worker.begin()
    assert [*worker.run(JOB)] == ["2a", "2b"]


def test_a_process_that_was_heard_out_is_kept() -> None:
    worker = ScriptedWorker()
    assert [*worker.run(JOB)] == ["1a", "1b"]
    worker.theirs[0].send(("done", None))
    assert [*worker.run(JOB)] == []
    worker.cancel()
    with pytest.raises(Cancelled):
        next(worker.run(JOB))
    assert len(worker.theirs) == 1


def test_after_a_process_has_died_another_is_started() -> None:
    worker = ScriptedWorker(dies=True)
    for _ in range(2):
        with pytest.raises(ValueError, match="has died; ask again"):
            [*worker.run(JOB)]
    assert len(worker.theirs) == 2
