"""Creation of folders for files, with removal if writing the files fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.errors import system_error_place


@contextmanager
def made_folder(folder: Path, files: Iterable[str] = ()) -> Iterator[None]:
    """Create a folder and its missing parents, and clean up if the `with` block raises.

    The clean-up removes new files among `files`, and new folders that are empty.

    Args:
        folder: folder that the block writes to.
        files: names of files in the folder that are useless if the block fails.

    Raises:
        InputError: the folder cannot be created.
    """
    # Determined before the folder is created, since only new files and folders may be removed.
    missing = [path for path in (folder, *folder.parents) if not _exists(path)]
    new = [folder / name for name in files if not _exists(folder / name)]
    with _remove_on_failure(new, missing):
        with system_error_place(folder, "made"):
            folder.mkdir(parents=True, exist_ok=True)
        yield


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long, which creating the folder reports
        return True


@contextmanager
def _remove_on_failure(files: list[Path], folders: list[Path]) -> Iterator[None]:
    """Delete files and empty folders if the `with` block raises.

    Args:
        files: paths of the files; missing files are ignored.
        folders: paths of the folders, the innermost first; the first folder that is not empty and
            all later ones are kept.
    """
    try:
        yield
    except BaseException:
        for path in files:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        # A folder that is not empty raises and ends the loop; its parents are not empty either.
        with suppress(OSError):
            for folder in folders:
                if folder.is_dir():
                    folder.rmdir()
        raise
