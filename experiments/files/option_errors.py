"""Helpers for command-line options: selection of given options, and errors that name an option."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sim.errors import InputError, error_place


def given(**options: Any) -> dict[str, Any]:
    """Return the options with a value other than `None`, which stands for an omitted option."""
    return {name: value for name, value in options.items() if value is not None}


def option_error(
    option: str, problem: object, *, value: object = None, limit: object = None, remedy: str = ""
) -> InputError:
    """Return an error with a command-line option as its place.

    Args:
        option: name of the option, without dashes.
        problem: description of the problem.
        value: given value of the option.
        limit: bound that the value violates, or the permitted values.
        remedy: suggestion for the user; `""` if there is none.
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
    """Make a command-line option the place of each `InputError` that is raised in the block.

    Args:
        name: name of the option, without dashes.
        is_word: whether the place is a positional argument, which is named without dashes.
    """
    with error_place(name if is_word else f"--{name}", is_complete=True):
        yield
