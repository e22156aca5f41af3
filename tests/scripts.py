"""Scripts of the repository that are in no package, and what a program loads."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType


def script(path: Path) -> ModuleType:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def loaded_by(*modules: str) -> set[str]:
    """All modules that a Python holds once it has imported these."""
    command = [sys.executable, "-c", f"import sys, {', '.join(modules)}\nprint(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
