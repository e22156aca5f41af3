"""Folders made for files, and removed again if the files are not written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.errors import system_error_place


@contextmanager
def made_folder(folder: Path, files: Iterable[str] = ()) -> Iterator[None]:
    """Make a folder and its missing parents for the files that the block writes there.

    If the block fails, those of the folders that are empty then are removed.

    Args:
        folder: the folder that the block writes to.
        files: names of files in it without value on their own; if the block fails, those that did
            not exist before are removed.

    Raises:
        InputError: the folder cannot be made.
    """
    # Noted before anything is made: only these may be removed again.
    missing = [path for path in (folder, *folder.parents) if not _exists(path)]
    new = [folder / name for name in files if not _exists(folder / name)]
    with _remove_on_failure(new, missing):
        with system_error_place(folder, "made"):
            folder.mkdir(parents=True, exist_ok=True)
        yield


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long: making the folder reports it
        return True


@contextmanager
def _remove_on_failure(files: list[Path], folders: list[Path]) -> Iterator[None]:
    """Remove files and empty folders, the innermost first, if the block fails."""
    try:
        yield
    except BaseException:
        for path in files:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        with suppress(OSError):  # a folder that is not empty ends the loop: its parents are not
            for folder in folders:
                if folder.is_dir():
                    folder.rmdir()
        raise
