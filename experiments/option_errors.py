"""Errors that a command-line option is to blame for, rather than the experiment's file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim.errors import InputError


@contextmanager
def about_option(name: str) -> Iterator[None]:
    """Begin the message of an `InputError` with the option's name.

    Args:
        name: of the option, without dashes.
    """
    try:
        yield
    except InputError as error:
        raise InputError(f"--{name}: {error}") from None
