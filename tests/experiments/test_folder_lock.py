"""Lock of a run folder: one writing process at a time, and no effect of dead ones."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from subprocess import Popen

import pytest

from experiments.runs.folder_lock import FolderLock
from sim.errors import InputError
from tests.command_line import (
    command,
    contents,
    done,
    finish,
    only_folder,
    refusal,
    start,
    write_experiment,
)

HOLD = """
import sys, time
from pathlib import Path
from experiments.runs.folder_lock import FolderLock
with FolderLock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""
TAKE_TURNS = """
import sys
from pathlib import Path
from experiments.runs.folder_lock import FolderLock
from sim.errors import InputError
folder, n_held = Path(sys.argv[1]), 0
for _ in range(2000):
    try:
        lock = FolderLock(folder)
    except InputError:
        continue
    (folder / "inside").open("x").close()
    (folder / "inside").unlink()
    lock.release()
    n_held += 1
print(n_held)
"""


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Popen[str]]:
    """A process that has the lock of `tmp_path / "run"`."""
    process = start(HOLD, tmp_path / "run")
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    finish(process)


def test_a_second_process_is_refused_and_the_owner_named(tmp_path: Path, owner: Popen[str]) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "run")
    for name in ("run", "link"):
        with pytest.raises(InputError) as caught:
            FolderLock(tmp_path / name)
        assert caught.value.place == str(tmp_path / name)
        assert caught.value.value == str(owner.pid)
        assert caught.value.remedy
    with FolderLock(tmp_path / "other"):
        pass


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path: Path, owner: Popen[str]) -> None:
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    left = tmp_path / ".run.lock"
    assert left.read_text(encoding="ascii") == f"{owner.pid}\n"
    with FolderLock(tmp_path / "run"):
        assert left.read_text(encoding="ascii") == f"{os.getpid()}\n"
    assert list(tmp_path.iterdir()) == []


def fail_inside(folder: Path) -> None:
    with FolderLock(folder):
        with pytest.raises(InputError) as caught:
            FolderLock(folder)
        assert caught.value.value == str(os.getpid())
        raise RuntimeError


def test_it_is_free_again_after_a_failure_and_within_one_process(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(RuntimeError):
            fail_inside(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_of_processes_that_take_turns_never_two_are_inside(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    for outcome in map(finish, [start(TAKE_TURNS, tmp_path / "run") for _ in range(3)]):
        assert int(done(outcome).out) > 0
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize(
    "arguments",
    [("balance",), ("balance", "--resume"), ("report",), ("build", "--attack")],
    ids=" ".join,
)
def test_no_command_writes_into_a_folder_that_another_writes(
    arguments: tuple[str, ...], tiny: Path, tmp_path: Path
) -> None:
    results = copytree(tiny.parent, tmp_path / "results")
    folder = results / tiny.name
    before = contents(results)
    plots = () if arguments == ("report",) else ("--no-plots",)
    of = folder if arguments[0] in {"report", "build"} else write_experiment(tmp_path)
    with FolderLock(folder):
        message = refusal(command(*arguments, of, "--results", results, *plots))
    assert f"{folder}: process {os.getpid()} " in message
    assert contents(results) == before
    assert only_folder(results) == folder


LEAVE = """
import os, sys
from pathlib import Path
from experiments.runs.folder_lock import FolderLock
from sim.files import atomic_file
folder = Path(sys.argv[1])
lock = FolderLock(folder)
(folder / "inner").mkdir(parents=True)
atomic_file.Path.replace = lambda *_: os.kill(os.getpid(), 9)
atomic_file.write_atomically(folder / "inner" / "front.csv", "half")
"""


def test_temporary_files_of_a_killed_owner_are_deleted_with_the_lock(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    outcome = finish(start(LEAVE, folder))
    assert outcome.status == -signal.SIGKILL, outcome.err
    (left,) = folder.rglob(".*.tmp")
    beside = tmp_path / f".other.csv.{'0' * 16}.tmp"  # perhaps of a live process
    beside.touch()
    kept = folder / ".hidden.tmp"  # of somebody else
    kept.touch()
    FolderLock(folder).release()
    assert not left.exists()
    assert beside.exists()
    assert kept.exists()


def test_a_file_that_the_owner_is_writing_is_not_swept(owner: Popen[str], tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    writing = tmp_path / "run" / f".front.csv.{'0' * 16}.tmp"
    writing.touch()
    with pytest.raises(InputError):
        FolderLock(tmp_path / "run")
    assert writing.exists()
