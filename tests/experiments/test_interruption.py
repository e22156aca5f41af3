"""Interrupted runs continue to the result of a run that was never stopped."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pytest

from experiments.runs.run_folder import CHECKPOINT
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


class Unbroken(NamedTuple):
    """A run that was never stopped.

    Attributes:
        experiment: file of the experiment.
        folder: its run folder.
        n_renames: number of files that appeared in it.
    """

    experiment: Path
    folder: Path
    n_renames: int


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Unbroken:
    place = tmp_path_factory.mktemp("short")
    experiment = write_experiment(place)
    rename = Path.replace
    with mock.patch.object(Path, "replace", autospec=True, side_effect=rename) as replace:
        folder = balance(experiment, place / "unbroken")
    return Unbroken(experiment, folder, replace.call_count)


def assert_whole(left: Path, unbroken: Path) -> None:
    """Check that every file has its final content, except one hidden temporary file."""
    hidden = [path.name for path in left.iterdir() if path.name.startswith(".")]
    assert len(hidden) <= 1, hidden
    assert all(re.fullmatch(r"\..+\.[0-9a-f]{16}\.tmp", name) for name in hidden), hidden
    files = timeless(left)
    if files.pop(CHECKPOINT, None):
        with np.load(left / CHECKPOINT) as arrays:
            assert len([arrays[name] for name in arrays.files]) > 8
    assert files.items() <= timeless(unbroken).items()


def resume(experiment: Path, results: Path) -> Any:
    """Continue a stopped run, and return its files without their times."""
    done(command("balance", experiment, "--results", results, "--no-plots", "--resume"))
    return timeless(only_folder(results))


@pytest.mark.parametrize(("per_mille", "way"), [(100, "before"), (450, "halfway"), (850, "after")])
def test_killed_while_a_file_is_put_in_place_it_resumes_to_the_same_result(
    per_mille: int, way: str, unbroken: Unbroken, tmp_path: Path
) -> None:
    killed_at_a_file(unbroken, tmp_path, 1 + per_mille * unbroken.n_renames // 1000, way)


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
    """Kill a run at its `moment`-th file, check the files that exist, and resume it."""
    arguments = ("balance", unbroken.experiment, "--results", place / "r", "--no-plots")
    kill_at_a_rename(moment, way, *arguments)
    folder = only_folder(place / "r")
    assert folder.name == unbroken.folder.name
    assert len(list((place / "r").rglob(".*.tmp"))) == (0 if way == "after" else 1)
    assert_whole(folder, unbroken.folder)
    assert resume(unbroken.experiment, place / "r") == timeless(unbroken.folder)
    assert list((place / "r").rglob(".*.tmp")) == []


def test_a_finished_run_stays_and_a_leftover_temporary_file_is_swept(
    unbroken: Unbroken, tmp_path: Path
) -> None:
    leftover = balance(unbroken.experiment, tmp_path / "r") / f".summary.json.{'0' * 16}.tmp"
    leftover.write_text('{"half":', encoding="utf-8")
    assert resume(unbroken.experiment, tmp_path / "r") == timeless(unbroken.folder)
    assert not leftover.exists()


def test_resume_of_nothing_begins(unbroken: Unbroken, tmp_path: Path) -> None:
    assert resume(unbroken.experiment, tmp_path / "r") == timeless(unbroken.folder)


def test_resume_plays_no_generation_again(unbroken: Unbroken, tmp_path: Path) -> None:
    arguments = ("balance", unbroken.experiment, "--results", tmp_path / "r", "--no-plots")
    with stopped_after(4) as reached:
        assert command(*arguments).status == 130
        assert resume(unbroken.experiment, tmp_path / "r") == timeless(unbroken.folder)
    assert reached == [0, 1, 2, 3, 4, 5, 6]


def test_ctrl_c_says_how_to_go_on_and_leaves_a_run_that_resumes(tmp_path: Path) -> None:
    long = TINY.replace("generations = 6", "generations = 60")
    experiment = write_experiment(tmp_path, long)
    results = tmp_path / "results"
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
    left = only_folder(results)
    whole = balance(experiment, tmp_path / "unbroken")
    assert_whole(left, whole)
    assert CHECKPOINT in contents(left)
    assert not [name for name in contents(left) if name.startswith((".", "summary"))]
    assert resume(experiment, results) == timeless(whole)
