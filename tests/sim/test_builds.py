"""The engine plays the same games compiled, bounds-checked, and as plain Python."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from tests import build_probe
from tests.scripts import python

BUILDS = {
    "plain": {"NUMBA_DISABLE_JIT": "1", "EVENHAND_CHECKED": "0"},
    "checked": {"NUMBA_DISABLE_JIT": "0", "EVENHAND_CHECKED": "1"},
}


def told(build: str, games: str) -> Any:
    """What another build, in a process of its own, makes of some games."""
    return json.loads(python("-W", "error", "-m", "tests.build_probe", games, **BUILDS[build]))


@pytest.mark.parametrize(
    ("build", "games"),
    [
        ("plain", "asked"),
        *(
            pytest.param(*case, marks=pytest.mark.thorough)
            for case in product(BUILDS, build_probe.GAMES)
            if case != ("plain", "asked")
        ),
    ],
)
def test_every_build_plays_the_same(build: str, games: str) -> None:
    assert told(build, games) == [build, build_probe.GAMES[games]()]


@pytest.mark.thorough
def test_the_checked_build_watches_bounds() -> None:
    watched = [f"{what}: IndexError" for what in ("agent", "record", "engine", "view")]
    assert told("checked", "caught") == ["checked", watched]
