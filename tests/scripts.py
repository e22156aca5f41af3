"""Scripts of the repository that are in no package, and programs in their own process."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType


def script(path: Path) -> ModuleType:
    """Import a script as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def python(*arguments: str | Path, **variables: str) -> str:
    """Return the output of Python with these arguments and further environment variables."""
    run = subprocess.run(
        [sys.executable, *arguments],
        cwd=Path(__file__).parent.parent,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def loaded_by(*modules: str) -> set[str]:
    """Return all modules that Python has loaded after importing these."""
    program = f"import sys, {', '.join(modules)}\nprint(*sys.modules)"
    return set(python("-c", program).split())
