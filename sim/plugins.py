"""Plug-ins: objects that installed packages declare in groups of entry points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points

from sim.errors import InputError


def installed(group: str) -> dict[str, list[EntryPoint]]:
    """Return all entry points of a group by name, in alphabetical order, without loading any.

    Several packages may declare the same name.
    """
    entries: dict[str, list[EntryPoint]] = {}
    for entry in sorted(entry_points(group=group)):
        entries.setdefault(entry.name, []).append(entry)
    return entries


def package_of(entry: EntryPoint) -> str:
    """Return the name of the package that declares an entry point, or `?` if it is unknown."""
    return "?" if entry.dist is None else entry.dist.name


def only_entry(what: str, entries: Sequence[EntryPoint]) -> EntryPoint:
    """Return the only entry point that declares a name.

    Args:
        what: kind and name of the object, such as `agent 'eager'`, for the message.
        entries: all entry points that declare the name, at least one.

    Raises:
        InputError: several entry points declare the name; the message names two of their packages.
    """
    entry, *others = entries
    for other in others:
        packages = package_of(entry), package_of(other)
        raise InputError(
            f"{what} is declared by the packages {packages[0]!r} and {packages[1]!r}",
            value=packages,
            remedy="uninstall one of them",
        )
    return entry


def refuse(what: str, entries: Sequence[EntryPoint]) -> None:
    """Raise an error if an entry point declares a name that this project uses itself.

    Args:
        what: kind and name of the object, such as `agent 'aggro'`, for the message.
        entries: entry points that declare the name, possibly none.

    Raises:
        InputError: at least one entry point is given; the message names its package.
    """
    for entry in entries:
        raise InputError(
            "the name is taken",
            place=f"{what} of package {package_of(entry)!r}",
            value=entry.name,
            remedy="uninstall that package, or let it declare another name",
        )


@contextmanager
def plugin_error_place(what: str, entry: EntryPoint) -> Iterator[None]:
    """Raise an `InputError` that names the package for each exception of the block.

    An `InputError` with a complete place, such as one about a full disk, passes unchanged.

    Args:
        what: kind and name of the object, such as `agent 'eager'`.
        entry: entry point that declares the object.

    Raises:
        InputError: the block raised an exception.
    """
    try:
        yield
    except Exception as error:  # the code of a plug-in may raise any exception
        if isinstance(error, InputError) and error.is_complete:
            raise  # a cause outside the package, such as a full disk
        reason = " ".join(str(error).split())
        if not isinstance(error, InputError):
            reason = f"its code raised {type(error).__name__}: {reason}"
        raise InputError(reason, place=f"{what} of package {package_of(entry)!r}") from error
