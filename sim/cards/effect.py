"""Effect rows: on an event, if a condition holds, do an action to a group.

A row is refused if its group can hold only things that its action cannot act on. If a group can
hold several kinds of things, as `previous` can, the handlers skip those that do not fit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field, GetPydanticSchema, model_validator
from pydantic_core import core_schema

from sim.cards.action import Action
from sim.cards.actions import all_actions
from sim.cards.notation import (
    ALWAYS,
    Bounds,
    Group,
    Notation,
    Reading,
    read_condition,
    read_group,
    read_measure,
    words,
)
from sim.cards.vocabulary import Event, Keyword, Kind, Lasting, Selector
from sim.cards.vocabulary.receivers import (
    ANYTHING,
    CARD,
    CHARACTER,
    MINION,
    PLAYER,
    SECRET,
    WEAPON,
    Receiver,
    receiver_words,
)
from sim.errors import InputError, listed
from sim.files.validation import StrictModel, one_of, shown_value
from sim.names import Names, named_word
from sim.ruleset import Number, PositiveNumber, SignedNumber

GIFTS = {
    "token": ("token",),
    "cards": ("cards",),
    "keywords": ("keywords",),
    "attack or health": ("attack", "health"),
    "kind": ("kind",),
    "receiver": ("receiver",),
    "of_enemy_hero": ("of_enemy_hero",),
}
"""Keys that most actions refuse; `Action.takes` and `Action.may_take` name the permitted ones."""

_OF_CHANCE_AND_TIME = ("pick", "spare", "repeat", "amount_to", "lasts")
"""Keys that have no meaning in a row that holds all the time, such as an aura."""


def _check_card_id(text: str) -> str:
    # One spelling for letters that Unicode can compose in two ways, such as e with an accent.
    text = unicodedata.normalize("NFC", text)
    if not text.isidentifier() or text.startswith("_") or text != text.lower():
        raise InputError(
            "must be lower-case letters, digits and _, and begin with a letter", value=text
        )
    return text


def _read_keywords(keywords: tuple[str, ...]) -> tuple[str, ...]:
    names = Names("keyword", words(Keyword))
    known = tuple(map(names.find, keywords))
    for place, keyword in enumerate(known):
        if keyword in known[:place]:
            raise InputError(
                f"keyword {keyword!r} is given twice", value=keyword, remedy="keep one"
            )
    return known


def parsed(read: Callable[[str], Notation], *, or_nothing: bool = False) -> GetPydanticSchema:
    """Return the schema of a field that files spell as text and models hold as parsed notation.

    Args:
        read: parses the text.
        or_nothing: whether the text may be blank, which means `None`.
    """

    def value(given: object, check: Callable[[object], str]) -> Notation | None:
        if isinstance(given, Notation) or (given is None and or_nothing):
            return given
        text = check(given)
        # The author's spelling is kept with the meaning, so that a written file has it again.
        return replace(read(text), text=text) if text or not or_nothing else None

    written = core_schema.plain_serializer_function_ser_schema(
        lambda notation: str(notation or ""), return_schema=core_schema.str_schema()
    )
    schema = core_schema.no_info_wrap_validator_function(
        value, core_schema.str_schema(), serialization=written
    )
    return GetPydanticSchema(lambda _, __: schema)


def _check_discounted_kind(word: str) -> str:
    return word and named_word("kind", word, ("spell", "secret"))  # blank for all kinds


CardId = Annotated[str, AfterValidator(_check_card_id)]
Keywords = Annotated[tuple[str, ...], AfterValidator(_read_keywords)]
GroupField = Annotated[Group, parsed(read_group)]
ConditionField = Annotated[Bounds, parsed(read_condition)]


class Token(StrictModel):
    """A plain unit that a `summon` row puts on the board, without an id of its own.

    Attributes:
        attack: damage that it deals, 0 to 1000.
        health: damage that destroys it, 1 to 1000.
        keywords: its standing abilities.
    """

    attack: Number
    health: PositiveNumber
    keywords: Keywords = ()


def _subject_of(data: dict[str, Any]) -> Any:
    return Event[data["on"].upper()].about.of


def _receiver_of(data: dict[str, Any]) -> Any:
    return all_actions()[data["do"]].default_to


class Effect(StrictModel):
    """One row: on an event, when a condition holds, do an action to a group.

    Attributes:
        on: the event that sets the row off, see `sim.cards.vocabulary.Event`.
        of: the group (`sim.cards.notation`) that the event must have happened to.
        when: the condition under which the row acts (`sim.cards.notation`).
        do: the action, see `sim.cards.actions`.
        to: the group that it acts on; default the action's own, such as the enemy player for
            damage.
        pick: number of members to act on, picked at random; 0 for all of the group.
        spare: number of members to leave out, picked at random.
        repeat: number of times to do it, each time with picks of its own.
        amount: how much or how many, 1 to 1000; below 0 for some actions only.
        amount_to: if given, the amount is drawn uniformly from `amount` to this, both included.
        attack: number that `buff` adds to the attack, and that `set` changes it to.
        health: number that `buff` adds to the health, or to a weapon's durability, and that `set`
            changes it to.
        times: measure by which amount, attack and health are multiplied (`sim.cards.notation`).
        at_least: lowest cost that the action `cost` may reach.
        keywords: keywords that `grant` gives.
        absent: whether to summon only one of those `cards` that the own side does not have yet.
        lasts: how long the result of `buff`, `grant` and similar actions is kept.
        by: who counts as the cause: the card (`self`) or its target (`target`).
        receiver: who gets the card that `copy` copies: the owner of the row, or the enemy.
        kind: the kind of cards that `discount` makes cheaper; `""` for all.
        of_enemy_hero: whether to give only those of `cards` that belong to the enemy's class.
        token: the plain unit to summon.
        cards: ids of the cards to summon, equip, give or transform into; if several are given, one
            is drawn at random.
    """

    on: Annotated[str, one_of("event", words(Event))]
    of: GroupField = Field(default_factory=_subject_of)
    when: ConditionField = ALWAYS
    do: Annotated[str, AfterValidator(lambda word: named_word("action", word, all_actions()))]
    to: GroupField = Field(default_factory=_receiver_of)
    pick: Number = 0
    spare: Number = 0
    repeat: PositiveNumber = 1
    amount: SignedNumber = 1
    amount_to: PositiveNumber | None = None
    attack: SignedNumber | None = None
    health: SignedNumber | None = None
    times: Annotated[Reading, parsed(read_measure)] | None = None
    at_least: Number = 0
    keywords: Keywords = ()
    absent: bool = False
    lasts: Annotated[str, one_of("duration", words(Lasting))] = "always"
    by: Annotated[str, one_of("doer", ("self", "target"))] = "self"
    receiver: Annotated[str, one_of("side", ("own", "enemy"))] = "own"
    kind: Annotated[str, AfterValidator(_check_discounted_kind)] = ""
    of_enemy_hero: bool = False
    token: Token | None = None
    cards: tuple[CardId, ...] = ()

    @property
    def event(self) -> Event:
        """The event that sets the row off."""
        return Event[self.on.upper()]

    @property
    def action(self) -> Action:
        """The action that the row does."""
        return all_actions()[self.do]

    @model_validator(mode="after")
    def _check_keys(self) -> Effect:
        """Refuse keys of `GIFTS` that the action does not take, or lacks."""
        action = self.action
        for key, fields in GIFTS.items():
            has_key = any(map(self.is_given, fields))
            if has_key and key not in (*action.takes, *action.may_take):
                takers = [word for word, other in all_actions().items() if key in other.takes]
                takers += [word for word, other in all_actions().items() if key in other.may_take]
                raise InputError(
                    f"{self.do} takes no {key}, only {listed(takers)} may",
                    place="do",
                    value=self.do,
                    limit=tuple(takers),
                )
            if not has_key and key in action.takes:
                raise InputError(f"{self.do} needs {key}", place="do", value=self.do)
        return self

    def is_given(self, key: str) -> bool:
        """Return whether a key has another value than its default."""
        return bool(getattr(self, key) != type(self).model_fields[key].default)

    @model_validator(mode="after")
    def _check_numbers_and_times(self) -> Effect:
        """Refuse an amount, an event or a duration that the action cannot have."""
        action = self.action
        if self.amount < 1 and not action.may_be_negative:
            raise self._value_error("amount", "must be at least 1", limit=1)
        if self.amount_to is not None and self.amount_to < self.amount:
            raise self._value_error(
                "amount_to", f"must be at least the amount {self.amount}", limit=self.amount
            )
        self._check_standing_row()
        if action.needs and self.on not in action.needs:
            events = " or ".join(f"on = {event!r}" for event in action.needs)
            raise self._value_error(
                "on", f"cannot set off {self.do}, which needs {events}", limit=action.needs
            )
        if self.lasts == "next_turn" and action.kept and self.kind != "spell":
            raise self._value_error("lasts", "is only for a discount of spells")
        if self.lasts not in action.lasts:
            reason = action.kept or f"{self.do} is over at once"
            raise self._value_error("lasts", f"is not possible: {reason}", limit=action.lasts)
        if action.check is not None:
            action.check(self)
        if self.on == "aura" and not action.aura:
            raise self._value_error("do", "is not for an aura, which can buff, set, grant or cost")
        if self.absent and len(self.cards) < 2:
            raise InputError("needs at least 2 cards to choose from", place="absent", limit=2)
        return self

    def _check_standing_row(self) -> None:
        """Refuse chance, choice and duration in a row that holds all the time.

        Auras and cost formulas are computed anew many times a turn, for the whole group.
        """
        if not self.event.about.holds:
            return
        for key, notation in (("when", self.when), ("times", self.times)):
            if notation is not None and notation.is_random:
                raise self._value_error(key, f"depends on chance; on = {self.on!r} must be certain")
        if self.on == "own_cost" and (self.do, self.to.selector) != ("cost", Selector.SELF):
            raise self._value_error(
                "on",
                "changes the cost of its own card alone",
                remedy="write do = 'cost', to = 'self'",
            )
        for key in filter(self.is_given, _OF_CHANCE_AND_TIME):
            raise self._value_error(
                key, f"has no meaning with on = {self.on!r}", remedy="delete it"
            )

    def _value_error(
        self, key: str, problem: str, *, limit: object = None, remedy: str = ""
    ) -> InputError:
        """Return the error for the value of a key, rendered as `KEY = VALUE PROBLEM; REMEDY`."""
        value = getattr(self, key)
        return InputError(
            f"{shown_value(value)} {problem}",
            place=key,
            value=value,
            limit=limit,
            remedy=remedy,
            separator=" = ",
        )


# --- receivers: what the group of a row can hold, and what its action can act on ---

_SELF = {
    "minion": MINION,
    "spell": CARD,
    "weapon": WEAPON,
    "power": PLAYER,
    "secret": CARD | SECRET,
    "attachment": CHARACTER,
}  # an option is absent: it acts as the card that it belongs to, of any kind


def check_receivers(effect: Effect, kind: str, target: Group | None) -> None:
    """Refuse a row if its group holds nothing that its action can act on.

    Args:
        effect: the row.
        kind: kind of the card that the row stands on.
        target: the group that the card's target may be chosen from, if it has one.

    Raises:
        InputError: names what the action acts on, and what the group holds.
    """
    takes = effect.action.acts_on
    finds = _yields(effect, kind, target)
    # Auras change numbers of players and bodies in play; only costs are changed in hands.
    if effect.on == "aura":
        takes &= CARD if effect.do == "cost" else PLAYER | MINION | WEAPON
        if not effect.to.selector.about.in_auras:
            raise InputError(
                f"{effect.to!r} is not for an aura, which belongs to no event and no play",
                place="to",
                value=effect.to,
                separator=" = ",
            )
    if not takes & finds:
        holds = receiver_words(finds) if finds else "nothing"
        action = "an aura's " * (effect.on == "aura") + effect.do
        raise InputError(
            f"{effect.to!r} holds {holds}, but {action} acts on {receiver_words(takes)}",
            place="to",
            value=effect.to,
            separator=" = ",
        )


def _yields(effect: Effect, kind: str, target: Group | None) -> Receiver:
    """Return the kinds of receivers that a row's group can hold."""
    group = effect.to
    if group.selector == Selector.SELF:
        finds = _self(effect, kind)
    elif group.selector == Selector.SUBJECT:
        finds = effect.event.about.finds
        if effect.of.selector <= Selector.CHARACTERS:
            finds &= _in_group(effect.of)
    elif group.selector == Selector.TARGET and target is not None:
        finds = _in_group(target)
    else:
        return _in_group(group)
    return _without_players(finds, group)


def _self(effect: Effect, kind: str) -> Receiver:
    if effect.on == "game_start":
        return PLAYER  # a card in a deck has no record, so its owner stands for it
    return CARD if effect.on == "own_cost" else _SELF.get(kind, ANYTHING)


def _in_group(group: Group) -> Receiver:
    """Return the kinds of receivers in a group that names a place, such as `own_minions`."""
    finds = _without_players(group.selector.about.finds, group)
    return finds if group.kind in (None, Kind.MINION) else finds & ~MINION


def _without_players(finds: Receiver, group: Group) -> Receiver:
    """Return the receivers without players if the group has a filter that no player can meet."""
    return finds & ~PLAYER if group.kind is not None or group.tribe else finds
