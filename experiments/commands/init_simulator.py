"""New folders with a game that a Python function or a program plays, for `evenhand init`."""

from __future__ import annotations

from pathlib import Path

from experiments.commands.starter_rules import TEMPLATES
from experiments.files.new_folder import write_new_folder
from sim.errors import known_word

KINDS = ("python", "program")
"""Kinds of simulators, each with a folder of templates: a Python function, or a program."""

# Ending of templates that contain code; modules of this package have the ending `.py`.
_CODE = ".txt"


def init_simulator(folder: Path, kind: str) -> list[str]:
    """Write the files of a new game into a folder, without overwriting any file.

    Args:
        folder: folder to write into; created if it does not exist.
        kind: kind of the simulator, one of `KINDS`.

    Returns:
        Lines that report the written files and the next step.

    Raises:
        InputError: the kind is unknown, a file exists already, or the folder cannot be created.
    """
    templates = TEMPLATES / known_word("kind of simulator", kind, KINDS, "--simulator")
    files = {
        path.name.removesuffix(_CODE): path.read_bytes() for path in sorted(templates.iterdir())
    }
    write_new_folder(folder, files)
    enter = "" if folder == Path() else f"cd {folder} && "
    return [
        f"{folder}: wrote {', '.join(files)}",
        f"Next: {enter}evenhand simulator check game.toml --trust",
    ]
