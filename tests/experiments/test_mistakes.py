"""Plausible mistakes of a newcomer: each is refused in one line that names the fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import refusal
from tests.mistakes import MISTAKES, Mistake, write_sample_game


@pytest.fixture(scope="module")
def sample_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with the files of the sample game."""
    return write_sample_game(tmp_path_factory.mktemp("sample"))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.arguments)
def test_a_mistake_is_refused_by_name(
    mistake: Mistake, sample_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    message = refusal(mistake.make(sample_game, tmp_path)).lower()
    assert [name for name in mistake.names if name.lower() not in message] == []
