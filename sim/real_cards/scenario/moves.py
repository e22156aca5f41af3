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
from sim.errors import listed
from sim.ruleset import BOARD_CAPACITY, HAND_CAPACITY

CardName = Annotated[Name, AfterValidator(str.lower)]
"""The id of a card; files may spell it in capitals, pools do not."""

SeatName = Literal["p1", "p2"]
SEAT_NAMES: tuple[SeatName, ...] = ("p1", "p2")  # names of seat 0 and seat 1

_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLACE = re.compile(r"(p[12])\.(?:(hero|weapon)|(hand|board)\[(\d{1,3})\])")


class Place(NamedTuple):
    """The place that a reference names, unless it is a label.

    Attributes:
        seat: the player's seat.
        zone: `hero`, `weapon`, `hand` or `board`.
        position: position in the hand or on the board, from 0; 0 for hero and weapon.
    """

    seat: int
    zone: str
    position: int


def check_label(label: str) -> str:
    """Return `label`, if nothing else has the same spelling.

    Raises:
        InputError: it is no word, or has another meaning.
    """
    if not _LABEL.fullmatch(label) or label in (*SEAT_NAMES, "game"):
        reserved = ("game", *SEAT_NAMES)
        raise InputError(
            f"label {label!r} must be a word other than {listed(reserved, 'or')}",
            value=label,
            limit=reserved,
        )
    return label


def place_of(reference: str) -> Place | None:
    """Return the place that a reference names; `None` for a label."""
    match = _PLACE.fullmatch(reference)
    if match is None:
        return None
    seat, single, zone, position = match.groups()
    return Place(SEAT_NAMES.index(seat), single or zone, int(position or 0))


def check_reference(reference: str, labels: Collection[str]) -> None:
    """Refuse a reference that names nothing.

    Args:
        reference: the reference.
        labels: the labels of the scenario.

    Raises:
        InputError: it is neither a place nor one of `labels`.
    """
    if place_of(reference) is None and reference not in labels:
        if reference.startswith(tuple(f"{name}." for name in SEAT_NAMES)):
            known = "p1.hero, p1.weapon, p1.hand[0] or p1.board[0]"
            raise InputError(f"reference {reference!r} must be like {known}", value=reference)
        known_word("label", reference, sorted(labels))


Index = Annotated[int, Field(ge=0, lt=max(HAND_CAPACITY, BOARD_CAPACITY))]
Atom = bool | int | str | None
Value = Atom | tuple[Atom, ...]
"""The value that a path can have."""


class Move(StrictModel):
    """An action of a player in a turn; exactly one of the keys in `kinds` says which.

    Attributes:
        play: reference to the card to play.
        target: reference to the target of the played card.
        position: position on the board for the played minion, from 0.
        choose: id of the option to choose for the played card.
        attack: references to the attacker and to its target.
        hero_power: reference to the target of the hero power; `true` for a power without one.
        pick: id of the card to take in a choice between cards.
        end_turn: `true` to end the turn.
    """

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
    def _check_kind(self) -> Move:
        _check_one_of(self, self.kinds)
        for key in ("target", "position", "choose"):
            if getattr(self, key) is not None and self.play is None:
                raise InputError("has a meaning only together with 'play'", place=key)
        return self

    @property
    def references(self) -> list[str]:
        """The references to cards and heroes."""
        named = [self.play, self.target, *(self.attack or ()), self.hero_power]
        return [reference for reference in named if isinstance(reference, str)]

    @property
    def words(self) -> str:
        """The move in words, for messages: `play x, target b`."""
        pairs = ((key, getattr(self, key)) for key in type(self).model_fields)
        return ", ".join(_phrase(key, value) for key, value in pairs if value is not None)


class Expectation(StrictModel):
    """A condition on a position.

    Attributes:
        path: the path to read.
        sum: several paths with numbers to add.
        legal: a move that must, or must not, be legal.
        value: the expected value.
        one_of: the permitted values; `in` in files.
        multiset: the expected elements, in any order.
    """

    path: str | None = None
    sum: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    legal: Move | None = None
    value: Value = None
    one_of: tuple[Value, ...] | None = Field(default=None, alias="in")
    multiset: tuple[Atom, ...] | None = None

    @model_validator(mode="after")
    def _check_keys(self) -> Expectation:
        _check_one_of(self, ("path", "sum", "legal"))
        given = [key for key in ("value", "one_of", "multiset") if key in self.model_fields_set]
        if len(given) != 1:
            keys = ("value", "in", "multiset")
            raise InputError(f"needs exactly one of {', '.join(keys)}", value=given, limit=keys)
        if self.path is None and given != ["value"]:
            raise InputError("sum and legal need the key value", value=given, limit=("value",))
        if self.legal is not None and not isinstance(self.value, bool):
            raise InputError("legal needs the value true or false", value=self.value)
        return self

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that it reads."""
        return self.sum or (() if self.path is None else (self.path,))


class Mulligan(StrictModel):
    """The cards that each player replaces: positions in the dealt hand, from 0.

    Attributes:
        p1: positions of the first seat.
        p2: positions of the second seat.
    """

    p1: tuple[Index, ...] = ()
    p2: tuple[Index, ...] = ()

    @model_validator(mode="after")
    def _check_positions(self) -> Mulligan:
        for name in SEAT_NAMES:
            positions = getattr(self, name)
            if len(set(positions)) < len(positions):
                raise InputError("names a card twice", place=name, value=positions)
        return self


class Action(Move):
    """A move, or another event between two positions; exactly one key in `kinds` says which.

    Attributes:
        concede: the player who concedes.
        mulligan: the dealt cards that the players replace.
        expect: conditions that must hold at this point.
    """

    kinds: ClassVar[tuple[str, ...]] = (*Move.kinds, "concede", "mulligan", "expect")

    concede: SeatName | None = None
    mulligan: Mulligan | None = None
    expect: tuple[Expectation, ...] | None = None


def _check_one_of(model: StrictModel, keys: tuple[str, ...]) -> None:
    given = [key for key in keys if getattr(model, key) is not None]
    if len(given) != 1:
        present = " and ".join(given) if given else "none"
        raise InputError(
            f"needs exactly one of {', '.join(keys)}; has {present}", value=tuple(given), limit=keys
        )


def _phrase(key: str, value: object) -> str:
    if value is True:
        return key
    if isinstance(value, tuple):
        return f"{key} {' -> '.join(map(str, value))}"
    return f"{key} {value}"
