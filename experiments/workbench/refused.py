"""Refused: what was asked of the workbench and cannot be, and where on the page to say so."""

from __future__ import annotations

from sim.errors import InputError


class Refused(InputError):  # noqa: N818 (it is what became of a request)
    """Says what is wrong in one line, like every error.

    Attributes:
        place: `card.field`, a card, or `constraints.max_cards`; `None` where it is nowhere.
    """

    def __init__(self, message: object, place: str | None = None) -> None:
        super().__init__(message)
        self.place = place
