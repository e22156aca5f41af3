"""Errors that name what is to blame: a file, a part of it, or an option of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim.errors import InputError, MachineError


class OptionError(InputError):
    """What an option said is wrong, whatever the experiment's file says."""

    def __init__(self, option: str, problem: object) -> None:
        super().__init__(f"--{option}: {problem}")


class ArgumentError(OptionError):
    """What another word of the command line said is wrong, likewise."""

    def __init__(self, word: str, problem: object) -> None:
        InputError.__init__(self, f"{word}: {problem}")


@contextmanager
def about_argument(word: str) -> Iterator[None]:
    """Turn an `InputError` into one that blames a word of the command line."""
    try:
        yield
    except (MachineError, OptionError):
        raise
    except InputError as error:
        raise ArgumentError(word, error) from None


@contextmanager
def blaming(place: object) -> Iterator[None]:
    """Begin the message of an `InputError` with the file, or its part, that must change."""
    try:
        yield
    except (MachineError, OptionError):
        raise
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


@contextmanager
def about_option(name: str) -> Iterator[None]:
    """Turn an `InputError` into one that blames an option.

    Args:
        name: of the option, without dashes.
    """
    try:
        yield
    except (MachineError, OptionError):
        raise
    except InputError as error:
        raise OptionError(name, error) from None
