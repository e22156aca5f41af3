"""Public names of a package, each loaded from its module when it is first asked for."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def on_demand(package: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package, so that importing it loads nothing else.

    What may be asked for is what its `__init__` imports for type checkers, below
    `if TYPE_CHECKING`.

    Args:
        package: its name.
    """

    @cache
    def homes() -> dict[str, str]:
        source = Path(str(sys.modules[package].__file__)).read_text(encoding="utf-8")
        imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
        return {alias.name: str(node.module) for node in imports for alias in node.names}

    def load(name: str) -> Any:
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes()[name]), name)

    return load
