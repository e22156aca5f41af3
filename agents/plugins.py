"""Plug-ins: agents of installed packages, named in the entry-point group `evenhand.agents`."""

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
from agents.declaration import AgentFamily, agent_of, declared
from sim.engine.cache import source_hash, use_cache
from sim.play import Agent
from sim.plugins import blaming_package, installed, the_one

ENTRY_POINT_GROUP = "evenhand.agents"
_OURS = (*agents.__path__, *sim.__path__)
_KNOWN = {"agents", "numba", "numpy", "sim", *sys.stdlib_module_names}


@cache
def plugins() -> dict[str, list[EntryPoint]]:
    """All that are installed, by name; nothing of them is loaded."""
    return installed(ENTRY_POINT_GROUP)


def load_plugin(name: str) -> Agent | AgentFamily:
    """What the package that declares `name` has put there.

    Raises:
        InputError: it cannot be loaded, or is no agent; names the package. So do the errors of
            a family's maker. Or two packages declare the name.
    """
    entry = the_one(f"agent {name!r}", plugins()[name])
    with blaming_package(f"agent {name!r}", entry):
        _claim_cache(entry.module.partition(".")[0])
        found = declared(name, entry.load())
    if not isinstance(found, AgentFamily):
        return found
    maker = found.make

    @wraps(maker)
    def make(parameters: str) -> Agent:
        whole = f"{name}:{parameters}" if parameters else name
        with blaming_package(f"agent {whole!r}", entry):
            return agent_of(whole, maker(parameters))

    return replace(found, make=make)


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
    trees = (ast.parse(p.read_bytes(), str(p)) for p in files if p.suffix == ".py")
    found: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found
