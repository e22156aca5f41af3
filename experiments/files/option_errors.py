"""Errors that name what is to blame: a file, a part of it, or an option of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim.errors import InputError, PlacedError, blaming

__all__ = ["OptionError", "about_option", "blaming"]


class OptionError(PlacedError):
    """What an option said is wrong, whatever the experiment's file says."""

    def __init__(self, option: str, problem: object) -> None:
        super().__init__(f"--{option}: {problem}")


@contextmanager
def about_option(name: str) -> Iterator[None]:
    """Turn an `InputError` into one that blames an option.

    Args:
        name: of the option, without dashes.
    """
    try:
        yield
    except PlacedError:
        raise
    except InputError as error:
        raise OptionError(name, error) from None
