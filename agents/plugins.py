"""Agents of installed packages, declared by entry points of the group `evenhand.agents`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, wraps
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path

import agents
import sim
from agents.declaration import AgentFamily, agent_of, declared_agent
from sim.engine.cache import source_hash, use_cache
from sim.play import Agent
from sim.plugins import installed, only_entry, plugin_error_place

ENTRY_POINT_GROUP = "evenhand.agents"
_OURS = (*agents.__path__, *sim.__path__)
_KNOWN = {"agents", "numba", "numpy", "sim", *sys.stdlib_module_names}


@cache
def plugins() -> dict[str, list[EntryPoint]]:
    """Return the entry points of all installed agents by the agent's name, without loading them.

    A name has several entry points if several packages declare it.
    """
    return installed(ENTRY_POINT_GROUP)


def load_plugin(name: str) -> Agent | AgentFamily:
    """Return the agent or the family of agents that an installed package declares under a name.

    Errors that the family raises later, when it builds an agent, also name the package.

    Args:
        name: declared name, a key of `plugins()`.

    Raises:
        InputError: the package cannot be loaded or declares no agent, or several packages declare
            the name; the message names the package.
    """
    entry = only_entry(f"agent {name!r}", plugins()[name])
    with plugin_error_place(f"agent {name!r}", entry):
        _claim_cache(entry.module.partition(".")[0])
        declaration = declared_agent(name, entry.load())
    if not isinstance(declaration, AgentFamily):
        return declaration
    maker = declaration.make

    @wraps(maker)
    def make(parameters: str) -> Agent:
        full_name = f"{name}:{parameters}" if parameters else name
        with plugin_error_place(f"agent {full_name!r}", entry):
            return agent_of(full_name, maker(parameters))

    return replace(declaration, make=make)


def _claim_cache(package: str) -> None:
    """Cache the compiled policies of a package on disk, if its own files determine machine code.

    Nothing is cached for a package that imports more than itself, the standard library, numpy,
    numba, `sim` and `agents`: a change of its other imports would not invalidate the cache.

    Args:
        package: name of a top-level package or module.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return
    folders = spec.submodule_search_locations
    files = [path for folder in folders or () for path in Path(folder).rglob("*") if path.is_file()]
    files = [path for path in files or [Path(spec.origin)] if path.suffix != ".pyc"]
    if _imported_packages(files) <= {package, *_KNOWN}:
        use_cache(package, source_hash(*map(Path, _OURS), also=tuple(files)))


def _imported_packages(files: Iterable[Path]) -> set[str]:
    """Return the top-level packages that Python files import, at module level or in functions.

    Relative imports and files without the suffix `.py` are ignored.
    """
    trees = (ast.parse(p.read_bytes(), str(p)) for p in files if p.suffix == ".py")
    packages = set[str]()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Import):
            packages |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            packages.add(node.module.partition(".")[0])
    return packages
