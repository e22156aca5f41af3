"""Names of all kinds of learners: built-in ones, and those of packages and notebooks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint
from typing import Any

from sim.names import Names
from sim.plugins import installed, refuse

ENTRY_POINT_GROUP = "evenhand.learners"
BUILT_IN = ("dqn", "turn", "net")
"""Kinds of learners that need no package."""

registered: dict[str, Callable[..., Any]] = {}
"""Functions of the kinds that `learner_plugins.register_learner` has registered, by name."""


@cache
def plugins() -> dict[str, list[EntryPoint]]:
    """Return the entry points of all installed learner kinds by name, without loading them."""
    return installed(ENTRY_POINT_GROUP)


def learner_kinds() -> list[str]:
    """Return the names of all learner kinds: built-in ones first."""
    return [*dict.fromkeys([*BUILT_IN, *registered, *plugins()])]


def check_kind_name(kind: str) -> str:
    """Return the name of a learner kind after a check that there is one.

    Raises:
        InputError: no learner kind has this name, or a package declares a built-in one.
    """
    for name in BUILT_IN:
        refuse(f"learner kind {name!r}", plugins().get(name, ()))
    known = learner_kinds()
    if kind not in known:
        raise Names("kind of learner", known, "no kind of learner").unknown_name_error(kind)
    return kind
