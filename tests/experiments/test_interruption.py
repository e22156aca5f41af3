"""A run may be stopped at any moment, and continues to the result of one that never was."""

from __future__ import annotations

import csv
import json
import random
import re
import signal
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.runs.run_folder import CHECKPOINT
from sim.cards.pool import load_pool
from tests.command_line import (
    TINY,
    balance,
    command,
    contents,
    done,
    finish,
    only_folder,
    start,
    timeless,
    write_experiment,
)
from tests.experiments.stopping import RUN, kill_at_a_rename, stopped_after

pytestmark = pytest.mark.thorough

LONG = TINY.replace("generations = 6", "generations = 60")


@dataclass(frozen=True)
class Unbroken:
    """A run that was never stopped.

    Attributes:
        experiment: its file.
        folder: its run folder.
        n_renames: files that appeared in it, in turn.
    """

    experiment: Path
    folder: Path
    n_renames: int


def run_unbroken(place: Path, text: str) -> Unbroken:
    """Run `balance`, counting the files that it puts in place."""
    experiment, rename, n_renames = write_experiment(place, text), Path.replace, 0

    def replace(self: Path, target: Path) -> Path:
        nonlocal n_renames
        n_renames += 1
        return rename(self, target)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "replace", replace)
        folder = balance(experiment, place / "unbroken")
    return Unbroken(experiment, folder, n_renames)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Unbroken:
    return run_unbroken(tmp_path_factory.mktemp("short"), TINY)


def assert_whole(folder: Path) -> None:
    """Every file is whole; at most one hidden file is left of the one that was being written."""
    import pandas as pd

    hidden = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    assert len(hidden) <= 1, hidden
    assert all(re.fullmatch(r"\..+\.[0-9a-f]{16}\.tmp", name) for name in hidden), hidden
    for path in folder.iterdir():
        if path.suffix == ".json":
            assert json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".csv":
            rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
            assert len({len(row) for row in rows}) == 1, path
        elif path.suffix == ".toml":
            assert tomllib.loads(path.read_text(encoding="utf-8"))
            assert load_pool(path.name, near=folder).cards
        elif path.suffix == ".npz":
            with np.load(path) as arrays:
                assert len([arrays[name] for name in arrays.files]) > 8
        elif path.suffix == ".parquet":
            assert len(pd.read_parquet(path))
        elif path.suffix == ".txt":
            assert path.read_text(encoding="utf-8").endswith("\n")
        else:
            assert path.name in hidden, f"a file that no run leaves: {path.name}"


def resume(experiment: Path, results: Path) -> Any:
    """Continue a stopped run; returns what it comes to."""
    done(command("balance", experiment, "--results", results, "--no-plots", "--resume"))
    folder = only_folder(results)
    assert_whole(folder)
    return timeless(folder)


def moments(n: int) -> Iterator[tuple[int, str]]:
    """`n` seeded moments: per mille of a run's files, spread over it, and where in the write."""
    chance = random.Random(20261120)
    for k in range(n):
        yield (1000 * k + chance.randrange(1000)) // n, ("before", "halfway", "after")[k % 3]


@pytest.mark.parametrize(("share", "way"), list(moments(3)))
def test_killed_while_a_file_is_put_in_place_it_resumes_to_the_same_result(
    share: int, way: str, unbroken: Unbroken, tmp_path: Path
) -> None:
    killed_at_a_file(unbroken, tmp_path, 1 + share * unbroken.n_renames // 1000, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["before", "halfway", "after"])
def test_killed_at_any_file_it_resumes_to_the_same_result(
    way: str, unbroken: Unbroken, tmp_path: Path
) -> None:
    for moment in range(1, unbroken.n_renames + 1):
        place = tmp_path / str(moment)
        place.mkdir()
        killed_at_a_file(unbroken, place, moment, way)


def killed_at_a_file(unbroken: Unbroken, place: Path, moment: int, way: str) -> None:
    """Kill a run at its `moment`-th file, look at what it left, and resume it."""
    arguments = ("balance", unbroken.experiment, "--results", place / "r", "--no-plots")
    kill_at_a_rename(moment, way, *arguments)
    folder = only_folder(place / "r")
    assert folder.name == unbroken.folder.name
    left = list((place / "r").rglob(".*.tmp"))  # in the folder, or of the ledger beside it
    assert len(left) == (0 if way == "after" else 1)
    assert_whole(folder)
    assert resume(unbroken.experiment, place / "r") == timeless(unbroken.folder)


def test_a_finished_run_and_a_leftover_temporary_file_are_left_as_they_are(
    unbroken: Unbroken, tmp_path: Path
) -> None:
    leftover = balance(unbroken.experiment, tmp_path / "r") / f".summary.json.{'0' * 16}.tmp"
    leftover.write_text('{"half":', encoding="utf-8")
    assert resume(unbroken.experiment, tmp_path / "r") == timeless(unbroken.folder)
    assert leftover.read_text(encoding="utf-8") == '{"half":'


def test_resume_of_nothing_begins(unbroken: Unbroken, tmp_path: Path) -> None:
    assert resume(unbroken.experiment, tmp_path / "r") == timeless(unbroken.folder)


def test_resume_plays_no_generation_again(unbroken: Unbroken, tmp_path: Path) -> None:
    arguments = ("balance", unbroken.experiment, "--results", tmp_path / "r", "--no-plots")
    with stopped_after(4) as reached:
        assert command(*arguments).status == 130
        assert resume(unbroken.experiment, tmp_path / "r") == timeless(unbroken.folder)
    assert reached == [0, 1, 2, 3, 4, 5, 6]


def test_ctrl_c_says_how_to_go_on_and_leaves_a_run_that_resumes(tmp_path: Path) -> None:
    experiment, results = write_experiment(tmp_path, LONG), tmp_path / "results"
    process = start(RUN, "balance", experiment, "--results", results, "--no-plots", "--json")
    while not list(results.glob(f"*/{CHECKPOINT}")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    outcome = finish(process)
    assert outcome.status == 130, outcome.err
    assert outcome.out == ""
    assert outcome.err.startswith("evenhand: interrupted; ")
    assert "--resume" in outcome.err
    assert outcome.err.count("\n") == 1
    folder = only_folder(results)
    assert_whole(folder)
    assert not [name for name in contents(folder) if name.startswith(".")]
    assert (folder / CHECKPOINT).exists()
    assert not (folder / "summary.json").exists()
    assert resume(experiment, results) == timeless(balance(experiment, tmp_path / "unbroken"))
