"""Full disks and limits on file sizes: one error line, and no incomplete files."""

from __future__ import annotations

import errno
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.command_line import (
    ROOT,
    command,
    contents,
    done,
    finish,
    refusal,
    start,
    unchanged,
    write_experiment,
)

WITH_NO_ROOM = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from experiments.cli import main
main()
"""


@contextmanager
def full(monkeypatch: pytest.MonkeyPatch, n_files: int = 0) -> Iterator[None]:
    """Simulate a disk with space for some number of files."""
    left = [n_files]
    fsync = os.fsync

    def write(descriptor: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", write)
        yield


COMMANDS = ("matchups", "power", "balance", "metagame", "outliers", "study", "workbench")


@pytest.mark.parametrize("n_files", [0, 1])
@pytest.mark.parametrize("name", COMMANDS)
def test_no_run_folder_is_left(
    name: str, n_files: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_experiment(tmp_path)
    with full(monkeypatch, n_files):
        message = refusal(command(name, path, "--results", tmp_path / "a" / "r"))
    assert os.strerror(errno.ENOSPC) in message
    assert not (tmp_path / "a").exists()


def test_the_run_that_was_there_before_keeps_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("matchups", write_experiment(tmp_path), "--no-plots", "--results", tmp_path / "r")
    done(command(*arguments))
    with unchanged(contents, tmp_path / "r"), full(monkeypatch):
        refusal(command(*arguments))


@pytest.mark.parametrize("n_files", [0, 3, 6])
def test_init_leaves_all_or_nothing(
    n_files: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").touch()
    for folder in (tmp_path / "new" / "game", tmp_path / "there"):
        with unchanged(contents, tmp_path), full(monkeypatch, n_files):
            assert os.strerror(errno.ENOSPC) in refusal(command("init", folder))


def test_play_leaves_no_folder_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_experiment(tmp_path)
    with unchanged(contents, tmp_path), full(monkeypatch):
        refusal(command("play", path, "--results", tmp_path / "r"))


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is one of POSIX")
def test_the_system_itself_refuses(tmp_path: Path) -> None:
    assert resource.RLIMIT_FSIZE >= 0
    for arguments in (
        ("init", tmp_path / "new"),
        ("matchups", write_experiment(tmp_path), "--results", tmp_path / "r"),
    ):
        with unchanged(contents, tmp_path):
            outcome = finish(start(WITH_NO_ROOM, "200", *arguments))
            assert os.strerror(errno.EFBIG) in refusal(outcome)
    assert ROOT.is_dir()
