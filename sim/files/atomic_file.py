"""Atomic files: written so that nobody ever sees half of one."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from pathlib import Path

from sim.errors import blaming_system


def write_atomically(path: Path, content: str | bytes) -> None:
    """Put `content` at `path`: the old file or the whole new one, whatever happens meanwhile.

    Text is written as UTF-8 with its line ends as they are. A link is followed, and the
    permissions of a file that is already there are kept.

    Raises:
        InputError: the folder is missing or closed to writing, `path` is a folder, or the disk
            is full.
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else bytes(memoryview(content))
    with blaming_system(path, "written"):
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
