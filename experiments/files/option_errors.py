"""Options of the command line: those given, and errors that blame one, as `blaming` does files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sim.errors import InputError, PlacedError


def given(**options: Any) -> dict[str, Any]:
    """The options that the command line has; what it leaves out is said elsewhere."""
    return {name: value for name, value in options.items() if value is not None}


class OptionError(PlacedError):
    """What an option said is wrong, whatever the experiment's file says."""

    def __init__(self, option: str, problem: object) -> None:
        super().__init__(f"--{option}: {problem}")


@contextmanager
def about_option(name: str, *, is_word: bool = False) -> Iterator[None]:
    """Turn an `InputError` into one that blames an option.

    Args:
        name: of the option, without dashes.
        is_word: whether it is another word of the command line instead.
    """
    try:
        yield
    except PlacedError:
        raise
    except InputError as error:
        blamed = PlacedError(f"{name}: {error}") if is_word else OptionError(name, error)
        raise blamed from None
