"""Loading of a package's public names, each from its module on first use."""

from __future__ import annotations

import ast
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def on_demand(package: str) -> None:
    """Let a package offer its public names without loading their modules before the first use.

    The names are those that the package's `__init__` imports under `if TYPE_CHECKING`, where type
    checkers find them too. `dir` of the package lists the names of its `__all__`.

    Args:
        package: name of the package.
    """
    module = sys.modules[package]

    @cache
    def homes() -> dict[str, str]:
        """Return the module's name for each public name, read from the source of `__init__`."""
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
        return {alias.name: str(node.module) for node in imports for alias in node.names}

    def load(name: str) -> Any:
        """Return the object with a public name of the package, loaded from its module.

        Raises:
            AttributeError: the package has no such public name.
        """
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes()[name]
        if home == package:  # the name is a package within this one
            return import_module(f"{package}.{name}")
        return getattr(import_module(home), name)

    def names() -> list[str]:
        """Return the names that `dir` lists: the public names, and those that Python sets."""
        return [*module.__all__, *(name for name in vars(module) if name.startswith("__"))]

    # They are set here, since a type checker that sees `__getattr__` accepts any misspelled name.
    vars(module).update(__getattr__=load, __dir__=names)
