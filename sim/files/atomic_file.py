"""Atomic writing of files: a reader gets either the complete old or the complete new content."""

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
    """Write a file so that readers always get the complete old or the complete new content.

    Links are followed, and the permissions of an existing file are kept. Old temporary files of
    killed processes in the folder are deleted.

    Args:
        path: path of the file.
        content: new content of the file; text is encoded as UTF-8 with unchanged line ends.

    Raises:
        InputError: the folder is missing or not writable, `path` is a folder, or the disk is full.
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else bytes(memoryview(content))
    with system_error_place(path, "written"):
        target = resolved(path)
        # The temporary file is in the same folder, since moving a file to another file system is
        # not atomic. Its name is random, so that parallel writers do not collide.
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
        _write_new(temporary, data)
        try:
            # Without this, replacing the file would reset its permissions.
            if target.exists():
                shutil.copymode(target, temporary)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    sweep_temporary_files(target.parent)


# Seconds. A write takes a few seconds at most, so the process of a file this old was killed.
_LEFT_AFTER_S = 3600
_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}\.tmp", re.DOTALL)


def sweep_temporary_files(
    folder: Path, *, older_than_s: float = _LEFT_AFTER_S, of: str = ""
) -> None:
    """Delete temporary files of `write_atomically` that killed processes left in a folder.

    Errors of the file system are ignored.

    Args:
        folder: folder to clean up; subfolders are not searched.
        older_than_s: minimum age in seconds; another process may still be writing a younger file.
            0 is safe only if no other process writes to the folder.
        of: name of the file that the deleted temporary files were written for; `""` for all files.
    """
    beginning = f".{of}." if of else "."
    with suppress(OSError):  # the folder or a file may have been deleted or not be accessible
        for entry in os.scandir(folder):
            if entry.name.startswith(beginning) and _TEMPORARY.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime >= older_than_s:
                        Path(entry.path).unlink()


def resolved(path: Path) -> Path:
    """Return the absolute path of a file, with all symbolic links followed.

    Raises:
        OSError: the links form a cycle.
    """
    try:
        return path.resolve()
    except RuntimeError:  # raised instead by Python before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def _write_new(path: Path, data: bytes) -> None:
    """Write a new file and flush it to the disk; delete it again on failure.

    Raises:
        OSError: the file exists already or cannot be written.
    """
    with path.open("xb") as file:
        try:
            file.write(data)
            # Without fsync, a power failure after the rename could leave an empty file.
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
