"""Errors that blame a word or an option of the command line, as `sim.errors.blaming` does files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim.errors import InputError, PlacedError


class OptionError(PlacedError):
    """What an option said is wrong, whatever the experiment's file says."""

    def __init__(self, option: str, problem: object) -> None:
        super().__init__(f"--{option}: {problem}")


class ArgumentError(OptionError):
    """What another word of the command line said is wrong, likewise."""

    def __init__(self, word: str, problem: object) -> None:
        InputError.__init__(self, f"{word}: {problem}")


@contextmanager
def about_option(name: str, kind: type[OptionError] = OptionError) -> Iterator[None]:
    """Turn an `InputError` into one that blames an option.

    Args:
        name: of the option, without dashes.
        kind: `ArgumentError` where it is another word of the command line.
    """
    try:
        yield
    except PlacedError:
        raise
    except InputError as error:
        raise kind(name, error) from None
