"""The worker, with processes that send scripted results."""

from __future__ import annotations

import re
import threading
from contextlib import closing
from itertools import count
from multiprocessing import Pipe
from types import SimpleNamespace
from typing import Any

import pytest

from experiments.workbench import worker as worker_module
from experiments.workbench.page_errors import as_input_error
from experiments.workbench.session import Cancelled, Job
from experiments.workbench.worker import JobRunner, Worker
from sim import CardFault, InputError
from sim.play.workers.seam import pickle_job
from tests.messages import check_message
from tests.refusals import refusal_of, refused

JOB = Job("suggest", {}, 1)


class ScriptedWorker(Worker):
    """A worker with processes that send two results to the first job, named by their numbers.

    Attributes:
        numbers: numbers of the processes.
        remote_ends: the processes' ends of the pipes, oldest first.
        dies: whether each process dies before it has done its job.
    """

    def __init__(self, *, dies: bool = False) -> None:
        """Prepare the first process."""
        super().__init__(None)
        self.numbers = count(1)
        self.remote_ends = list[Any]()
        self.dies = dies

    def start(self) -> None:
        """Start a scripted process unless there is one."""
        if self._pipe is not None:
            return
        self._pipe, remote_end = Pipe()
        number = next(self.numbers)
        remote_end.send(("found", f"{number}a"))
        remote_end.send(("found", f"{number}b"))
        if self.dies:
            remote_end.close()
        else:
            remote_end.send(("done", None))
        self.remote_ends.append(remote_end)


def test_results_of_a_dropped_job_do_not_reach_the_next_one() -> None:
    worker = ScriptedWorker()
    with closing(worker.run(JOB)) as results:
        assert next(results) == "1a"
    worker.begin()
    assert [*worker.run(JOB)] == ["2a", "2b"]


def test_an_object_that_cannot_be_sent_is_refused_before_a_process_starts() -> None:
    view: Any = lambda: None  # noqa: E731 (no process can import it)
    with refused():
        Worker(view)


def test_a_process_that_has_ended_its_job_is_kept() -> None:
    worker = ScriptedWorker()
    assert [*worker.run(JOB)] == ["1a", "1b"]
    worker.remote_ends[0].send(("done", None))
    assert [*worker.run(JOB)] == []
    worker.cancel()
    with pytest.raises(Cancelled):
        next(worker.run(JOB))
    assert len(worker.remote_ends) == 1


def test_after_a_process_has_died_another_is_started() -> None:
    worker = ScriptedWorker(dies=True)
    for _ in range(2):
        refusal_of(list, worker.run(JOB))
    assert len(worker.remote_ends) == 2


class BrokenJobRunner:
    """A job runner that raises an unexpected error at its first job."""

    def __init__(self, *_: Any) -> None:
        self.n_jobs = count(1)

    def warm(self) -> None:
        """Do nothing."""

    def run(self, _: Job) -> None:
        """Raise an error at the first call, and do nothing later."""
        if next(self.n_jobs) == 1:
            raise TypeError("not a number")


def test_an_unexpected_error_is_reported_and_the_process_runs_the_next_job(monkeypatch) -> None:
    for place, name in ((worker_module.signal, "signal"), (worker_module.os, "nice")):
        monkeypatch.setattr(place, name, lambda *_: None)
    monkeypatch.setattr(worker_module, "JobRunner", BrokenJobRunner)
    near_end, remote_end = Pipe()
    working = threading.Thread(target=worker_module._work, args=(remote_end, pickle_job(None), 1))
    working.start()
    for expected in ("failed", "done"):
        near_end.send(JOB)
        kind, result = near_end.recv()
        assert kind == expected
        if kind == "failed":
            assert isinstance(result, InputError)
            check_message(re.sub(r"line \d+", "line N", str(result)))
    near_end.close()
    working.join(10)
    assert not working.is_alive()


@pytest.mark.parametrize("error", [KeyError("x"), CardFault("echo", "its turn never ends", 1, 2)])
def test_an_error_while_code_is_compiled_does_not_end_the_process(
    error: Exception, monkeypatch
) -> None:
    def broken(*_: Any) -> None:
        raise error

    monkeypatch.setattr(worker_module, "Exploration", broken)
    JobRunner(SimpleNamespace(contest=None), print, bool).warm()
    reported = as_input_error(error)
    assert (reported is error) is isinstance(error, CardFault)
    assert reported is error or "KeyError: 'x'" in reported.problem
