"""Folders that are made for files: without the files, none is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.errors import system_error_place


@contextmanager
def made_folder(folder: Path, files: Iterable[str] = ()) -> Iterator[None]:
    """Make `folder` and those above it where they are missing, for what the block writes there.

    A block that fails leaves none of them behind that is empty then.

    Args:
        folder: where the block writes.
        files: names of files there that are worth nothing alone; where the block fails, those
            that were not there before it go.

    Raises:
        InputError: it cannot be made.
    """
    made = [one for one in (folder, *folder.parents) if not _is_there(one)]
    new = [folder / name for name in files if not _is_there(folder / name)]
    with _taken_back(new, made):
        with system_error_place(folder, "made"):
            folder.mkdir(parents=True, exist_ok=True)
        yield


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long; making it will say so
        return True


@contextmanager
def _taken_back(files: list[Path], made: list[Path]) -> Iterator[None]:
    """Take back what was made, the innermost first, where the block fails."""
    try:
        yield
    except BaseException:
        for path in files:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        with suppress(OSError):  # the first that is not empty, or not there, ends it
            for one in made:
                if one.is_dir():
                    one.rmdir()
        raise
