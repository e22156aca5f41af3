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
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba

from sim.errors import InputError

_UNUSED_FOR_S = 30 * 24 * 3600.0
_BUILD = "-checked" if os.environ.get("EVENHAND_CHECKED") == "1" else ""
_folders: dict[str, Path] = {}  # by package


def cache_root() -> Path:
    """The folder above all caches: `EVENHAND_CACHE_DIR`, else one in the user's cache folder."""
    if chosen := os.environ.get("EVENHAND_CACHE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "evenhand"


def source_hash(*folders: Path, also: tuple[Path, ...] = (), constants: object = "") -> str:
    """Hash of all Python sources in `folders`, the files `also` and the text of `constants`.

    Numba's version is part of it.
    """
    digest = hashlib.sha256(f"{numba.__version__}{constants}".encode())
    for path in sorted({*also, *(file for folder in folders for file in folder.rglob("*.py"))}):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def use_cache(package: str, key: str) -> None:
    """Keep the machine code of all modules of `package` in the folder `key`.

    Args:
        package: the package's `__name__`; call this before any of its functions is compiled.
        key: changes whenever an old result of compiling may no longer be used.

    Raises:
        InputError: the folder cannot be written; names it, and what to do.
    """
    folder = cache_root() / "compiled" / f"{key}{_BUILD}"
    _folders[package] = folder
    if numba.config.DISABLE_JIT:
        return
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    with suppress(OSError):  # such as another user's folder, which is used and not kept up
        os.utime(folder)
        _prune(folder)


@contextmanager
def naming(folder: Path | None = None) -> Iterator[None]:
    """Say of what the system refuses inside that compiled code cannot be kept.

    Numba would go on to a folder of its own, in which an edit of the sources can go unnoticed.

    Args:
        folder: which to name; default that of all caches.

    Raises:
        InputError: names the folder, and what to do.
    """
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{folder or cache_root()}: compiled code cannot be kept there: "
            f"{error.strerror or error}; make room, or set EVENHAND_CACHE_DIR to another folder"
        ) from None


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
        if folder != current and time.time() - folder.stat().st_mtime > _UNUSED_FOR_S:
            shutil.rmtree(folder, ignore_errors=True)
