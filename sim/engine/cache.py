"""Cache folders of compiled machine code, chosen so that an edited engine never runs stale code.

Numba's own cache notices an edit of the file that holds a function. It misses an edit of a function
called in another file, or of a constant imported from another file (numba issues 1833 and 9483).
Therefore every package of compiled code keeps its machine code in a folder named by the hash of its
sources and of everything that they depend on: any edit results in a new folder.
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

# Seconds without use after which a cache is deleted. A month, chosen by hand: a folder that is
# deleted too early costs one compilation of a minute or two; a folder takes a few megabytes.
_UNUSED_FOR_S = 30 * 24 * 3600.0
_BUILD = "-checked" if os.environ.get("EVENHAND_CHECKED") == "1" else ""
_folders: dict[str, Path] = {}  # cache folder of each package, by the package's name


def cache_root() -> Path:
    """Return the folder that contains all caches.

    It is `EVENHAND_CACHE_DIR` if that is set, else `evenhand` in `XDG_CACHE_HOME` or in `~/.cache`.
    """
    if chosen := os.environ.get("EVENHAND_CACHE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "evenhand"


def source_hash(*folders: Path, also: tuple[Path, ...] = (), constants: object = "") -> str:
    """Return a hash of Python sources, constants and numba's version.

    Args:
        folders: folders with the Python files to hash, including those in subfolders.
        also: further files to hash.
        constants: further values to hash, as their text.

    Returns:
        First 16 hexadecimal digits of a SHA-256.
    """
    digest = hashlib.sha256(f"{numba.__version__}{constants}".encode())
    for path in sorted({*also, *(file for folder in folders for file in folder.rglob("*.py"))}):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def use_cache(package: str, key: str) -> None:
    """Keep the machine code of all modules of `package` in a folder named `key`.

    The folder is created if needed, and folders of other keys that no run has used for 30 days are
    deleted. Without compilation (`NUMBA_DISABLE_JIT=1`) no folder is touched.

    Args:
        package: `__name__` of the package. The call must come before any of the package's functions
            is compiled.
        key: identifier that changes whenever earlier machine code may no longer be used.

    Raises:
        InputError: the folder cannot be written; the message names the folder and a suggested fix.
    """
    folder = cache_root() / "compiled" / f"{key}{_BUILD}"
    _folders[package] = folder
    if numba.config.DISABLE_JIT:
        return
    with cache_error_place(folder):
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    # The folder may belong to another user: it can be used, but its time cannot be set.
    with suppress(OSError):
        os.utime(folder)
        _prune(folder)


@contextmanager
def cache_error_place(folder: Path | None = None) -> Iterator[None]:
    """Raise an `InputError` with the cache folder as its place for each `OSError` of the block.

    Without this error, numba would continue with its own default folder, in which an edit of the
    sources can go unnoticed.

    Args:
        folder: folder to name; the folder of all caches if `None`.

    Raises:
        InputError: the block raised an `OSError`; the message suggests a fix.
    """
    try:
        yield
    except OSError as error:
        raise InputError(
            f"compiled code cannot be kept there: {error.strerror or error}",
            place=folder or cache_root(),
            remedy="make room, or set EVENHAND_CACHE_DIR to another folder",
            is_complete=True,  # the machine is at fault, so no file that is being read is named
        ) from None


def choose_cache(function: Callable[..., Any]) -> bool:
    """Set numba's cache folder to that of a function's package; return whether the package has one.

    The code of a package without a folder is not cached, since its dependencies are unknown.
    """
    package = function.__module__
    while package not in _folders and "." in package:
        package = package.rpartition(".")[0]
    if package not in _folders:
        return False
    numba.config.CACHE_DIR = str(_folders[package])
    return True


def _prune(current: Path) -> None:
    """Delete the folders next to `current` that no run has used for `_UNUSED_FOR_S` seconds."""
    for folder in current.parent.iterdir():
        if folder != current and time.time() - folder.stat().st_mtime > _UNUSED_FOR_S:
            shutil.rmtree(folder, ignore_errors=True)
