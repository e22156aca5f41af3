"""Errors that blame a word or an option of the command line, as `sim.errors.blaming` does files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sim.errors import InputError, PlacedError


class OptionError(PlacedError):
    """What an option said is wrong, whatever the experiment's file says."""

    def __init__(self, option: str, problem: object) -> None:
        super().__init__(f"--{option}: {problem}")


class ArgumentError(OptionError):
    """What another word of the command line said is wrong, likewise."""

    def __init__(self, word: str, problem: object) -> None:
        InputError.__init__(self, f"{word}: {problem}")


def about_argument(word: str) -> AbstractContextManager[None]:
    """Turn an `InputError` into one that blames a word of the command line."""
    return _turned_into(ArgumentError, word)


def about_option(name: str) -> AbstractContextManager[None]:
    """Turn an `InputError` into one that blames an option.

    Args:
        name: of the option, without dashes.
    """
    return _turned_into(OptionError, name)


@contextmanager
def _turned_into(kind: type[OptionError], told: str) -> Iterator[None]:
    try:
        yield
    except PlacedError:
        raise
    except InputError as error:
        raise kind(told, error) from None
