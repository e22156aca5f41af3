"""Moves, actions and expectations, and the references by which they mean cards and players.

reference   p1.hero    p2.weapon    p1.hand[0]    p2.board[1]    a label
path        game.over    p1.mana.available    p2.board.cards    REFERENCE.attribute (`paths`)
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import AfterValidator, Field, model_validator

from sim import InputError, Name, StrictModel, known_word
from sim.ruleset import BOARD_CAPACITY, HAND_CAPACITY

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
        InputError: it is neither a place nor one of `labels`.
    """
    if place_of(reference) is None and reference not in labels:
        if reference.startswith(tuple(f"{name}." for name in SEAT_NAMES)):
            known = "p1.hero, p1.weapon, p1.hand[0] or p1.board[0]"
            raise InputError(f"reference {reference!r} must be like {known}")
        known_word("label", reference, sorted(labels))


Index = Annotated[int, Field(ge=0, lt=max(HAND_CAPACITY, BOARD_CAPACITY))]
Atom = bool | int | str | None
Value = Atom | tuple[Atom, ...]
"""What a path may lead to."""


class Move(StrictModel):
    """What a player may do in a turn; one of the keys says what."""

    kinds: ClassVar[tuple[str, ...]] = ("play", "attack", "hero_power", "pick", "end_turn")

    play: str | None = None
    target: str | None = None
    position: Index | None = None
    choose: CardName | None = None
    attack: tuple[str, str] | None = None
    hero_power: Literal[True] | str | None = None
    pick: CardName | None = None
    end_turn: Literal[True] | None = None

    @model_validator(mode="after")
    def _does_one_thing(self) -> Move:
        _check_one_of(self, self.kinds)
        for key in ("target", "position", "choose"):
            if getattr(self, key) is not None and self.play is None:
                raise ValueError(f"{key}: has a meaning only beside 'play'")
        return self

    @property
    def references(self) -> list[str]:
        """The references to cards and heroes."""
        named = [self.play, self.target, *(self.attack or ()), self.hero_power]
        return [reference for reference in named if isinstance(reference, str)]

    @property
    def words(self) -> str:
        """What it does, for messages: `play x, target b`."""
        pairs = ((key, getattr(self, key)) for key in type(self).model_fields)
        return ", ".join(_phrase(key, value) for key, value in pairs if value is not None)


class Expectation(StrictModel):
    """A condition on a position.

    Attributes:
        path: what to read.
        sum: several paths whose numbers are added up.
        legal: a move that may be allowed or not.
        value: what it must be.
        one_of: what it may be.
        multiset: its elements in any order.
    """

    path: str | None = None
    sum: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    legal: Move | None = None
    value: Value = None
    one_of: tuple[Value, ...] | None = Field(default=None, alias="in")
    multiset: tuple[Atom, ...] | None = None

    @model_validator(mode="after")
    def _asks_one_thing(self) -> Expectation:
        _check_one_of(self, ("path", "sum", "legal"))
        given = [key for key in ("value", "one_of", "multiset") if key in self.model_fields_set]
        if len(given) != 1:
            raise ValueError("needs one of 'value', 'in', 'multiset'")
        if self.path is None and given != ["value"]:
            raise ValueError("sum and legal need 'value'")
        if self.legal is not None and not isinstance(self.value, bool):
            raise ValueError("legal needs value true or false")
        return self

    @property
    def paths(self) -> tuple[str, ...]:
        """What it reads."""
        return self.sum or (() if self.path is None else (self.path,))


class Mulligan(StrictModel):
    """Positions of the dealt cards that each player replaces."""

    p1: tuple[Index, ...] = ()
    p2: tuple[Index, ...] = ()

    @model_validator(mode="after")
    def _positions_differ(self) -> Mulligan:
        for name in SEAT_NAMES:
            positions = getattr(self, name)
            if len(set(positions)) < len(positions):
                raise ValueError(f"{name}: names a card twice")
        return self


class Action(Move):
    """A move, or something else that happens between two positions."""

    kinds: ClassVar[tuple[str, ...]] = (*Move.kinds, "concede", "mulligan", "expect")

    concede: SeatName | None = None
    mulligan: Mulligan | None = None
    expect: tuple[Expectation, ...] | None = None


def _check_one_of(model: StrictModel, keys: tuple[str, ...]) -> None:
    given = [key for key in keys if getattr(model, key) is not None]
    if len(given) != 1:
        found = f"has {' and '.join(given)}" if given else "has none"
        raise ValueError(f"needs exactly one of {', '.join(keys)}; it {found}")


def _phrase(key: str, value: object) -> str:
    if value is True:
        return key
    if isinstance(value, tuple):
        return f"{key} {' -> '.join(map(str, value))}"
    return f"{key} {value}"
