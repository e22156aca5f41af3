"""A folder for plug-in packages; after each test it is forgotten, with all that it declared."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents import plugins, registry
from balance.learning import learner_kinds
from balance.search import methods
from experiments import game
from sim.engine import cache


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder of packages that is searched before all others."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
    monkeypatch.setattr(methods, "_solvers", {})
    _forget()
    before = set(sys.modules)
    yield tmp_path
    _forget()
    registry._make_once.cache_clear()
    for name in set(sys.modules) - before:
        if tmp_path.as_posix() in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
            cache._folders.pop(name, None)


def _forget() -> None:
    """Clear the caches of plug-ins, so that packages are searched again."""
    plugins.plugins.cache_clear()
    methods.plugins.cache_clear()
    learner_kinds.plugins.cache_clear()
    game.plugins.cache_clear()
    game.game_named.cache_clear()
