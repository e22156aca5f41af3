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
from pathlib import Path

import numba

from sim.cache_root import cache_root

_UNUSED_FOR_S = 30 * 24 * 3600.0


def source_hash(*folders: Path, also: tuple[Path, ...] = ()) -> str:
    """Hash of all Python sources in `folders` and the files `also`, with numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted({*also, *(file for folder in folders for file in folder.rglob("*.py"))}):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def use_cache(key: str) -> None:
    """Send the machine code of every function decorated from now on to the folder `key`."""
    folder = cache_root() / "compiled" / key
    numba.config.CACHE_DIR = str(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _prune(folder)
    except OSError:
        return  # numba falls back to a folder of its own, or to compiling afresh


def _prune(current: Path) -> None:
    """Delete sibling caches that no run has touched for a month."""
    for folder in current.parent.iterdir():
        unused_s = time.time() - folder.stat().st_mtime
        if folder != current and unused_s > _UNUSED_FOR_S:
            shutil.rmtree(folder, ignore_errors=True)
