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


# Games with a network at the leaves of a search, and games of agents outside the engine in the
# checked build, which is compiled anew for them; all other games show the same of every build.
SLOW = {("plain", "value games"), ("checked", "value games"), ("checked", "asked")}


def outcomes_of(build: str, games: str) -> Any:
    """Return the outcomes of some games in another build, in a process of its own."""
    return json.loads(python("-W", "error", "-m", "tests.build_probe", games, **BUILDS[build]))


@pytest.mark.parametrize(
    ("build", "games"),
    [
        ("plain", "asked"),
        *(
            pytest.param(*case, marks=pytest.mark.slow if case in SLOW else pytest.mark.thorough)
            for case in product(BUILDS, build_probe.GAMES)
            if case != ("plain", "asked")
        ),
    ],
)
def test_every_build_plays_the_same(build: str, games: str) -> None:
    assert outcomes_of(build, games) == [build, build_probe.GAMES[games]()]


@pytest.mark.thorough
def test_the_checked_build_checks_bounds() -> None:
    errors = [f"{code}: IndexError" for code in ("agent", "record", "engine", "view")]
    assert outcomes_of("checked", "memory errors") == ["checked", errors]
