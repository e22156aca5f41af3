"""Writing of the files of a new folder, without overwriting any file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from experiments.files.output_file import is_there
from sim import write_atomically
from sim.errors import InputError
from sim.files.made_folder import made_folder


def write_new_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, which is created if it does not exist.

    Args:
        folder: folder of the files.
        files: content of each file, by file name.

    Raises:
        InputError: a file exists already, or the folder cannot be created or written to.
    """
    if taken := [name for name in files if is_there(folder / name)]:
        raise InputError(
            "already exists, and init overwrites no files",
            place=folder / taken[0],
            remedy="name another folder",
        )
    with made_folder(folder, files):
        for name, content in files.items():
            write_atomically(folder / name, content)
