"""One writer per run folder: a lock that ends with its owner, however that ends."""

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
_FAR = 1 << 30  # the byte to lock where that hides it from readers, far behind the owner's id
_PATIENCE_S = 0.2  # for an owner that has locked the file and not yet written its id


class FolderLock(AbstractContextManager["FolderLock"]):
    """The right to write into a run folder, until `release` or the end of the block.

    A file beside the folder, `.<name>.lock`, is locked for as long as the process lives and holds
    its id. The system gives up the lock of a process that was killed, so that a file which is
    left behind keeps nobody out, and an id that was given out again is not mistaken for the
    owner. The file goes with the lock. Temporary files of an owner that was killed are swept.
    """

    def __init__(self, folder: Path) -> None:
        """Take the lock of `folder`, which need not be there yet; its parent must be.

        Raises:
            InputError: another process has it, whose id is named; or there can be no such file.
        """
        self._file = folder
        try:
            place = resolved(folder)  # the same for all the ways to name a folder
            self._file = place.with_name(f".{place.name}.lock")
            self._descriptor: int | None = self._taken(folder)
            _sweep(place)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"{self._file}: cannot be written: {reason}") from error

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Give the lock up; a second time does nothing."""
        descriptor = self._descriptor
        self._descriptor = None
        if descriptor is None:
            return
        if sys.platform == "win32":  # where no open file can be deleted
            os.close(descriptor)
            self._file.unlink(missing_ok=True)
            return
        with suppress(OSError):  # the folder above may be gone by now
            self._file.unlink(missing_ok=True)
        os.close(descriptor)

    def _taken(self, folder: Path) -> int:
        """The locked file, with this process's id in it."""
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
            os.close(descriptor)  # its owner deleted it between the two calls

    def _sign(self, descriptor: int) -> None:
        """Write this process's id into the locked file."""
        try:
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        except OSError:  # such as a full disk
            self._file.unlink(missing_ok=True)
            raise


def _sweep(folder: Path) -> None:
    """Delete what a killed owner of the lock was writing: nobody else writes there.

    A single file may have a lock as well, such as the ledger.
    """
    sweep_temporary_files(folder.parent, older_than_s=0, of=folder.name)
    for path, _, _ in os.walk(folder):
        sweep_temporary_files(Path(path), older_than_s=0)


def _claim(descriptor: int, folder: Path) -> None:
    """Lock an open file, or refuse with its owner's id.

    A file system without locks refuses nobody: a run there is better than none.
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
                f"{folder}: {process} is writing it; wait until it has ended, or end it"
            ) from None


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _owner(descriptor: int) -> str:
    """The id of the process that has the lock; `""` if it does not say in time."""
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        os.lseek(descriptor, 0, os.SEEK_SET)
        owner = os.read(descriptor, 20).decode("ascii", "replace")
        if owner.endswith("\n") or time.monotonic() > until_s:
            return owner.strip()
        time.sleep(_PATIENCE_S / 20)
