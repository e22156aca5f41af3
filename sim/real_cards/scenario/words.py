"""References: the words by which scenarios mean cards, heroes and players.

reference   p1.hero    p2.weapon    p1.hand[0]    p2.board[1]    a label
path        game.over    p1.mana.available    p2.board.cards    REFERENCE.attribute (`paths`)
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator

from sim.errors import unknown_word
from sim.files.strict_model import Name

CardName = Annotated[Name, AfterValidator(str.lower)]
"""A card's id; files may spell it in capitals, pools do not."""

SeatName = Literal["p1", "p2"]
SEAT_NAMES: tuple[SeatName, ...] = ("p1", "p2")  # by seat

_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLACE = re.compile(r"(p[12])\.(?:(hero|weapon)|(hand|board)\[(\d{1,3})\])")


class Place(NamedTuple):
    """Where a reference points that is no label."""

    seat: int
    zone: str  # hero, weapon, hand or board
    position: int


def check_label(label: str) -> str:
    """`label`, if nothing else is spelt like it.

    Raises:
        ValueError: it is not a word, or means something else.
    """
    if not _LABEL.fullmatch(label) or label in (*SEAT_NAMES, "game"):
        raise ValueError(f"label {label!r} must be a word other than game, {', '.join(SEAT_NAMES)}")
    return label


def place_of(reference: str) -> Place | None:
    """Where a reference points, `None` for a label."""
    match = _PLACE.fullmatch(reference)
    if match is None:
        return None
    seat, single, zone, position = match.groups()
    return Place(SEAT_NAMES.index(seat), single or zone, int(position or 0))


def check_reference(reference: str, labels: Collection[str]) -> None:
    """Refuse a reference to nothing.

    Raises:
        ValueError: it is neither a place nor one of `labels`.
    """
    if place_of(reference) is None and reference not in labels:
        if reference.startswith(tuple(f"{name}." for name in SEAT_NAMES)):
            known = "p1.hero, p1.weapon, p1.hand[0] or p1.board[0]"
            raise ValueError(f"reference {reference!r} must be like {known}")
        raise ValueError(unknown_word("label", reference, sorted(labels)))
