"""Effect rows: on an event, when a condition holds, do an action to a group.

A row whose group can only yield what its action cannot act on is refused. Where a group may
yield several things, as `previous` may, the handlers pass over those that do not fit.
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
from sim.errors import InputError
from sim.files.validation import StrictModel, one_of
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
"""Keys that most actions refuse; `Action.takes` and `Action.may_take` name those that do not."""

_OF_CHANCE_AND_TIME = ("pick", "spare", "repeat", "amount_to", "lasts")


def _card_id(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    if not text.isidentifier() or text.startswith("_") or text != text.lower():
        raise ValueError("must be lower-case letters, digits and _, and begin with a letter")
    return text


def _are_keywords(keywords: tuple[str, ...]) -> tuple[str, ...]:
    known = Names("keyword", words(Keyword))
    found = tuple(map(known.find, keywords))
    for place, keyword in enumerate(found):
        if keyword in found[:place]:
            raise ValueError(f"keyword {keyword!r} is given twice")
    return found


def parsed(read: Callable[[str], Notation], *, or_nothing: bool = False) -> GetPydanticSchema:
    """Says of a field that files spell it as text, and that it holds what that means.

    Args:
        read: parses the text.
        or_nothing: whether it may be blank, which means `None`.
    """

    def value(given: object, check: Callable[[object], str]) -> Notation | None:
        if isinstance(given, Notation) or (given is None and or_nothing):
            return given
        text = check(given)
        return replace(read(text), text=text) if text or not or_nothing else None

    written = core_schema.plain_serializer_function_ser_schema(
        lambda notation: str(notation or ""), return_schema=core_schema.str_schema()
    )
    schema = core_schema.no_info_wrap_validator_function(
        value, core_schema.str_schema(), serialization=written
    )
    return GetPydanticSchema(lambda _, __: schema)


CardId = Annotated[str, AfterValidator(_card_id)]
Keywords = Annotated[tuple[str, ...], AfterValidator(_are_keywords)]
GroupField = Annotated[Group, parsed(read_group)]
ConditionField = Annotated[Bounds, parsed(read_condition)]


class Token(StrictModel):
    """The plain unit that a summon puts on the board: attack 0 to 1000, health 1 to 1000."""

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
        on: the event, see `sim.cards.vocabulary.Event`.
        of: what the event must have happened to, a group (`sim.cards.notation`).
        when: the condition (`sim.cards.notation`).
        do: the action, see `sim.cards.actions`.
        to: whom, a group; default the action's, such as the enemy player for damage.
        pick: act on so many of the group, picked at random; 0 for all of it.
        spare: leave out so many of the group, picked at random.
        repeat: do it all so many times, each time with picks of its own.
        amount: how much or how many, 1 to 1000; of some actions below 0 as well.
        amount_to: if given, the amount is any from `amount` to this, equally likely.
        attack: what `buff` adds to the attack, and what `set` changes it to.
        health: likewise the health, or a weapon's durability.
        times: what to multiply amount, attack and health by, a measure (`sim.cards.notation`).
        at_least: what `cost` does not go below.
        keywords: what `grant` gives.
        absent: summon only one of `cards` that the own side does not have yet.
        lasts: how long `buff` and `grant` last; default always.
        by: whose doing it is: the card's, or its target's.
        receiver: who gets what `copy` copies: the owner of the row, or the enemy.
        kind: which cards `discount` makes cheaper.
        of_enemy_hero: of `cards`, give only those of the enemy's class.
        token: the plain unit to summon.
        cards: the cards to summon, equip, give or transform into, by id; one at random of
            several.
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
    kind: Annotated[str, one_of("kind", ("", "spell", "secret"))] = ""
    of_enemy_hero: bool = False
    token: Token | None = None
    cards: tuple[CardId, ...] = ()

    @property
    def event(self) -> Event:
        """What sets it off."""
        return Event[self.on.upper()]

    @property
    def action(self) -> Action:
        """What it does."""
        return all_actions()[self.do]

    @model_validator(mode="after")
    def _keys_fit_action(self) -> Effect:
        action = self.action
        for key, fields in GIFTS.items():
            is_given = any(map(self.says, fields))
            if is_given and key not in (*action.takes, *action.may_take):
                takers = [word for word, one in all_actions().items() if key in one.takes]
                takers += [word for word, one in all_actions().items() if key in one.may_take]
                raise ValueError(f"{self.do} takes no {key}; {', '.join(takers)} does")
            if not is_given and key in action.takes:
                raise ValueError(f"{self.do} needs {key}")
        return self

    def says(self, key: str) -> bool:
        """Whether it says of a key anything but what goes without saying."""
        return bool(getattr(self, key) != type(self).model_fields[key].default)

    @model_validator(mode="after")
    def _numbers_fit_action(self) -> Effect:
        action = self.action
        if self.amount < 1 and not action.may_be_negative:
            raise ValueError(f"amount = {self.amount} must be at least 1")
        if self.amount_to is not None and self.amount_to < self.amount:
            raise ValueError(f"amount_to = {self.amount_to} must be at least {self.amount}")
        self._check_standing_row()
        if action.needs and self.on not in action.needs:
            events = " or ".join(f"on = {event!r}" for event in action.needs)
            raise ValueError(f"{self.do}: on = {self.on!r}; it needs {events}")
        if self.lasts == "next_turn" and action.kept and self.kind != "spell":
            raise ValueError(f"lasts = {self.lasts!r}: only a discount of spells lasts so long")
        if self.lasts not in action.lasts:
            why = action.kept or f"{self.do} is over at once"
            raise ValueError(f"lasts = {self.lasts!r}: {why}")
        if action.check is not None:
            action.check(self)
        if self.on == "aura" and not action.aura:
            raise ValueError(f"an aura can buff, set, grant or change a cost, not {self.do}")
        if self.absent and len(self.cards) < 2:
            raise ValueError("absent: needs cards to choose from")
        return self

    def _check_standing_row(self) -> None:
        """Auras and cost formulas hold for the whole group, without luck and again and again."""
        if not self.event.about.holds:
            return
        if self.when.is_luck or (self.times and self.times.is_luck):
            raise ValueError(f"coin_flip: {self.on} holds without luck")
        if self.on == "own_cost" and (self.do, self.to.selector) != ("cost", Selector.SELF):
            raise ValueError("own_cost: only do = 'cost', to = 'self' is for what a card costs")
        for key in filter(self.says, _OF_CHANCE_AND_TIME):
            raise ValueError(f"{key} = {getattr(self, key)!r}: {self.on} takes none")


# --- what rows find, and whether their actions can act on that ---

_SELF = {
    "minion": MINION,
    "spell": CARD,
    "weapon": WEAPON,
    "power": PLAYER,
    "secret": CARD | SECRET,
    "attachment": CHARACTER,
}  # an option is the card that it belongs to


def check_receivers(effect: Effect, kind: str, target: Group | None) -> None:
    """Refuse a row that acts on nothing that its action can act on.

    Args:
        effect: the row.
        kind: of the card that it stands on.
        target: whom that card may choose, if anybody.

    Raises:
        InputError: says what the action acts on, and what it would find.
    """
    takes = effect.action.acts_on
    finds = _yields(effect, kind, target)
    if effect.on == "aura":
        takes &= CARD if effect.do == "cost" else PLAYER | MINION | WEAPON
        if not effect.to.selector.about.in_auras:
            raise InputError(f"to = {effect.to!r}: an aura is about no event and no play")
    if not takes & finds:
        found = f"it finds {receiver_words(finds)}" if finds else "nothing is found there"
        what = "an aura's " * (effect.on == "aura") + effect.do
        raise InputError(f"to = {effect.to!r}: {what} acts on {receiver_words(takes)}; {found}")


def _yields(effect: Effect, kind: str, target: Group | None) -> Receiver:
    """What a row's group can hold."""
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
        return PLAYER  # whose deck holds the card
    return CARD if effect.on == "own_cost" else _SELF.get(kind, ANYTHING)


def _in_group(group: Group) -> Receiver:
    """What a group that names a place can hold."""
    finds = _without_players(group.selector.about.finds, group)
    return finds if group.kind in (None, Kind.MINION) else finds & ~MINION


def _without_players(finds: Receiver, group: Group) -> Receiver:
    """No player is of a kind or a tribe."""
    return finds & ~PLAYER if group.kind is not None or group.tribe else finds
