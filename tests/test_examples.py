"""The examples in docstrings of public names print what they show."""

from __future__ import annotations

import doctest
import importlib
from operator import attrgetter

import pytest

FACES = {
    "sim": ("load_deck", "load_pool", "load_ruleset"),
    "agents": ("agent_named",),
    "balance": (
        "BalanceSettings",
        "apply_patch",
        "build_space",
        "load_contest",
        "matchup_frame",
        "measure_power",
        "play_matchups",
        "run_balance",
        "wilson",
    ),
}


@pytest.mark.parametrize(
    "name", [*FACES, *(f"{face}.{name}" for face, names in FACES.items() for name in names)]
)
def test_an_example_prints_what_it_shows(name: str) -> None:
    """Only the names of the object's own package are at hand, as after `from balance import *`."""
    face, _, attribute = name.partition(".")
    module = importlib.import_module(face)
    shown = attrgetter(attribute)(module) if attribute else module
    names = {public: getattr(module, public) for public in module.__all__} if attribute else {}
    (example,) = doctest.DocTestFinder(recurse=False).find(shown, name, globs=names)
    assert example.examples
    results = doctest.DocTestRunner().run(example)
    assert not results.failed
