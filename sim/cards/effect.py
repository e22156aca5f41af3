"""Effect rows: on an event, if a condition holds, do an action to a group.

A row is refused if its action cannot act on any member that its group can have. If a group can have
members of several kinds, as `previous` can, the handlers skip members that the action cannot act
on.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field, GetPydanticSchema, model_validator
from pydantic_core import core_schema

from sim.cards.action import Action, all_actions
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
from sim.cards.vocabulary import Event, Keyword, Kind, Lasting, Selector, State
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
from sim.files.validation import StrictModel, one_of
from sim.names import Names, named_word
from sim.ruleset import Number, PositiveNumber, SignedNumber
from sim.value_error import value_error

GIFTS: dict[str, tuple[str, ...]] = {
    "token": ("token",),
    "cards": ("cards",),
    "keywords": ("keywords",),
    "attack or health": ("attack", "health"),
    "kind": ("kind",),
    "receiver": ("receiver",),
    "of_enemy_hero": ("of_enemy_hero",),
}
"""Fields of `Effect` for each key that `Action.takes` and `Action.may_take` can list.

An action refuses the fields of all keys that it does not list.
"""

_OF_THE_DEAD = ("death", "deathrattle")
_NOT_FOR_THE_DEAD = ("return", "transform", "steal", "silence")
"""Actions that do nothing with a minion that has died, and the events that happen to it."""

_RANDOM_OR_TIMED_KEYS = ("pick", "spare", "repeat", "amount_to", "lasts")
"""Keys that are refused in a row that holds all the time, such as an aura."""


def _check_card_id(text: str) -> str:
    # Unicode can represent letters such as é in two ways; ids use the composed form.
    text = unicodedata.normalize("NFC", text)
    if not text.isidentifier() or text.startswith("_") or text != text.lower():
        raise InputError(
            "must begin with a letter and contain only lower-case letters, digits and _", value=text
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
    """Return the pydantic schema of a field that is text in files and parsed notation in models.

    Args:
        read: function that parses the text.
        or_nothing: whether the text may be empty, which is parsed as `None`.
    """

    def value(given: object, check: Callable[[object], str]) -> Notation | None:
        if isinstance(given, Notation) or (given is None and or_nothing):
            return given
        text = check(given)
        # The author's spelling is kept with the meaning, so that a file written later has it.
        return replace(read(text), text=text) if text or not or_nothing else None

    written = core_schema.plain_serializer_function_ser_schema(
        lambda notation: str(notation or ""), return_schema=core_schema.str_schema()
    )
    schema = core_schema.no_info_wrap_validator_function(
        value, core_schema.str_schema(), serialization=written
    )
    return GetPydanticSchema(lambda _, __: schema)


def _check_discounted_kind(word: str) -> str:
    return word and named_word("kind", word, ("spell", "secret"))  # an empty word means every kind


CardId = Annotated[str, AfterValidator(_check_card_id)]
Keywords = Annotated[tuple[str, ...], AfterValidator(_read_keywords)]
GroupField = Annotated[Group, parsed(read_group)]
ConditionField = Annotated[Bounds, parsed(read_condition)]


class Token(StrictModel):
    """Minion without an id that a `summon` row puts on the board.

    Attributes:
        attack: damage that the minion deals, 0 to 1000.
        health: damage that destroys the minion, 1 to 1000.
        keywords: the minion's standing abilities, see `sim.cards.vocabulary.Keyword`.
    """

    attack: Number
    health: PositiveNumber
    keywords: Keywords = ()


def _subject_of(data: dict[str, Any]) -> Any:
    return Event[data["on"].upper()].about.of


def _receiver_of(data: dict[str, Any]) -> Any:
    return all_actions()[data["do"]].default_to


class Effect(StrictModel):
    """Effect row of a card: on an event, if a condition holds, do an action to a group.

    Groups, conditions and measures are in the notation of `sim.cards.notation`.

    Attributes:
        on: the event that triggers the row, see `sim.cards.vocabulary.Event`.
        of: group that the subject of the event must belong to; the default depends on the event.
        when: condition under which the row acts.
        do: word of the action, see `sim.actions`.
        to: group that the action acts on; the default depends on the action.
        pick: number of members picked at random to act on; 0 for the whole group.
        spare: number of members picked at random to leave out.
        repeat: number of times to do the action, each time with new random picks.
        amount: the number that the action uses, such as damage or a number of cards: 1 to 1000,
            or -1000 to 1000 for actions with `may_be_negative`.
        amount_to: upper end, inclusive, of the range from `amount` that the amount is drawn from
            uniformly; `None` for a fixed amount.
        attack: number that `buff` adds to the attack, or that `set` replaces it with.
        health: number that `buff` adds to the health, or to a weapon's durability, or that `set`
            replaces it with.
        times: measure that multiplies amount, attack and health; `None` for no multiplication.
        at_least: lowest cost that the action `cost` can produce.
        keywords: keywords that the action gives or removes.
        absent: whether `cards` that are already on the own side are excluded from the random draw.
        lasts: duration of the result of `buff`, `grant` and similar actions, see
            `sim.cards.vocabulary.Lasting`.
        by: the character that counts as the cause of the effect: the card (`self`) or its target
            (`target`).
        receiver: side that gets the card of the action `copy`: `own` or `enemy`.
        kind: kind of the cards that `discount` makes cheaper: `spell`, `secret`, or `""` for every
            kind.
        of_enemy_hero: whether to give only the `cards` that belong to the enemy's hero.
        token: minion to summon; `None` if the row summons no such minion.
        cards: ids of the cards to summon, equip, give or transform into; of several, one is drawn
            at random.
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
        """Event that triggers the row, looked up by the word `on`."""
        return Event[self.on.upper()]

    @property
    def action(self) -> Action:
        """Declaration of the row's action, looked up by the word `do`."""
        return all_actions()[self.do]

    @model_validator(mode="after")
    def _check_keys(self) -> Effect:
        """Refuse keys of `GIFTS` that the action does not permit, and a lack of required keys."""
        action = self.action
        for key, fields in GIFTS.items():
            has_key = any(map(self.is_given, fields))
            if has_key and key not in (*action.takes, *action.may_take):
                takers = [word for word, other in all_actions().items() if key in other.takes]
                takers += [word for word, other in all_actions().items() if key in other.may_take]
                given = " and ".join(repr(field) for field in fields if self.is_given(field))
                actions = listed(map(repr, takers), "or")
                raise self._value_error(
                    "do",
                    f"does not permit the key {given}, which belongs to do = {actions}",
                    limit=tuple(takers),
                )
            if not has_key and key in action.takes:
                keys = " or ".join(map(repr, fields))
                raise self._value_error("do", f"requires the key {keys}")
        return self

    def is_given(self, key: str) -> bool:
        """Return whether the value of `key`, a field with a static default, is not the default."""
        return bool(getattr(self, key) != type(self).model_fields[key].default)

    @model_validator(mode="after")
    def _check_numbers_and_times(self) -> Effect:
        """Refuse an amount, event, duration or number of cards that the action cannot use.

        Also run the check that the action declares.
        """
        action = self.action
        if self.amount < 1 and not action.may_be_negative:
            raise self._value_error("amount", "must be at least 1", limit=1)
        if self.amount_to is not None and self.amount_to < self.amount:
            raise self._value_error(
                "amount_to", f"must be at least amount = {self.amount}", limit=self.amount
            )
        self._check_standing_row()
        if action.needs and self.on not in action.needs:
            events = " or ".join(f"on = {event!r}" for event in action.needs)
            raise self._value_error(
                "on",
                f"cannot trigger do = {self.do!r}, which requires {events}",
                limit=action.needs,
            )
        if self.lasts == "next_turn" and action.kept and self.kind != "spell":
            raise self._value_error(
                "lasts", "is permitted only for do = 'discount' with kind = 'spell'"
            )
        if self.lasts not in action.lasts:
            raise self._value_error(
                "lasts",
                f"is not permitted for do = {self.do!r}",
                limit=action.lasts,
                remedy=action.kept or "leave lasts out, since this action has no duration",
            )
        if action.check is not None:
            action.check(self)
        if self.on == "aura" and not action.aura:
            raise self._value_error(
                "do", "cannot be used by an aura, only 'buff', 'set', 'grant' and 'cost' can"
            )
        if self.absent and len(self.cards) < 2:
            raise self._value_error("absent", "requires at least 2 cards to choose from", limit=2)
        return self

    @model_validator(mode="after")
    def _check_subject(self) -> Effect:
        """Refuse a group `of` that the subject of the event can never belong to."""
        happens_to = self.event.about.finds
        finds = self.of.selector.about.finds
        if self.on == "death" and self.of.selector is Selector.SELF:
            raise self._value_error(
                "of", "cannot react to its own death", remedy="write on = 'deathrattle'"
            )
        if happens_to and finds and not happens_to & finds:
            raise self._value_error(
                "of",
                f"selects {receiver_words(finds)}, but on = {self.on!r} happens to "
                f"{receiver_words(happens_to)}",
            )
        return self

    @model_validator(mode="after")
    def _check_idle_keys(self) -> Effect:
        """Refuse keys that would change nothing in this row, and that no text can express."""
        action = self.action
        has_numbers = action.has_amount or "attack or health" in action.takes
        has_amount = action.has_amount and not self.to.is_of_deck
        idle = {
            "amount": not has_amount,
            "amount_to": not has_amount,
            "times": not has_numbers or self.to.is_of_deck,
            "pick": self.to.selector.is_single,
            "spare": self.to.selector.is_single or self.pick > 0,
            "at_least": self.do != "cost",
        }
        for key in filter(self.is_given, idle):
            if idle[key]:
                raise self._value_error(
                    key,
                    f"changes nothing with do = {self.do!r}, to = {str(self.to)!r}",
                    remedy="delete it",
                )
        return self

    def _check_standing_row(self) -> None:
        """Refuse randomness, picks, repeats and durations in a row that holds all the time.

        Auras and cost formulas are recomputed many times a turn, for the whole group. A row on
        `own_cost` may only change the cost of its own card.
        """
        if not self.event.about.holds:
            return
        for key, notation in (("when", self.when), ("times", self.times)):
            if notation is not None and notation.is_random:
                raise self._value_error(key, f"must not depend on chance with on = {self.on!r}")
        if self.on == "own_cost" and (self.do, self.to.selector) != ("cost", Selector.SELF):
            raise self._value_error(
                "on",
                "can change only the cost of its own card",
                remedy="write do = 'cost', to = 'self'",
            )
        for key in filter(self.is_given, _RANDOM_OR_TIMED_KEYS):
            raise self._value_error(
                key, f"cannot be used with on = {self.on!r}", remedy="delete it"
            )

    def _value_error(
        self, key: str, problem: str, *, limit: object = None, remedy: str = ""
    ) -> InputError:
        """Return the error for an invalid field, with the message `KEY = VALUE PROBLEM; REMEDY`."""
        return value_error(key, getattr(self, key), problem, limit=limit, remedy=remedy)


# --- receivers: things that the group of a row can hold and that its action can act on ---

# Options are absent: an option acts as the card that it belongs to, which may be of any kind.
_SELF = {
    "minion": MINION,
    "spell": CARD,
    "weapon": WEAPON,
    "power": PLAYER,
    "secret": CARD | SECRET,
    "attachment": CHARACTER,
}


def check_receivers(effect: Effect, kind: str, target: Group | None) -> None:
    """Raise an error if a row's action cannot act on any member of the row's group.

    Args:
        effect: row to check.
        kind: kind of the card with the row.
        target: group from which the player chooses the card's target; `None` for a card without a
            target.

    Raises:
        InputError: the group cannot hold a receiver of the action, or the row is an aura with a
            group that depends on an event or a target.
    """
    takes = effect.action.acts_on
    finds = _receivers_in_group(effect, kind, target)
    # Auras change numbers of players and bodies in play; only costs are changed in hands.
    if effect.on == "aura":
        takes &= CARD if effect.do == "cost" else PLAYER | MINION | WEAPON
        if not effect.to.selector.about.in_auras:
            raise value_error(
                "to", effect.to, "cannot be used by an aura, since no event triggers an aura"
            )
    is_of_dead = effect.on in _OF_THE_DEAD and effect.to.selector in (
        Selector.SELF,
        Selector.SUBJECT,
    )
    if is_of_dead and effect.do in _NOT_FOR_THE_DEAD:
        raise value_error(
            "do",
            effect.do,
            f"does nothing with on = {effect.on!r}, since the minion has left the board",
            remedy="a new copy of it is made by do = 'copy' or do = 'clone'",
        )
    # In the text of a spell with a target, "other minions" are those other than the target.
    is_other = bool(effect.to.states & State.OTHER) and effect.to.selector <= Selector.CHARACTERS
    if is_other and kind == "spell" and target is not None and effect.on == "play":
        raise value_error(
            "to",
            effect.to,
            "leaves out the spell itself, which is no character",
            remedy="write 'untargeted' in place of 'other' to leave out the target",
        )
    if not takes & finds:
        holds = receiver_words(finds) if finds else "nothing"
        action = f"do = {effect.do!r}{' of an aura' * (effect.on == 'aura')}"
        raise value_error(
            "to", effect.to, f"selects {holds}, but {action} acts on {receiver_words(takes)}"
        )


def _receivers_in_group(effect: Effect, kind: str, target: Group | None) -> Receiver:
    """Return the kinds of receivers that the group `to` of an effect row can hold.

    Args:
        effect: row with the group.
        kind: kind of the card with the row.
        target: group from which the player chooses the card's target; `None` for a card without a
            target.
    """
    group = effect.to
    if group.selector == Selector.SELF:
        finds = _receiver_of_self(effect, kind)
    elif group.selector == Selector.SUBJECT:
        finds = effect.event.about.finds
        if effect.of.selector <= Selector.CHARACTERS:
            finds &= _receivers_at_place(effect.of)
    elif group.selector == Selector.TARGET and target is not None:
        finds = _receivers_at_place(target)
    else:
        return _receivers_at_place(group)
    return _drop_players(finds, group)


def _receiver_of_self(effect: Effect, kind: str) -> Receiver:
    if effect.on == "game_start":
        return PLAYER  # a card in a deck has no entity record, so the engine uses its owner's
    return CARD if effect.on == "own_cost" else _SELF.get(kind, ANYTHING)


def _receivers_at_place(group: Group) -> Receiver:
    """Return the kinds of receivers that a group can hold, from its selector and filters alone."""
    finds = _drop_players(group.selector.about.finds, group)
    return finds if group.kind in (None, Kind.MINION) else finds & ~MINION


def _drop_players(finds: Receiver, group: Group) -> Receiver:
    """Return `finds` without players if the group filters by kind or tribe, else unchanged."""
    return finds & ~PLAYER if group.kind is not None or group.tribe else finds
