"""The worker, with a process that only says what it is told to."""

from __future__ import annotations

import threading
from contextlib import closing
from itertools import count
from multiprocessing import Pipe
from types import SimpleNamespace
from typing import Any

import pytest

from experiments.workbench import worker as worker_module
from experiments.workbench.refused import told_error
from experiments.workbench.session import Cancelled, Job
from experiments.workbench.worker import Bench, Worker
from sim import CardFault, InputError
from sim.play.workers.seam import pickle_job

JOB = Job("suggest", {}, 1)


class ScriptedWorker(Worker):
    """Every process that it starts finds two things of its first job, named by its own number."""

    def __init__(self, *, dies: bool = False) -> None:
        super().__init__(None, 1)
        self.numbers = count(1)
        self.theirs = list[Any]()
        self.dies = dies

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


def test_what_exists_in_this_process_only_is_refused_before_another_is_started() -> None:
    board: Any = lambda: None  # noqa: E731 (no process can import it)
    with pytest.raises(InputError, match="cannot be sent this work"):
        Worker(board, 1)


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


class BrokenBench:
    """Fails at its first job, by a fault of ours."""

    def __init__(self, *_: Any) -> None:
        self.n_jobs = count(1)

    def warm(self) -> None:
        """Nothing to do."""

    def do(self, _: Job) -> None:
        if next(self.n_jobs) == 1:
            raise TypeError("not a number")


def test_a_fault_of_ours_is_told_and_the_process_does_the_next_job(monkeypatch) -> None:
    for place, name in ((worker_module.signal, "signal"), (worker_module.os, "nice")):
        monkeypatch.setattr(place, name, lambda *_: None)
    monkeypatch.setattr(worker_module, "Bench", BrokenBench)
    mine, theirs = Pipe()
    working = threading.Thread(target=worker_module._work, args=(theirs, pickle_job(None), 1))
    working.start()
    for kind in ("failed", "done"):
        mine.send(JOB)
        told, what = mine.recv()
        assert told == kind
        if told == "failed":
            assert isinstance(what, InputError)
            assert "a fault of evenhand, please report it (TypeError: not a number" in str(what)
    mine.close()
    working.join(10)
    assert not working.is_alive()


@pytest.mark.parametrize("error", [KeyError("x"), CardFault("echo", "its turn never ends", 1, 2)])
def test_cards_that_cannot_be_played_at_all_are_an_answer_to_a_job(
    error: Exception, monkeypatch
) -> None:
    def broken(*_: Any) -> None:
        raise error

    monkeypatch.setattr(worker_module, "Exploration", broken)
    Bench(SimpleNamespace(contest=None), 1, print, bool).warm()
    assert ("echo" if isinstance(error, CardFault) else "KeyError: 'x'") in str(told_error(error))
