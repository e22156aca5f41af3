"""Options of the command line: those that were given, and errors that name one as their place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sim.errors import InputError, error_place


def given(**options: Any) -> dict[str, Any]:
    """Return the options that the command line has; those that are `None` were left out."""
    return {name: value for name, value in options.items() if value is not None}


def option_error(
    option: str, problem: object, *, value: object = None, limit: object = None, remedy: str = ""
) -> InputError:
    """Return an error whose place is an option, whatever the experiment's file contains.

    Args:
        option: name of the option, without dashes.
        problem: what is wrong.
        value: the value that was given.
        limit: the bound that it breaks, or the permitted values.
        remedy: the suggested fix.
    """
    return InputError(
        problem,
        place=f"--{option}",
        value=value,
        limit=limit,
        remedy=remedy,
        is_complete=True,
    )


@contextmanager
def option_place(name: str, *, is_word: bool = False) -> Iterator[None]:
    """Make an option the place of each `InputError` raised in the block.

    Args:
        name: name of the option, without dashes.
        is_word: whether it is a positional argument of the command line instead.
    """
    with error_place(name if is_word else f"--{name}", is_complete=True):
        yield
