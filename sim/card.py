"""Cards: numbers, keywords and effect rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from sim.errors import unknown_word
from sim.ruleset import Number, PositiveNumber, Range
from sim.strict_model import Name, StrictModel
from sim.vocabulary import ACTIONS, Condition, Event, Keyword, Kind, Selector

FIELDS = ("cost", "attack", "health")
"""The numbers of a card, the only things that balancing may move, in their fixed order."""

_ID_PATTERN = re.compile(r"[a-z][a-z0-9_]*")


def words(vocabulary: type[Enum]) -> list[str]:
    """The words of one enum of `sim.vocabulary`, as files spell them."""
    return [member.name.lower() for member in vocabulary]


def default_selector(action: str) -> str:
    """Whom an effect acts on when its row does not say."""
    return "enemy_player" if action == "damage" else "own_player"


def _known(what: str, word: str, known: Iterable[str]) -> str:
    known = list(known)
    if word not in known:
        raise ValueError(unknown_word(what, word, known))
    return word


def _is_card_id(text: str) -> str:
    if not _ID_PATTERN.fullmatch(text):
        raise ValueError("must be lower-case letters, digits and _, and begin with a letter")
    return text


def _are_keywords(keywords: tuple[str, ...]) -> tuple[str, ...]:
    for place, keyword in enumerate(keywords):
        _known("keyword", keyword, words(Keyword))
        if keyword in keywords[:place]:
            raise ValueError(f"keyword {keyword!r} is given twice")
    return keywords


def _in_field_order(ranges: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    for field in ranges:
        _known("key", field, FIELDS)
    return {field: ranges[field] for field in FIELDS if field in ranges}


CardId = Annotated[str, AfterValidator(_is_card_id)]
Keywords = Annotated[tuple[str, ...], AfterValidator(_are_keywords)]
EventWord = Annotated[str, AfterValidator(lambda word: _known("event", word, words(Event)))]
ConditionWord = Annotated[
    str, AfterValidator(lambda word: _known("condition", word, words(Condition)))
]
# Actions are looked up when a card is read, since a user's code may have added some by then.
ActionWord = Annotated[str, AfterValidator(lambda word: _known("action", word, ACTIONS))]
SelectorWord = Annotated[
    str, AfterValidator(lambda word: _known("selector", word, words(Selector)))
]
KindWord = Annotated[str, AfterValidator(lambda word: _known("kind", word, words(Kind)))]


class Token(StrictModel):
    """The unit that a summon puts on the board: attack 0 to 1000, health 1 to 1000."""

    attack: Number
    health: PositiveNumber
    keywords: Keywords = ()


def _selector_of(data: dict[str, Any]) -> str:
    return default_selector(data.get("do", ""))


class Effect(StrictModel):
    """One row: on an event, when a condition holds, do an action to somebody.

    Attributes:
        on: the event, see `sim.vocabulary.Event`.
        when: the condition, see `sim.vocabulary.Condition`.
        do: the action, see `sim.vocabulary.ACTIONS`.
        to: the selector; default the enemy player for damage, the own player for the rest.
        amount: how much or how many, 1 to 1000.
        token: the unit to summon; belongs to `summon` and to nothing else.
    """

    on: EventWord
    when: ConditionWord = "always"
    do: ActionWord
    to: SelectorWord = Field(default_factory=_selector_of)
    amount: PositiveNumber = 1
    token: Token | None = None

    @model_validator(mode="after")
    def _token_fits_action(self) -> Effect:
        if self.do == "summon" and self.token is None:
            raise ValueError("summon needs a token, such as { attack = 1, health = 1 }")
        if self.do != "summon" and self.token is not None:
            raise ValueError(f"{self.do} takes no token; only summon does")
        return self


class Card(StrictModel):
    """One card of a pool.

    Attributes:
        id: the stable key that decks and results refer to, unique in its pool.
        name: what people read.
        kind: see `sim.vocabulary.Kind`.
        cost: mana to play it, 0 to 1000.
        attack: damage that its body deals, 0 to 1000.
        health: damage that destroys its body, 1 to 1000.
        keywords: standing abilities of the body, see `sim.vocabulary.Keyword`.
        effects: what else it does, in the order in which it happens.
        tunable: for each of `FIELDS` that balancing may move, the lowest and highest value; a
            field left out is locked. `None` leaves the matter to the experiment.
    """

    id: CardId
    name: Name
    kind: KindWord = "minion"
    cost: Number
    attack: Number
    health: PositiveNumber
    keywords: Keywords = ()
    effects: tuple[Effect, ...] = ()
    tunable: Annotated[dict[str, Range], AfterValidator(_in_field_order)] | None = None

    @model_validator(mode="after")
    def _tunable_holds_present_values(self) -> Card:
        for field, (low, high) in (self.tunable or {}).items():
            if low == 0 and field == "health":
                raise ValueError(f"tunable.health = {[low, high]} must not go below 1")
            present = self.number(field)
            if not low <= present <= high:
                raise ValueError(
                    f"tunable.{field} = {[low, high]} must contain the present {field} = {present}"
                )
        return self

    def number(self, field: str) -> int:
        """The present value of one of `FIELDS`."""
        value: int = getattr(self, field)
        return value
