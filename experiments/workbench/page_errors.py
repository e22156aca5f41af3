"""Conversion of errors to messages of the page, with the place where the page shows them."""

from __future__ import annotations

import traceback
from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

from sim.errors import InputError

CONSTRAINTS = "constraints"
"""Place of all constraints on suggestions; one constraint has a place like
`constraints.max_cards`."""


class PageError(NamedTuple):
    """Error message for the page.

    Attributes:
        text: message in one line.
        place: element of the page next to which the message is shown; `None` for the top.
    """

    text: str
    place: str | None


def number_place(card: str, field: str) -> str:
    """Return the place of a card's number on the page, such as `wolf.attack`."""
    return f"{card}.{field}"


def page_error(error: InputError, owners: Container[str]) -> PageError:
    """Return the message of an error and its place on the page.

    An error belongs to an element of the page if its place is a card, a field of a card
    (`card.field`), the constraints or a constraint (`constraints.max_cards`). The message is then
    shown there and omits the place. Any other place, such as a file, stays in the message, which is
    shown at the top.

    Args:
        error: bad input of the designer or of a file.
        owners: ids of the cards on the page, and of the rules if the page shows them.
    """
    owner, _, name = error.place.rpartition(".")
    is_on_page = (owner or name) == CONSTRAINTS or (owner or name) in owners
    if not is_on_page:
        return PageError(str(error), None)
    return PageError(str(error.with_fields(place="")), error.place)


def as_input_error(error: Exception) -> InputError:
    """Return an `InputError` unchanged, and any other exception as a report of a defect."""
    return error if isinstance(error, InputError) else InputError(defect_message(error))


def defect_message(error: BaseException) -> str:
    """Return a one-line message that requests a bug report, with the exception and its position.

    The position is the file and line that raised the exception; it is left out if the exception
    was never raised.
    """
    frames = traceback.extract_tb(error.__traceback__)
    position = f", {Path(frames[-1].filename).name} line {frames[-1].lineno}" if frames else ""
    cause = " ".join(f"{type(error).__name__}: {error}".split())
    return f"this is a defect of evenhand; please report it ({cause}{position})"
