"""A file is written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from sim import write_atomically
from tests.refusals import refusal_of

POSIX = pytest.mark.skipif(os.name != "posix", reason="links and permissions are those of POSIX")


def test_text_and_bytes_arrive_unchanged(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a", "x\r\n\u00e9")
    write_atomically(tmp_path / "b", b"\x00\xff")
    assert (tmp_path / "a").read_bytes() == b"x\r\n\xc3\xa9"
    assert (tmp_path / "b").read_bytes() == b"\x00\xff"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_text("old", encoding="utf-8")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(failing, fail)
    assert refusal_of(write_atomically, path, "new").place == str(path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "a", "new")
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch()
    path.chmod(0o640)
    write_atomically(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@POSIX
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("place", ["no/a", ".", "circle"])
@POSIX
def test_a_path_that_cannot_be_written_is_named(place: str, tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    path = tmp_path / place
    assert refusal_of(write_atomically, path, "x").place == str(path)
    assert [path.name for path in tmp_path.iterdir()] == ["circle"]


def test_only_old_temporary_files_are_deleted(tmp_path: Path) -> None:
    names = [f".{name}.{'a' * 16}.tmp" for name in ("old", "new")]
    for name in (*names, ".old.tmp", f"old.{'a' * 16}.tmp"):
        (tmp_path / name).touch()
    os.utime(tmp_path / names[0], (0, 0))
    write_atomically(tmp_path / "other", "x")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {names[1], ".old.tmp", f"old.{'a' * 16}.tmp", "other"}
