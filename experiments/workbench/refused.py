"""What cannot be: as it is told on the page, and where on the page to say so."""

from __future__ import annotations

import traceback
from pathlib import Path

from sim.errors import InputError


class Refused(InputError):  # noqa: N818 (it is what became of a request)
    """Says what is wrong in one line, like every error.

    Attributes:
        place: `card.field`, a card, or `constraints.max_cards`; `None` where it is nowhere.
    """

    def __init__(self, message: object, place: str | None = None) -> None:
        super().__init__(message)
        self.place = place or ""


def place_of(error: Exception) -> str | None:
    """Where on the page an error belongs."""
    return error.place or None if isinstance(error, Refused) else None


def told_error(error: Exception) -> InputError:
    """An error as people are told it: a fault of ours is called one, for whoever reports it."""
    return error if isinstance(error, InputError) else InputError(crash_words(error))


def crash_words(error: BaseException) -> str:
    """In one line that it is our fault, what it is, and where in the code it was."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f", {Path(frames[-1].filename).name} line {frames[-1].lineno}" if frames else ""
    told = " ".join(f"{type(error).__name__}: {error}".split())
    return f"a fault of evenhand, please report it ({told}{where})"
