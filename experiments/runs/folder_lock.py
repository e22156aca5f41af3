"""Lock of a run folder: one writer at a time, also when the writer is killed."""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from sim.errors import InputError
from sim.files.atomic_file import resolved, sweep_temporary_files

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_HELD_BY_ANOTHER = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
# Byte to lock under Windows, where readers cannot read locked bytes: far behind the owner's id.
_FAR = 1 << 30
# Time to wait for the id of an owner that has locked the file but not signed it yet. Signing takes
# a fraction of a millisecond.
_PATIENCE_S = 0.2


class FolderLock(AbstractContextManager["FolderLock"]):
    """Permission to write into a run folder, until `release` or the end of the block.

    The process locks a file next to the folder, `.<name>.lock`, as long as it lives, and writes its
    id into it. The operating system releases the lock of a killed process, so that a leftover file
    blocks no one, and a process id that is reused is not mistaken for the owner. The file is
    deleted with the lock. Temporary files of a killed owner are deleted when the lock is taken.
    """

    def __init__(self, folder: Path) -> None:
        """Lock a folder.

        Args:
            folder: the folder, which need not exist; its parent must.

        Raises:
            InputError: another process has the lock (its id is named), or the lock file cannot be
                written.
        """
        self._file = folder
        try:
            place = resolved(folder)  # links and relative paths give the same lock
            self._file = place.with_name(f".{place.name}.lock")
            self._descriptor: int | None = self._acquire(folder)
            _sweep(place)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"cannot be written: {reason}", place=self._file) from error

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Release the lock; further calls do nothing."""
        descriptor = self._descriptor
        self._descriptor = None
        if descriptor is None:
            return
        if sys.platform == "win32":  # an open file cannot be deleted there
            os.close(descriptor)
            self._file.unlink(missing_ok=True)
            return
        # Deleted before it is unlocked: else another process could lock a file that disappears.
        with suppress(OSError):  # the folder above may have been deleted
            self._file.unlink(missing_ok=True)
        os.close(descriptor)

    def _acquire(self, folder: Path) -> int:
        """Lock the file, write this process's id into it, and return its descriptor."""
        while True:
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _claim(descriptor, folder)
                if _is_at(self._file, descriptor):
                    self._sign(descriptor)
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)  # the owner before deleted the file after it was opened here

    def _sign(self, descriptor: int) -> None:
        """Write this process's id into the locked file."""
        try:
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        except OSError:  # such as a full disk
            self._file.unlink(missing_ok=True)
            raise


def _sweep(folder: Path) -> None:
    """Delete temporary files of a killed owner; with the lock, no other process writes there.

    Args:
        folder: the locked folder, or a single file such as the ledger.
    """
    sweep_temporary_files(folder.parent, older_than_s=0, of=folder.name)
    for path, _, _ in os.walk(folder):
        sweep_temporary_files(Path(path), older_than_s=0)


def _claim(descriptor: int, folder: Path) -> None:
    """Lock an open file.

    A file system without locks is used without a lock: such a run is better than none.

    Args:
        descriptor: the open lock file.
        folder: the folder, for the message.

    Raises:
        InputError: another process has the lock; names its id.
    """
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD_BY_ANOTHER:
            owner = _owner(descriptor)
            process = f"process {owner}" if owner.isdigit() else "another process"
            raise InputError(
                f"{process} is writing it",
                place=folder,
                value=owner,
                remedy="wait until it has ended, or end it",
            ) from None


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether a path still refers to an open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _owner(descriptor: int) -> str:
    """Return the id of the process that has the lock; `""` if it is not written in time."""
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        os.lseek(descriptor, 0, os.SEEK_SET)
        owner = os.read(descriptor, 20).decode("ascii", "replace")
        if owner.endswith("\n") or time.monotonic() > until_s:
            return owner.strip()
        time.sleep(_PATIENCE_S / 20)
