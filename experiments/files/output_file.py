"""Files that a command is asked to write: none is overwritten unasked."""

from __future__ import annotations

from pathlib import Path

from sim.errors import InputError


def check_output(path: Path, ending: str, *, force: bool) -> None:
    """Refuse an output of the wrong kind, which may be somebody's input, or one that is there.

    Raises:
        InputError: names the path, and what to do.
    """
    if path.suffix.lower() != ending:
        raise InputError(f"{path}: must end in {ending}")
    if is_there(path) and not force:
        raise InputError(f"{path}: is already there; use --force to overwrite it")


def is_there(path: Path) -> bool:
    """Whether there is something at `path`, as far as can be told."""
    try:
        return path.exists()
    except OSError:  # such as a name that is too long; writing will say so
        return False
