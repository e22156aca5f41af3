"""Every command that resumes, killed at 40 random moments in all, comes to the same files."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from experiments.runs.ledger import LEDGER
from tests.command_line import (
    TINY,
    Outcome,
    contents,
    finish,
    only_folder,
    start,
    write_experiment,
)
from tests.experiments.learners import TRAINING
from tests.experiments.test_build_command import BUILD
from tests.experiments.test_interruption import RUN
from tests.experiments.test_study_command import GRID
from tests.experiments.test_train_command import FAST

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc"),
]

SEED = 20261122
N_KILLED = 10  # of each command
TEXTS = {
    "balance": TINY.replace("generations = 6", "generations = 60"),
    "build": TINY + BUILD.replace("generations = 4", "generations = 60"),
    "study": GRID.replace("generations = 2", "generations = 10"),
    "train": TRAINING,
}
TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
TIMES = {"seconds", "cpu_seconds"}


def results_of(folder: Path) -> dict[str, Any]:
    """The files of a run byte for byte, less its log and how long it took."""
    return {
        name: _without_times(name, content)
        for name, content in contents(folder).items()
        if name != "log.txt" and not name.endswith(".tmp")
    }


def _without_times(name: str, content: bytes | None) -> Any:
    if content is not None and name == "summary.json":
        return _timeless(json.loads(content))
    if content is not None and name.endswith("_curve.csv"):
        rows = csv.DictReader(io.StringIO(content.decode()))
        return [{key: row[key] for key in row if key not in TIMES} for row in rows]
    return content


def _timeless(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _timeless(value) for key, value in data.items() if key not in TIMES}
    return [_timeless(item) for item in data] if isinstance(data, list) else data


def cpu_s(process: Popen[str]) -> float:
    """Processor time of a process; moments told by the clock would hang on what else runs."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def run_unbroken(command: str, place: Path) -> tuple[Path, float, float]:
    """A run that is never stopped; its folder, and when it appeared and the run ended, in CPU s."""
    process, opened_s, ended_s = begin(command, place), math.inf, 0.0
    while process.poll() is None:
        with suppress(OSError, IndexError):
            ended_s = cpu_s(process)
            if opened_s > ended_s and any((place / "results").iterdir()):
                opened_s = ended_s
        time.sleep(0.002)
    check(finish(process))
    return only_folder(place / "results"), opened_s, ended_s


def check(outcome: Outcome) -> None:
    """It is done, certified or not."""
    assert outcome.status in {0, 1}, outcome.err
    assert "Traceback" not in outcome.err, outcome.err


def begin(command: str, place: Path, *options: str) -> Popen[str]:
    place.mkdir(exist_ok=True)
    experiment = write_experiment(place, TEXTS[command])
    program = FAST + "main()\n" if command == "train" else RUN
    return start(
        program, command, experiment, "--results", place / "results", "--no-plots", *options
    )


def is_killed_at(moment_s: float, process: Popen[str]) -> bool:
    """Kill a process when it has used so much processor time; whether it still ran."""
    while process.poll() is None and cpu_s(process) < moment_s:
        time.sleep(0.002)
    process.kill()
    return finish(process).status == -signal.SIGKILL


@pytest.mark.parametrize("command", TEXTS)
def test_killed_at_random_moments_it_resumes_to_the_same_bytes(
    command: str, tmp_path: Path
) -> None:
    check(finish(begin(command, tmp_path / "first")))  # may compile, which takes time too
    unbroken, opened_s, ended_s = run_unbroken(command, tmp_path / "unbroken")
    chance, n_killed, n_tried = random.Random(f"{SEED}/{command}"), 0, 0
    while n_killed < N_KILLED:
        n_tried += 1
        assert n_tried <= 3 * N_KILLED, "most kills must hit a run in progress"
        place = tmp_path / str(n_tried)
        for options in [()] + [("--resume",)] * chance.randrange(2):  # some are killed twice
            moment_s = chance.uniform(0.9 * opened_s, ended_s)
            was_killed = is_killed_at(moment_s, begin(command, place, *options))
            n_killed += was_killed
            print(command, *options, "killed" if was_killed else "done", f"at {moment_s:.2f} s")  # noqa: T201 (a record)
        check(finish(begin(command, place, "--resume")))
        assert results_of(only_folder(place / "results")) == results_of(unbroken)
        left = {path.name for path in (place / "results").iterdir()}
        assert left == {unbroken.name} | ({LEDGER} if command == "balance" else set())
