"""Options of the command line: those that were given, and errors with an option as place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sim.errors import InputError, error_place


def given(**options: Any) -> dict[str, Any]:
    """Return the options that are not `None`, the value of an option that was left out."""
    return {name: value for name, value in options.items() if value is not None}


def option_error(
    option: str, problem: object, *, value: object = None, limit: object = None, remedy: str = ""
) -> InputError:
    """Return an error with an option as its place, instead of a place in the experiment's file.

    Args:
        option: name of the option, without dashes.
        problem: what is wrong.
        value: the value that was given.
        limit: the bound that it violates, or the permitted values.
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
