"""Loading of a package's public names, each from its module on first use."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def on_demand(package: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, so that importing the package loads nothing else.

    The public names are those that the package's `__init__` imports under `if TYPE_CHECKING`.

    Args:
        package: name of the package.
    """

    @cache
    def homes() -> dict[str, str]:
        """Return the module's name for each public name, read from the source of `__init__`."""
        source = Path(str(sys.modules[package].__file__)).read_text(encoding="utf-8")
        imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
        return {alias.name: str(node.module) for node in imports for alias in node.names}

    def load(name: str) -> Any:
        """Return the object with a public name of the package, loaded from its module.

        Raises:
            AttributeError: the package has no such public name.
        """
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes()[name]), name)

    return load
