"""Plug-ins: what installed packages declare in groups of entry points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def the_one(what: str, entries: Sequence[EntryPoint]) -> EntryPoint:
    """The only one that declares something.

    Args:
        what: it is, such as `agent 'eager'`.
        entries: all that declare it.

    Raises:
        InputError: there are several; names two packages.
    """
    entry, *others = entries
    for other in others:
        raise InputError(
            f"{what} is declared by the packages {package_of(entry)!r} and "
            f"{package_of(other)!r}; uninstall one of them"
        )
    return entry


def refuse(what: str, entries: Sequence[EntryPoint]) -> None:
    """Refuse that a package declares something whose name is ours.

    Raises:
        InputError: names the package.
    """
    for entry in entries:
        raise InputError(
            f"{what} of package {package_of(entry)!r}: the name is taken; "
            "uninstall that package, or let it declare another name"
        )


@contextmanager
def blaming_package(what: str, entry: EntryPoint) -> Iterator[None]:
    """Say in one line whose code has failed, whatever it raises.

    Args:
        what: it was to be, such as `agent 'eager'`.
        entry: where it is declared.

    Raises:
        InputError: the code inside raised something; names the package, but where the machine
            is to blame.
    """
    try:
        yield
    except Exception as error:  # a plug-in may raise anything
        if isinstance(error, InputError) and error.is_complete:
            raise  # the machine is at fault, such as a full disk
        reason = " ".join(str(error).split())
        if not isinstance(error, InputError):
            reason = f"{type(error).__name__}: {reason}"
        raise InputError(f"{what} of package {package_of(entry)!r}: {reason}") from error
