"""The engine plays the same games compiled, bounds-checked, and as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests import build_probe
from tests.duels import ROOT

BUILDS = {
    "plain": {"NUMBA_DISABLE_JIT": "1", "EVENHAND_CHECKED": "0"},
    "checked": {"NUMBA_DISABLE_JIT": "0", "EVENHAND_CHECKED": "1"},
}


@pytest.fixture(
    scope="module", params=["plain", pytest.param("checked", marks=pytest.mark.thorough)]
)
def report(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What another build, in a process of its own, makes of the same games."""
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.build_probe"],
        cwd=ROOT,
        env=os.environ | BUILDS[request.param],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    of_build: dict[str, Any] = json.loads(finished.stdout)
    assert of_build["build"] == request.param
    return of_build


@pytest.mark.parametrize(
    ("games", "play"),
    [
        ("asked", build_probe.asked),
        pytest.param("games", build_probe.games, marks=pytest.mark.thorough),
        pytest.param("general games", build_probe.general_games, marks=pytest.mark.thorough),
        pytest.param("lawful games", build_probe.lawful_games, marks=pytest.mark.thorough),
    ],
)
def test_every_build_plays_the_same(
    games: str, play: Callable[[], list[Any]], report: dict[str, Any]
) -> None:
    assert report[games] == play()


def test_the_checked_build_watches_bounds(report: dict[str, Any]) -> None:
    watched = [f"{what}: IndexError" for what in ("agent", "record", "engine", "view")]
    assert report["caught"] == (watched if report["build"] == "checked" else [])
