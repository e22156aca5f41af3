"""The golden file of messages: it names tests that exist, and folders do not get into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.messages import GOLDEN, has_test, without_folders

ROOT = Path(__file__).parent.parent


def test_each_golden_belongs_to_a_test() -> None:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    named = [line for line in lines if line and not line.startswith(" ")]
    assert named
    assert [name for name in named if not has_test(name)] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/var/pytest-of-me/pytest-3/test_x0/a.toml: bad\n", "<folder>/a.toml: bad"),
        ("/var/pytest-of-me/pytest-3/popen-gw1/test_x0/a.toml: bad", "<folder>/a.toml: bad"),
        ("/var/pytest-of-me/pytest-3/test_x0/a: card 'x': bad", "<folder>/a: card 'x': bad"),
        ("agent 'turn:/var/pytest-of-me/pytest-3/te...': bad", "agent 'turn:<file>': bad"),
        (f"{ROOT}/docs/x.md: bad", "<repository>/docs/x.md: bad"),
    ],
)
def test_folders_are_replaced(text: str, expected: str) -> None:
    assert without_folders(text) == expected
