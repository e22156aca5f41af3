"""Plug-ins: agents of installed packages, named in the entry-point group `evenhand.agents`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

import agents
import sim
from agents.declaration import AgentFamily, agent_of, declared
from sim.engine.cache import source_hash, use_cache
from sim.errors import InputError
from sim.play.agent import Agent

ENTRY_POINT_GROUP = "evenhand.agents"
_OURS = (*agents.__path__, *sim.__path__)
_KNOWN = {"agents", "numba", "numpy", "sim", *sys.stdlib_module_names}


@cache
def plugins() -> dict[str, list[EntryPoint]]:
    """All that are installed, by name; nothing of them is loaded."""
    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        found.setdefault(entry.name, []).append(entry)
    return found


def _package(entry: EntryPoint) -> str:
    return "?" if entry.dist is None else entry.dist.name


def check_free(name: str) -> None:
    """Refuse that a package declares `name`, which is ours.

    Raises:
        InputError: names the package.
    """
    for entry in plugins().get(name, ()):
        raise InputError(
            f"agent {name!r} of package {_package(entry)!r}: the name is taken; "
            "uninstall that package, or let it declare another name"
        )


def load_plugin(name: str) -> Agent | AgentFamily:
    """What the package that declares `name` has put there.

    Raises:
        InputError: it cannot be loaded, or is no agent; names the package. So do the errors of
            a family's maker. Or two packages declare the name.
    """
    entry, *others = plugins()[name]
    for other in others:
        raise InputError(
            f"agent {name!r} is declared by the packages {_package(entry)!r} and "
            f"{_package(other)!r}; uninstall one of them"
        )
    with _blaming(name, entry):
        _claim_cache(entry.module.partition(".")[0])
        found = declared(name, entry.load())
    if not isinstance(found, AgentFamily):
        return found
    family = found

    def make(parameters: str) -> Agent:
        whole = f"{name}:{parameters}" if parameters else name
        with _blaming(whole, entry):
            return agent_of(whole, family.make(parameters))

    return replace(family, make=make)


@contextmanager
def _blaming(name: str, entry: EntryPoint) -> Iterator[None]:
    """Say in one line whose code has failed, whatever it raises."""
    try:
        yield
    except Exception as error:  # whatever somebody else's code raises
        reason = " ".join(str(error).split())
        if not isinstance(error, InputError):
            reason = f"{type(error).__name__}: {reason}"
        raise InputError(f"agent {name!r} of package {_package(entry)!r}: {reason}") from error


def _claim_cache(package: str) -> None:
    """Keep the machine code of a package's policies, where its files say all that it rests on.

    A package that imports more than itself, the standard library, numpy, numba, `sim` and
    `agents` is compiled anew in each process: nothing would tell that what it imports has
    changed.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return
    folders = spec.submodule_search_locations
    files = [path for folder in folders or () for path in Path(folder).rglob("*") if path.is_file()]
    files = [path for path in files or [Path(spec.origin)] if path.suffix != ".pyc"]
    if _imported(files) <= {package, *_KNOWN}:
        use_cache(package, source_hash(*map(Path, _OURS), also=tuple(files)))


def _imported(files: Iterable[Path]) -> set[str]:
    """The packages that sources name in their imports, wherever these stand."""
    found: set[str] = set()
    for path in files:
        if path.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found
