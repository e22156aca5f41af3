"""Caches lie where the user wants them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.engine.cache import cache_root


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"EVENHAND_CACHE_DIR": "/own"}, "/own"),
        ({"EVENHAND_CACHE_DIR": "", "XDG_CACHE_HOME": "/desktop"}, "/desktop/evenhand"),
        ({"HOME": "/home/me"}, "/home/me/.cache/evenhand"),
    ],
)
def test_the_own_variable_decides_else_the_desktops_else_it_is_in_the_home_folder(
    variables: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EVENHAND_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_root() == Path(folder)
