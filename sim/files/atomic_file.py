"""Atomic files: a reader sees either the old content or the whole new one."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path

from sim.errors import system_error_place


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` so that at any time the file is the old one or the whole new one.

    Text is written as UTF-8 with its line ends as they are. A link is followed, and the permissions
    of an existing file are kept. Temporary files that killed processes left in the folder are
    deleted.

    Args:
        path: path of the file.
        content: its new content.

    Raises:
        InputError: the folder is missing or not writable, `path` is a folder, or the disk is full.
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else bytes(memoryview(content))
    with system_error_place(path, "written"):
        target = resolved(path)
        # In the same folder, since a rename across file systems is a copy, which is not atomic.
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
        _write_new(temporary, data)
        try:
            # The new file replaces the old one, and would otherwise lose its permissions.
            if target.exists():
                shutil.copymode(target, temporary)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    sweep_temporary_files(target.parent)


# A write takes seconds at most: an hour later its process must have been killed.
_LEFT_AFTER_S = 3600
_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}\.tmp", re.DOTALL)


def sweep_temporary_files(
    folder: Path, *, older_than_s: float = _LEFT_AFTER_S, of: str = ""
) -> None:
    """Delete the temporary files that killed processes left in a folder.

    Args:
        folder: the folder; folders inside it are not searched.
        older_than_s: least age in seconds; another process may still write a younger file. 0 only
            for a caller that alone may write there.
        of: name of the only file to clean up after; by default those of all files.
    """
    beginning = f".{of}." if of else "."
    with suppress(OSError):  # a folder or a file that is gone, or not ours, is left as it is
        for entry in os.scandir(folder):
            if entry.name.startswith(beginning) and _TEMPORARY.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime >= older_than_s:
                        Path(entry.path).unlink()


def resolved(path: Path) -> Path:
    """Return `path` with all links followed.

    Raises:
        OSError: its links lead in a circle.
    """
    try:
        return path.resolve()
    except RuntimeError:  # raised instead by Python before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def _write_new(path: Path, data: bytes) -> None:
    """Write a new file and flush it to the disk; on failure no file is left."""
    with path.open("xb") as file:
        try:
            file.write(data)
            # Without fsync, a power failure after the rename could leave an empty file.
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
