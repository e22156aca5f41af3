"""Moves, actions and expectations of scenarios, and their references to cards and players.

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
"""Id of a card, converted to lower case."""

SeatName = Literal["p1", "p2"]
SEAT_NAMES: tuple[SeatName, ...] = ("p1", "p2")  # names of seats 0 and 1

_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLACE = re.compile(r"(p[12])\.(?:(hero|weapon)|(hand|board)\[(\d{1,3})\])")


class Place(NamedTuple):
    """Place of a card or hero in a game, as a reference such as `p1.hand[0]` names it.

    Attributes:
        seat: seat of the player, 0 or 1.
        zone: name of the zone: `hero`, `weapon`, `hand` or `board`.
        position: position in the hand or on the board, from 0; 0 for hero and weapon.
    """

    seat: int
    zone: str
    position: int


def check_label(label: str) -> str:
    """Return a label of a card unchanged if it is valid.

    Raises:
        InputError: the label is not a word of ASCII letters, digits and `_`, or is `game`, `p1` or
            `p2`, which have another meaning in paths.
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
    """Return the place that a reference names; `None` if the reference is not a place."""
    match = _PLACE.fullmatch(reference)
    if match is None:
        return None
    seat, single, zone, position = match.groups()
    return Place(SEAT_NAMES.index(seat), single or zone, int(position or 0))


def check_reference(reference: str, labels: Collection[str]) -> None:
    """Raise an error if a reference is neither a place nor a known label.

    Args:
        reference: reference to check, such as `p1.hand[0]`.
        labels: all labels of the scenario.

    Raises:
        InputError: the reference is neither a place nor one of `labels`.
    """
    if place_of(reference) is None and reference not in labels:
        if reference.startswith(tuple(f"{name}." for name in SEAT_NAMES)):
            known = "p1.hero, p1.weapon, p1.hand[0] or p1.board[0]"
            raise InputError(f"reference {reference!r} must be like {known}", value=reference)
        known_word("label", reference, sorted(labels))


Index = Annotated[int, Field(ge=0, lt=max(HAND_CAPACITY, BOARD_CAPACITY))]
Atom = bool | int | str | None
Value = Atom | tuple[Atom, ...]
"""Type of the values that paths of a position can have."""


class Move(StrictModel):
    """Action of a player during a turn, with exactly one of the keys in `kinds`.

    All other attributes are `None`, except `target`, `position` and `choose` together with `play`.

    Attributes:
        kinds: names of the attributes that determine the kind of the move.
        play: reference to the card to play.
        target: reference to the target of the played card.
        position: position on the board for the played minion, from 0.
        choose: id of the option to choose for the played card.
        attack: references to the attacker and to the attacked character.
        hero_power: reference to the target of the hero power; `True` for a power without a target.
        pick: id of the card to take in a choice between cards.
        end_turn: `True` to end the turn.
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
                raise InputError("is permitted only together with 'play'", place=key)
        return self

    @property
    def references(self) -> list[str]:
        """All references to cards and heroes in the move."""
        named = [self.play, self.target, *(self.attack or ()), self.hero_power]
        return [reference for reference in named if isinstance(reference, str)]

    @property
    def words(self) -> str:
        """Description of the move for messages, such as `play x, target b`."""
        pairs = ((key, getattr(self, key)) for key in type(self).model_fields)
        return ", ".join(_phrase(key, value) for key, value in pairs if value is not None)


class Expectation(StrictModel):
    """Condition on a position: a value or a sum of values, or whether a move is legal.

    Exactly one of `path`, `sum` and `legal` is given, and exactly one of `value`, `one_of` and
    `multiset`.

    Attributes:
        path: path of the value to compare.
        sum: paths of numbers; their sum is compared with `value`.
        legal: move of the active player; `value` is whether it must be legal.
        value: expected value.
        one_of: permitted values, with the key `in` in files.
        multiset: expected items of a list, in any order.
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
            shown = ", ".join(keys)
            raise InputError(f"must have exactly one of the keys {shown}", value=given, limit=keys)
        if self.path is None and given != ["value"]:
            raise InputError(
                "the keys sum and legal require the key value", value=given, limit=("value",)
            )
        if self.legal is not None and not isinstance(self.value, bool):
            raise InputError("with the key legal, value must be true or false", value=self.value)
        return self

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths in the expectation; `()` for an expectation about a legal move."""
        return self.sum or (() if self.path is None else (self.path,))


class Mulligan(StrictModel):
    """Cards that the players replace before the game, as distinct positions in the dealt hands.

    Attributes:
        p1: positions, from 0, in the hand of seat 0.
        p2: positions, from 0, in the hand of seat 1.
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
    """Step of a scenario: a move, a concession, a mulligan or a checkpoint.

    Exactly one of the attributes in `kinds` is given; the others are `None`.

    Attributes:
        concede: name of the seat that concedes.
        mulligan: dealt cards that the players replace.
        expect: conditions that must hold at this point of the scenario.
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
            f"must have exactly one of the keys {', '.join(keys)}, but has {present}",
            value=tuple(given),
            limit=keys,
        )


def _phrase(key: str, value: object) -> str:
    if value is True:
        return key
    if isinstance(value, tuple):
        return f"{key} {' -> '.join(map(str, value))}"
    return f"{key} {value}"
