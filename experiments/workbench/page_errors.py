"""Errors as the page shows them: a message, and the place on the page where it is shown."""

from __future__ import annotations

import traceback
from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

from sim.errors import InputError

CONSTRAINTS = "constraints"
"""Place of the constraints on suggestions; `constraints.max_cards` is the place of one of them."""


class PageError(NamedTuple):
    """An error as the page shows it.

    Attributes:
        text: the message, in one line.
        place: element of the page next to which it is shown; `None` for the top of the page.
    """

    text: str
    place: str | None


def number_place(card: str, field: str) -> str:
    """Return the place of a card's number on the page."""
    return f"{card}.{field}"


def page_error(error: InputError, owners: Container[str]) -> PageError:
    """Return the message of an error and its place on the page.

    An error belongs to an element of the page if its place is `card`, `card.field` or
    `constraints.name`. The position then shows the place, so the message omits it. Any other
    place, such as a file that cannot be written, stays in the message.

    Args:
        error: the error.
        owners: ids of the cards on the page, and of the rules if the page shows them.
    """
    owner, _, name = error.place.rpartition(".")
    is_on_page = (owner or name) == CONSTRAINTS or (owner or name) in owners
    if not is_on_page:
        return PageError(str(error), None)
    return PageError(str(error.with_fields(place="")), error.place)


def as_input_error(error: Exception) -> InputError:
    """Return an error for people: any error but bad input becomes the report of a defect."""
    return error if isinstance(error, InputError) else InputError(defect_message(error))


def defect_message(error: BaseException) -> str:
    """Return one line that asks the reader to report a defect, with the error and its line."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f", {Path(frames[-1].filename).name} line {frames[-1].lineno}" if frames else ""
    cause = " ".join(f"{type(error).__name__}: {error}".split())
    return f"a defect of evenhand, please report it ({cause}{where})"
