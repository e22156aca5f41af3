"""Lock of a run folder for a single writer, which is released even if the writer is killed."""

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
# Position of the byte to lock under Windows: far after the owner's id, because other processes
# cannot read locked bytes.
_FAR = 1 << 30
# Maximum time to wait for the id of an owner that has locked the file but not written its id yet.
# Writing the id takes a fraction of a millisecond.
_PATIENCE_S = 0.2


class FolderLock(AbstractContextManager["FolderLock"]):
    """Exclusive lock of a run folder, held until `release` or the end of the `with` block.

    The process locks a file `.<name>.lock` next to the folder, and writes its id into it. The
    operating system releases the lock of a killed process, so a leftover file has no effect, and a
    reused process id is not mistaken for the owner. Releasing the lock deletes the file. Acquiring
    it deletes temporary files of a killed owner.
    """

    def __init__(self, folder: Path) -> None:
        """Acquire the lock of a folder, without waiting.

        Args:
            folder: folder to lock, which need not exist; its parent must exist.

        Raises:
            InputError: another process has the lock (the message names its id), or the lock file
                cannot be written.
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
        if sys.platform == "win32":  # Windows cannot delete an open file
            os.close(descriptor)
            self._file.unlink(missing_ok=True)
            return
        # Deleted before it is unlocked: otherwise another process could lock the file, which would
        # then be deleted.
        with suppress(OSError):  # the parent folder may have been deleted
            self._file.unlink(missing_ok=True)
        os.close(descriptor)

    def _acquire(self, folder: Path) -> int:
        """Lock the file, write the id of this process into it, and return its open descriptor.

        Raises:
            InputError: another process has the lock.
        """
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
            os.close(descriptor)  # the previous owner deleted the file after it was opened: retry

    def _sign(self, descriptor: int) -> None:
        """Write the id of this process into the locked file; if that fails, delete the file."""
        try:
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        except OSError:  # such as a full disk
            self._file.unlink(missing_ok=True)
            raise


def _sweep(folder: Path) -> None:
    """Delete the temporary files that a killed owner left in and next to a locked folder.

    Args:
        folder: locked folder, or a single locked file such as the ledger.
    """
    sweep_temporary_files(folder.parent, older_than_s=0, of=folder.name)
    for path, _, _ in os.walk(folder):
        sweep_temporary_files(Path(path), older_than_s=0)


def _claim(descriptor: int, folder: Path) -> None:
    """Lock an open file, without waiting.

    If the file system does not support locks, the function returns without a lock, so that runs are
    still possible.

    Args:
        descriptor: descriptor of the open lock file.
        folder: locked folder, for the message.

    Raises:
        InputError: another process has the lock; the message names its id if it is known.
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
                f"{process} is writing to this folder",
                place=folder,
                value=owner,
                remedy="wait until the process has ended, or stop it",
            ) from None


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether a path still refers to the open file of a descriptor."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _owner(descriptor: int) -> str:
    """Return the id of the process that has the lock; `""` if it is not written within 0.2 s."""
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        os.lseek(descriptor, 0, os.SEEK_SET)
        owner = os.read(descriptor, 20).decode("ascii", "replace")
        if owner.endswith("\n") or time.monotonic() > until_s:
            return owner.strip()
        time.sleep(_PATIENCE_S / 20)
