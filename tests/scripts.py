"""Scripts of the repository that are in no package, and programs in a process of their own."""

from __future__ import annotations

import importlib.util
import os
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


def python(*arguments: str | Path, **variables: str) -> str:
    """What a Python of its own prints, with these variables of the environment beside ours."""
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
    """All modules that a Python holds once it has imported these."""
    program = f"import sys, {', '.join(modules)}\nprint(*sys.modules)"
    return set(python("-c", program).split())
