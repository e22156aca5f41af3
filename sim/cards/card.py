"""Card model: numbers, keywords, effect rows and designer's notes, with their validation."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from sim.cards.effect import CardId, ConditionField, Effect, Keywords, check_receivers, parsed
from sim.cards.fields import AMOUNTS, FIELDS, field_names, printed_fields
from sim.cards.notation import ALWAYS, Group, read_group, words
from sim.cards.vocabulary import BODY_KEYWORDS, Kind, Selector
from sim.errors import InputError, error_place, listed
from sim.files.validation import Name, StrictModel, in_order_of, one_of
from sim.ruleset import NUMBER_MAX, Number, SignedRange
from sim.value_error import value_error

# --- notes: a designer's own texts, which the engine ignores ---

NOTE_LENGTH_MAX = 32_767  # maximum number of characters in one cell of an .xlsx workbook
DECK_MARK = "deck:"  # prefix of the title of a column of copies, see docs/spreadsheet.md

_CONTROL = ("Cc", "Cs")  # Unicode categories that one-line TOML and a workbook's XML cannot hold


def _check_title(title: str) -> str:
    if title.lower().startswith(DECK_MARK):
        raise InputError(
            f"{title!r} is the title of a deck's column in a spreadsheet",
            value=title,
            remedy="use another title",
        )
    return title


def _check_text(text: str) -> str:
    if len(text) > NOTE_LENGTH_MAX:
        raise InputError(
            f"must have at most {NOTE_LENGTH_MAX:,} characters, but has {len(text):,}",
            limit=NOTE_LENGTH_MAX,
        )
    for character in text:
        is_control = unicodedata.category(character) in _CONTROL and character not in "\n\t"
        # U+FFFE, U+FFFF and their counterparts in each plane are not Unicode characters.
        if is_control or ord(character) & 0xFFFE == 0xFFFE:
            raise InputError(
                f"must not contain the character U+{ord(character):04X}", value=character
            )
    return text


NoteTitle = Annotated[Name, AfterValidator(_check_title)]
"""Title of a note: one printable line that does not begin with `deck:`, even in capitals."""

NoteText = Annotated[str, AfterValidator(_check_text)]
"""Text of a note: one or several lines, in which tabs are the only other control characters."""

Notes = dict[NoteTitle, NoteText]


def title_fault(title: str) -> str:
    """Return the reason why `title` cannot be the title of a note; `""` if it can."""
    try:
        TypeAdapter(NoteTitle).validate_python(title)
    except ValidationError as error:
        return str(error.errors()[0]["ctx"]["error"])
    return ""


# --- cards: their model with its checks ---

NEVER_A_NOTE = ("name", "cost", "attack", "health", "durability")
"""Titles that no note may have, since spreadsheet columns with these titles hold card data."""

_NEED_A_TARGET = (Selector.TARGET, Selector.TARGET_NEIGHBOURS)
_WITH_OPTIONS = ("minion", "spell", "weapon")


class AmountPlace(NamedTuple):
    """Position of one of a card's amounts within the card's effect rows.

    Attributes:
        row: index of the effect row in `Card.effects`, from 0.
        key: key of the number in the row: `"amount"`, `"attack"` or `"health"`.
    """

    row: int
    key: str


def _check_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    for place, tag in enumerate(tags):
        if tag in tags[:place]:
            raise InputError(f"tag {tag!r} is given twice", value=tag, remedy="keep one")
    return tags


def _rename_fields(table: object) -> object:
    """Return a table with spreadsheet titles among its keys, such as `hp`, replaced by fields.

    A value that is not a table and keys that name no field are returned unchanged; the checks that
    follow refuse them.

    Raises:
        InputError: two keys of the table name the same field.
    """
    if not isinstance(table, dict):
        return table
    names = field_names(FIELDS, "key")
    fields = {key: names.get(key) if isinstance(key, str) else None for key in table}
    known = {key: field or key for key, field in fields.items()}
    if len({*known.values()}) < len(table):
        raise InputError("a number is given twice, under two of its names", remedy="keep one")
    return {known[key]: value for key, value in table.items()}


Nothing = Annotated[str, Field(max_length=0)]


class Card(StrictModel):
    """Card or token of a pool.

    Attributes:
        id: the stable key that decks and results refer to, unique in the card's pool.
        name: the name that people read.
        kind: word of a `sim.cards.vocabulary.Kind`.
        cost: mana to play the card, 0 to 1000.
        attack: damage that the minion deals, or that a weapon adds to its player; 0 to 1000.
        health: damage that destroys the minion, 1 to 1000; 0 for other kinds.
        durability: number of attacks until the weapon breaks, 1 to 1000; 0 for other kinds.
        keywords: standing abilities of the minion or weapon, see `sim.cards.vocabulary.Keyword`.
        hero: id of the only hero that may play the card in a deck; `""` permits every deck.
        tribe: word by which filters of effect rows select the card; `""` if it has no tribe.
        spell_damage: damage added to each damaging spell of the owner while the card is in play.
        overload: mana that playing the card locks in its owner's next turn.
        target: group of the characters that the player may choose from when playing the card
            (`sim.cards.notation`); `None`, spelt `""` in files, if the card has no target. A spell
            or hero power cannot be played without a choice; a minion or weapon can be if the group
            is empty.
        target_when: condition under which the player chooses a target (`sim.cards.notation`).
        needs: condition under which the card is playable (`sim.cards.notation`).
        options: ids of the two option tokens that the player chooses from; `()` for a card
            without a choice.
        effects: the effect rows, in the order in which the engine carries them out.
        tunable: lowest and highest permitted value of each field (`FIELDS`) that balancing may
            change; other fields are locked. With `None`, the experiment sets the ranges.
        tags: the designer's labels, such as a rarity or a faction; the engine ignores them.
        notes: the designer's texts by title, such as further columns of a spreadsheet. The engine
            ignores them, and dumps and hashes of the card omit them.
    """

    id: CardId
    name: Name
    kind: Annotated[str, one_of("kind", words(Kind))] = "minion"
    cost: Number
    attack: Number = 0
    health: Number = 0
    durability: Number = 0
    keywords: Keywords = ()
    hero: CardId | Nothing = ""
    tribe: CardId | Nothing = ""
    spell_damage: Number = 0
    overload: Number = 0
    target: Annotated[Group | None, parsed(read_group, or_nothing=True)] = None
    target_when: ConditionField = ALWAYS
    needs: ConditionField = ALWAYS
    options: tuple[CardId, ...] = ()
    effects: tuple[Effect, ...] = ()
    tunable: (
        Annotated[
            dict[str, SignedRange], BeforeValidator(_rename_fields), in_order_of("key", FIELDS)
        ]
        | None
    ) = None
    tags: Annotated[tuple[CardId, ...], AfterValidator(_check_tags)] = ()
    notes: Notes = Field(default_factory=dict, exclude=True)

    # Each error of these validators has a key of the card as the first word of its place, because
    # the import of spreadsheets finds the faulty column by that word.

    @model_validator(mode="after")
    def _check_note_titles(self) -> Card:
        """Refuse a note with a title of `NEVER_A_NOTE`, in upper or lower case.

        `id`, `kind` and `tags` are permitted: they hold the spreadsheet's own words for these keys.
        """
        for title in self.notes:
            if title.lower() in NEVER_A_NOTE:
                raise InputError(
                    f"{title!r} is the name of a key of cards",
                    place="notes",
                    value=title,
                    limit=NEVER_A_NOTE,
                    remedy="give the note another title",
                )
        return self

    @model_validator(mode="after")
    def _check_numbers(self) -> Card:
        """Refuse numbers that do not fit the card's kind, and invalid options.

        A card must have the numbers that its kind prints, with a health or durability of at least
        1, and no attack, health or durability that its kind does not print. Options must be 2 ids,
        and only minions, spells and weapons may have them.
        """
        printed = self.printed
        has = ", ".join(printed)
        for field in ("attack", "health", "durability"):
            if field in printed and field not in self.model_fields_set:
                raise InputError(
                    f"missing value; a {self.kind} must have {has}", place=field, limit=printed
                )
            value = getattr(self, field)
            if field not in printed and value:
                raise value_error(
                    field, value, f"is given, but a {self.kind} has only {has}", limit=printed
                )
        for field in {"health", "durability"}.intersection(printed):
            if getattr(self, field) < 1:
                raise value_error(field, getattr(self, field), "must be at least 1", limit=1)
        if self.options and self.kind not in _WITH_OPTIONS:
            raise InputError(
                f"a {self.kind} has no options, only a {listed(_WITH_OPTIONS, 'or')} may",
                place="options",
                value=self.options,
                limit=_WITH_OPTIONS,
            )
        if self.options and len(self.options) != 2:
            raise InputError(
                f"must be 2 ids, not {len(self.options)}",
                place="options",
                value=self.options,
                limit=2,
            )
        return self

    @model_validator(mode="after")
    def _check_events_and_keywords(self) -> Card:
        """Refuse events in effect rows, and keywords, that do not apply to the card's kind."""
        for number, row in enumerate(self.effects, start=1):
            if Kind[self.kind.upper()] not in row.event.about.heard_by:
                raise value_error(
                    f"effects #{number}: on", row.on, f"never happens to a {self.kind}"
                )
        bodies = {keyword.name.lower() for keyword in BODY_KEYWORDS if keyword.name}
        allowed = bodies | {"blunt"} if self.kind == "weapon" else bodies
        for keyword in self.keywords:
            if keyword not in allowed:
                raise InputError(
                    f"a {self.kind} cannot have the keyword {keyword!r}",
                    place="keywords",
                    value=keyword,
                    limit=tuple(sorted(allowed)),
                )
        return self

    @model_validator(mode="after")
    def _check_target(self) -> Card:
        """Refuse a target group with members other than characters, and rows without a target.

        A row may act on the target or its neighbours only on the event `play` of a card with the
        key `target`. A target group of players may not have a tribe or a kind as a filter.
        """
        group = self.target
        if group and group.selector > Selector.CHARACTERS:
            raise value_error("target", group, "must be a group of characters")
        if group and group.selector <= Selector.PLAYERS and (group.tribe or group.kind is not None):
            raise value_error(
                "target", group, "must not filter players by tribe or kind, since they have neither"
            )
        for number, row in enumerate(self.effects, start=1):
            if row.to.selector in _NEED_A_TARGET and (row.on != "play" or group is None):
                raise value_error(
                    f"effects #{number}: to",
                    row.to,
                    "has no target to act on",
                    remedy='give the card the key `target`, and the row on = "play"',
                )
        return self

    @model_validator(mode="after")
    def _check_receivers(self) -> Card:
        for number, row in enumerate(self.effects, start=1):
            with error_place(f"effects #{number}"):
                check_receivers(row, self.kind, self.target)
        return self

    @model_validator(mode="after")
    def _check_conditions_of_play(self) -> Card:
        """Refuse `target_when` without a target, and randomness in it and in `needs`.

        Legal actions are computed several times for one position and must be the same each time.
        """
        if self.target_when != ALWAYS and self.target is None:
            raise value_error(
                "target_when",
                self.target_when,
                "changes nothing without a target",
                remedy="delete it",
            )
        for key in ("needs", "target_when"):
            condition = getattr(self, key)
            if condition.is_random:
                raise value_error(
                    key,
                    condition,
                    "must not depend on chance, since it decides whether a move is legal",
                )
        return self

    @model_validator(mode="after")
    def _check_tunable(self) -> Card:
        """Refuse tunable ranges that do not fit the card.

        The card must have the field. The range must contain the field's current value and lie
        within the range that `possible` returns.
        """
        for field, (low, high) in (self.tunable or {}).items():
            place = f"tunable.{field}"
            if field not in self.fields:
                has = ", ".join(self.fields)
                raise InputError(
                    f"this card has no {field!r}, only {has}", place=place, limit=self.fields
                )
            lowest, highest = self.possible(field)
            if low < lowest:
                raise value_error(place, [low, high], f"must not go below {lowest}", limit=lowest)
            if high > highest:
                raise value_error(place, [low, high], f"must not go above {highest}", limit=highest)
            present = self.number(field)
            if not low <= present <= high:
                raise value_error(
                    place,
                    [low, high],
                    f"must contain the current value, {present}",
                    limit=present,
                )
        return self

    @property
    def amount_places(self) -> tuple[AmountPlace, ...]:
        """Positions of the card's amounts, in the order of its effect rows, at most four.

        Amounts are the nonzero numbers of effect rows that balancing may change.
        """
        places = [
            AmountPlace(row, key)
            for row, effect in enumerate(self.effects)
            for key in effect.action.tunable
            if getattr(effect, key)
        ]
        return tuple(places[: len(AMOUNTS)])

    @property
    def printed(self) -> tuple[str, ...]:
        """Names in `FIELDS` of the numbers that are printed on a card of this kind."""
        return printed_fields(self.kind)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names in `FIELDS` of the numbers that this card has: printed numbers, then amounts."""
        return (*self.printed, *AMOUNTS[: len(self.amount_places)])

    def number(self, field: str) -> int:
        """Return the current value of `field`, one of the card's `fields`."""
        if field in AMOUNTS:
            row, key = self.amount_places[AMOUNTS.index(field)]
            return int(getattr(self.effects[row], key))
        return int(getattr(self, field))

    def possible(self, field: str) -> tuple[int, int]:
        """Return the lowest and highest value that `field` may have under any ruleset.

        The range of an amount contains neither 0 nor the opposite sign, since the effect would
        then vanish or be reversed. An amount that is the lower end of a random draw cannot exceed
        the upper end.

        Args:
            field: one of the card's `fields`.
        """
        if field not in AMOUNTS:
            return int(field in ("health", "durability")), NUMBER_MAX
        if self.number(field) < 0:
            return -NUMBER_MAX, -1
        row, key = self.amount_places[AMOUNTS.index(field)]
        highest = self.effects[row].amount_to if key == "amount" else None
        return 1, NUMBER_MAX if highest is None else highest

    def label(self, field: str) -> str:
        """Return the label of `field` for people; the label of an amount is its action's word.

        For example, `"damage"`, or `"attack bonus"` and `"health bonus"` for the numbers of a buff.
        Further amounts with the same label are numbered: `"damage (2)"`.

        Args:
            field: one of the card's `fields`.
        """
        if field not in AMOUNTS:
            return field
        words_of_places = [
            self.effects[row].do if key == "amount" else f"{key} bonus"
            for row, key in self.amount_places
        ]
        place = AMOUNTS.index(field)
        word = words_of_places[place]
        before = words_of_places[:place].count(word)
        return f"{word} ({before + 1})" if before else word

    def nameless(self) -> Card:
        """Return a copy without name, tunable ranges, tags and notes, which do not affect games."""
        return self.model_copy(update={"name": "", "tunable": None, "tags": (), "notes": {}})

    def with_numbers(self, numbers: Mapping[str, int]) -> Card:
        """Return a copy of the card with new values of numbers, without validation.

        Args:
            numbers: the new value of each changed field, by name in the card's `fields`.
        """
        changes: dict[str, Any] = {f: v for f, v in numbers.items() if f not in AMOUNTS}
        effects = list(self.effects)
        for field in numbers.keys() - changes.keys():
            row, key = self.amount_places[AMOUNTS.index(field)]
            effects[row] = effects[row].model_copy(update={key: numbers[field]})
        return self.model_copy(update={**changes, "effects": tuple(effects)})
