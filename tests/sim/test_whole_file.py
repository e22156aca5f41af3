"""Files that people write are read whole, or refused in one line with the reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sim.files import whole_file
from sim.files.whole_file import read_bytes, read_text
from tests.refusals import refusal_of


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "a.toml", tmp_path, tmp_path / "a\0b"):
        assert refusal_of(read_bytes, path).place == str(path)


@pytest.mark.parametrize("text", ["x = 1\r\n", "\ufeffx = 1\r\n"])
def test_text_keeps_its_line_ends_and_not_its_byte_order_mark(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text, encoding="utf-8", newline="")
    assert read_text(tmp_path / "a.toml") == "x = 1\r\n"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_text_that_is_not_utf_8_is_named_with_its_line(mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(mark + b"a = 1\nb = 2\nc = '\xe9'\n")
    assert refusal_of(read_text, path).place == f"{path}: line 3"


def test_a_file_is_read_up_to_the_limit_and_refused_beyond(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_file, "FILE_MIB_MAX", 1)
    path = tmp_path / "long.csv"
    path.write_bytes(b"x" * 2**20)
    assert len(read_bytes(path)) == 2**20
    path.write_bytes(b"x" * (2**20 + 1))
    error = refusal_of(read_bytes, path)
    assert (error.place, error.limit) == (str(path), 2**20)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device that never ends")
def test_a_device_that_never_ends_is_refused() -> None:
    assert refusal_of(read_text, Path("/dev/zero")).place == "/dev/zero"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no path")
def test_a_pipe_is_read_too() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"name,attack\n")
    os.close(writer)
    assert read_text(Path(f"/dev/fd/{reader}")) == "name,attack\n"
    os.close(reader)
