"""Atomic files: written so that nobody ever sees half of one."""

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
    """Put `content` at `path`: the old file or the whole new one, whatever happens meanwhile.

    Text is written as UTF-8 with its line ends as they are. A link is followed, and the
    permissions of a file that is already there are kept. What a process that was killed has left
    beside it is swept.

    Raises:
        InputError: the folder is missing or closed to writing, `path` is a folder, or the disk
            is full.
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else bytes(memoryview(content))
    with system_error_place(path, "written"):
        target = resolved(path)
        # In the same folder, since a rename across file systems would be a copy.
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
        _write_new(temporary, data)
        try:
            if target.exists():
                shutil.copymode(target, temporary)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    sweep_temporary_files(target.parent)


# A write takes seconds at most; what is older was left by a process that was killed.
_LEFT_AFTER_S = 3600
_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}\.tmp", re.DOTALL)


def sweep_temporary_files(
    folder: Path, *, older_than_s: float = _LEFT_AFTER_S, of: str = ""
) -> None:
    """Delete the temporary files that killed processes left in a folder.

    Args:
        folder: whose files; not those of folders in it.
        older_than_s: younger ones stay, which another process may be writing; 0 only for who
            alone may write there.
        of: the name of the only file whose they are; default of all.
    """
    beginning = f".{of}." if of else "."
    with suppress(OSError):  # a folder or a file that is gone, or not ours, is left as it is
        for entry in os.scandir(folder):
            if entry.name.startswith(beginning) and _TEMPORARY.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime >= older_than_s:
                        Path(entry.path).unlink()


def resolved(path: Path) -> Path:
    """`path` without links.

    Raises:
        OSError: its links lead in a circle.
    """
    try:
        return path.resolve()
    except RuntimeError:  # what Python before 3.13 makes of it
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that did not exist, down to the disk; leaves nothing behind on failure."""
    with path.open("xb") as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
