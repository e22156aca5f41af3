"""Folders made for files are removed if the files are not written."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.files.made_folder import made_folder
from tests.refusals import refusal_of


def test_a_block_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(OSError, match="full"), made_folder(tmp_path / "a" / "b" / "c"):
        raise OSError(28, "full")
    assert list(tmp_path.rglob("*")) == [tmp_path / "a"]


def test_a_folder_with_other_files_stays(tmp_path: Path) -> None:
    def fail() -> None:
        with made_folder(tmp_path / "b" / "c", ["run.json"]):
            (tmp_path / "b" / "kept").touch()
            (tmp_path / "b" / "c" / "run.json").touch()
            raise OSError(28, "full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert list(tmp_path.rglob("*")) == [tmp_path / "b", tmp_path / "b" / "kept"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    def make() -> None:
        with made_folder(tmp_path / "file" / "x"):
            pass

    assert refusal_of(make).place == str(tmp_path / "file" / "x")
