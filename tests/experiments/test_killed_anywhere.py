"""Every command that resumes, killed at 40 random moments in all, comes to the same files."""

from __future__ import annotations

import csv
import io
import json
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import TINY, contents, finish, only_folder, start, write_experiment
from tests.experiments.learners import TRAINING
from tests.experiments.test_build_command import BUILD
from tests.experiments.test_study_command import GRID
from tests.experiments.test_train_command import FAST

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

SEED = 20261122
N_KILLED = 10  # of each command
RUN = FAST + "main()\n"
TEXTS = {
    "balance": TINY.replace("generations = 6", "generations = 150"),
    "build": TINY + BUILD.replace("generations = 4", "generations = 200"),
    "study": GRID.replace("generations = 2", "generations = 20"),
    "train": TRAINING.replace("steps = 700", "steps = 3000"),
}
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


@pytest.mark.parametrize("command", TEXTS)
def test_killed_at_random_moments_it_resumes_to_the_same_bytes(
    command: str, tmp_path: Path
) -> None:
    experiment = write_experiment(tmp_path, TEXTS[command])
    arguments = (command, experiment, "--no-plots", "--results")
    began_s = time.perf_counter()
    assert finish(start(RUN, *arguments, tmp_path / "unbroken")).status in {0, 1}
    whole_s = time.perf_counter() - began_s
    unbroken = only_folder(tmp_path / "unbroken")
    chance, n_killed, n_tried = random.Random(f"{SEED}/{command}"), 0, 0
    while n_killed < N_KILLED:
        n_tried += 1
        assert n_tried <= 4 * N_KILLED, "most kills must hit a run in progress"
        results = tmp_path / f"killed_{n_tried}"
        for resume in [()] + [("--resume",)] * chance.randrange(2):  # some are killed again
            moment_s = chance.uniform(0.2, 1.0) * whole_s  # before, nothing is there yet
            process = start(RUN, *arguments, results, *resume)
            time.sleep(moment_s)
            process.kill()
            was_killed = finish(process).status == -signal.SIGKILL
            n_killed += was_killed
            print(f"{command}: {'killed' if was_killed else 'done'} after {moment_s:.3f} s")  # noqa: T201 (a record of the moments)
        resumed = finish(start(RUN, *arguments, results, "--resume"))
        assert resumed.status in {0, 1}, resumed.err
        assert results_of(only_folder(results)) == results_of(unbroken)
        assert [path.name for path in results.iterdir()] == [unbroken.name], "no lock is left"
