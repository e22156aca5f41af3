"""Where compiled machine code is kept, so that an edited engine is never run from stale code.

Numba's own cache notices an edit of the file that holds a function, but not an edit of a
function it calls in another file, nor of a constant imported from one (numba issues 1833 and
9483). So every package of compiled code keeps its machine code in a folder named by the hash of
its sources and of everything those rest on: an edit anywhere moves to a fresh folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from sim.cache_root import cache_root

_UNUSED_FOR_S = 30 * 24 * 3600.0
_folders: dict[str, Path] = {}  # by package


def source_hash(*folders: Path, also: tuple[Path, ...] = ()) -> str:
    """Hash of all Python sources in `folders` and the files `also`, with numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted({*also, *(file for folder in folders for file in folder.rglob("*.py"))}):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def use_cache(package: str, key: str) -> None:
    """Keep the machine code of all modules of `package` in the folder `key`.

    Args:
        package: the package's `__name__`; call this before any of its functions is compiled.
        key: changes whenever an old result of compiling may no longer be used.
    """
    folder = cache_root() / "compiled" / key
    _folders[package] = folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _prune(folder)
    except OSError:
        return  # numba falls back to a folder of its own, or to compiling afresh


def choose_cache(function: Callable[..., Any]) -> bool:
    """Point numba at the folder for `function`; whether it has one.

    Code of a package that has not claimed a folder is not cached: nothing says which sources
    it rests on.
    """
    package = function.__module__
    while package not in _folders and "." in package:
        package = package.rpartition(".")[0]
    if package not in _folders:
        return False
    numba.config.CACHE_DIR = str(_folders[package])
    return True


def _prune(current: Path) -> None:
    """Delete sibling caches that no run has touched for a month."""
    for folder in current.parent.iterdir():
        unused_s = time.time() - folder.stat().st_mtime
        if folder != current and unused_s > _UNUSED_FOR_S:
            shutil.rmtree(folder, ignore_errors=True)
