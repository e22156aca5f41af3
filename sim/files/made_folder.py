"""Folders that are made for files: without the files, none is left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.errors import blaming_system


@contextmanager
def made_folder(folder: Path) -> Iterator[None]:
    """Make `folder` and those above it where they are missing, for what the block writes there.

    A block that fails leaves none of them behind that is still empty.

    Raises:
        InputError: it cannot be made.
    """
    made = [one for one in (folder, *folder.parents) if not _is_there(one)]
    with _without_empty(made):
        with blaming_system(folder, "made"):
            folder.mkdir(parents=True, exist_ok=True)
        yield


def _is_there(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:  # such as a name that is too long; making it will say so
        return True


@contextmanager
def _without_empty(made: list[Path]) -> Iterator[None]:
    """Take back what was made, the innermost first, where the block fails."""
    try:
        yield
    except BaseException:
        with suppress(OSError):  # the first that is not empty, or not there, ends it
            for one in made:
                if one.is_dir():
                    one.rmdir()
        raise
