"""Plug-ins: what installed packages declare in groups of entry points."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points

from sim.errors import InputError


def installed(group: str) -> dict[str, list[EntryPoint]]:
    """All that is declared in a group, by name in alphabetical order; nothing of it is loaded."""
    found: dict[str, list[EntryPoint]] = {}
    for entry in sorted(entry_points(group=group)):
        found.setdefault(entry.name, []).append(entry)
    return found


def package_of(entry: EntryPoint) -> str:
    """The package that declares it."""
    return "?" if entry.dist is None else entry.dist.name


@contextmanager
def blaming(what: str, entry: EntryPoint) -> Iterator[None]:
    """Say in one line whose code has failed, whatever it raises.

    Args:
        what: it was to be, such as `agent 'eager'`.
        entry: where it is declared.

    Raises:
        InputError: the code inside raised something; names the package.
    """
    try:
        yield
    except Exception as error:  # whatever somebody else's code raises
        reason = " ".join(str(error).split())
        if not isinstance(error, InputError):
            reason = f"{type(error).__name__}: {reason}"
        raise InputError(f"{what} of package {package_of(entry)!r}: {reason}") from error
