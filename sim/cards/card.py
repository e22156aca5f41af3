"""The card model: numbers, keywords, effect rows, and the notes of its designer."""

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
from sim.cards.notation import ALWAYS, Group, read_group, words
from sim.cards.vocabulary import BODY_KEYWORDS, Kind, Selector
from sim.errors import InputError, error_place, listed
from sim.files.validation import Name, StrictModel, in_order_of, one_of, shown_value
from sim.ruleset import NUMBER_MAX, Number, SignedRange

# --- notes: a designer's own texts, which no game reads ---

NOTE_LENGTH_MAX = 32_767  # the most characters that one cell of an .xlsx workbook can hold
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
            f"must have at most {NOTE_LENGTH_MAX:,} characters, has {len(text):,}",
            limit=NOTE_LENGTH_MAX,
        )
    for character in text:
        is_control = unicodedata.category(character) in _CONTROL and character not in "\n\t"
        # U+FFFE, U+FFFF and their counterparts in each plane are no characters in Unicode.
        if is_control or ord(character) & 0xFFFE == 0xFFFE:
            raise InputError(f"must not hold the character U+{ord(character):04X}", value=character)
    return text


NoteTitle = Annotated[Name, AfterValidator(_check_title)]
"""The title of a note: one printable line that does not begin like a column of a deck."""

NoteText = Annotated[str, AfterValidator(_check_text)]
"""The text of a note, of one or several lines."""

Notes = dict[NoteTitle, NoteText]


def title_fault(title: str) -> str:
    """Return the reason why a column with this title cannot be a note; `""` if it can."""
    try:
        TypeAdapter(NoteTitle).validate_python(title)
    except ValidationError as error:
        return str(error.errors()[0]["ctx"]["error"])
    return ""


# --- cards ---

NEVER_A_NOTE = ("name", "cost", "attack", "health", "durability")
"""Keys that no note may have as its title: a sheet has one column for each, which a card needs."""

AMOUNTS = ("amount", "amount_2", "amount_3", "amount_4")
FIELDS = ("cost", "attack", "health", "durability", *AMOUNTS)
"""The numbers that balancing may change, in fixed order; `Card.fields` has those of one card."""

_PRINTED = {
    "minion": ("cost", "attack", "health"),
    "weapon": ("cost", "attack", "durability"),
}  # cards of every other kind print their cost alone
_NEED_A_TARGET = (Selector.TARGET, Selector.TARGET_NEIGHBOURS)
_WITH_OPTIONS = ("minion", "spell", "weapon")


def printed_fields(kind: str) -> tuple[str, ...]:
    """Return those of `FIELDS` that cards of a kind print, see `sim.cards.vocabulary.Kind`."""
    return _PRINTED.get(kind, ("cost",))


class AmountPlace(NamedTuple):
    """The place of one of a card's amounts.

    Attributes:
        row: index of the effect row in `Card.effects`, from 0.
        key: the row's key that holds the number: `"amount"`, `"attack"` or `"health"`.
    """

    row: int
    key: str


def _check_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    for place, tag in enumerate(tags):
        if tag in tags[:place]:
            raise InputError(f"tag {tag!r} is given twice", value=tag, remedy="keep one")
    return tags


def _rename_fields(table: object) -> object:
    """Return a table by field in which titles of sheets, such as `hp`, became fields.

    Anything but a table, and keys that name no field, are returned as they are, to be refused by
    the checks that follow.
    """
    from sim.cards.names import field_names  # noqa: PLC0415 (that module imports this one)

    if not isinstance(table, dict):
        return table
    names = field_names(FIELDS, "key")
    fields = {key: names.get(key) if isinstance(key, str) else None for key in table}
    known = {key: field or key for key, field in fields.items()}
    if len({*known.values()}) < len(table):
        raise InputError("a number is given twice, under two of its names", remedy="keep one")
    return {known[key]: value for key, value in table.items()}


def _value_error(
    place: str, value: object, problem: str, *, limit: object = None, remedy: str = ""
) -> InputError:
    """Return the error for a value, rendered as `PLACE = VALUE PROBLEM; REMEDY`."""
    return InputError(
        f"{shown_value(value)} {problem}",
        place=place,
        value=value,
        limit=limit,
        remedy=remedy,
        separator=" = ",
    )


Nothing = Annotated[str, Field(max_length=0)]


class Card(StrictModel):
    """One card of a pool.

    Attributes:
        id: the stable key that decks and results refer to, unique in its pool.
        name: the name that people read.
        kind: the kind of card, see `sim.cards.vocabulary.Kind`.
        cost: mana to play the card, 0 to 1000.
        attack: damage dealt by its body, or by the player who wields the weapon; 0 to 1000.
        health: damage that destroys its body, 1 to 1000; minions only.
        durability: number of attacks until the weapon breaks, 1 to 1000; weapons only.
        keywords: standing abilities of the body, see `sim.cards.vocabulary.Keyword`.
        hero: id of the hero who alone may have the card in a deck; `""` for any deck.
        tribe: the word by which filters of effect rows select the card; `""` for none.
        spell_damage: damage added to each damaging spell of the owner while the card is in play.
        overload: mana that playing the card locks in its owner's next turn.
        target: the characters that may be chosen when the card is played, a group
            (`sim.cards.notation`); `""` in files if nothing is chosen. A spell or hero power cannot
            be played without a choice; a minion or weapon can if nothing may be chosen.
        target_when: the condition under which a target is chosen (`sim.cards.notation`).
        needs: a further condition for the card to be playable (`sim.cards.notation`).
        options: ids of two option tokens, of which the player chooses one; else empty.
        effects: the effect rows, in the order in which they happen.
        tunable: lowest and highest permitted value for each of `FIELDS` that balancing may change;
            a field left out is locked. `None` lets the experiment decide.
        tags: words of the designer's own, such as a rarity or a faction; no game reads them.
        notes: texts of the designer's own by title, such as the further columns of a spreadsheet.
            Nothing is computed from them, so dumps and hashes leave them out.
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

    # Each error of these validators has a key of the card as the first word of its place:
    # imports of spreadsheets take the column at fault from there.

    @model_validator(mode="after")
    def _check_note_titles(self) -> Card:
        """Refuse notes with the title of a column that every sheet of cards has.

        `id`, `kind` and `tags` are permitted: a sheet's own words for them are kept as notes.
        """
        for title in self.notes:
            if title.lower() in NEVER_A_NOTE:
                raise InputError(
                    f"{title!r} is a key of cards",
                    place="notes",
                    value=title,
                    limit=NEVER_A_NOTE,
                    remedy="give the note another title",
                )
        return self

    @model_validator(mode="after")
    def _check_numbers(self) -> Card:
        """Refuse missing numbers of the card's kind, numbers of other kinds, and wrong options."""
        printed = self.printed
        has = ", ".join(printed)
        for field in ("attack", "health", "durability"):
            if field in printed and field not in self.model_fields_set:
                raise InputError(f"missing; a {self.kind} has {has}", place=field, limit=printed)
            value = getattr(self, field)
            if field not in printed and value:
                raise _value_error(
                    field, value, f"is given, but a {self.kind} has only {has}", limit=printed
                )
        for field in {"health", "durability"}.intersection(printed):
            if getattr(self, field) < 1:
                raise _value_error(field, getattr(self, field), "must be at least 1", limit=1)
        if self.options and self.kind not in _WITH_OPTIONS:
            raise InputError(
                f"a {self.kind} has no options, only a {listed(_WITH_OPTIONS, 'or')} may",
                place="options",
                value=self.options,
                limit=_WITH_OPTIONS,
            )
        if self.options and len(self.options) != 2:
            raise InputError(
                f"must be 2 ids, has {len(self.options)}",
                place="options",
                value=self.options,
                limit=2,
            )
        return self

    @model_validator(mode="after")
    def _check_events_and_keywords(self) -> Card:
        """Refuse effect rows and keywords that cards of this kind cannot have."""
        for number, row in enumerate(self.effects, start=1):
            if Kind[self.kind.upper()] not in row.event.about.heard_by:
                raise _value_error(
                    f"effects #{number}: on", row.on, f"never happens to a {self.kind}"
                )
        bodies = {keyword.name.lower() for keyword in BODY_KEYWORDS if keyword.name}
        allowed = bodies | {"blunt"} if self.kind == "weapon" else bodies
        for keyword in self.keywords:
            if keyword not in allowed:
                raise InputError(
                    f"{keyword!r} is not for a {self.kind}",
                    place="keywords",
                    value=keyword,
                    limit=tuple(sorted(allowed)),
                )
        return self

    @model_validator(mode="after")
    def _check_target(self) -> Card:
        """Refuse a target that is no character, and rows that act on a target without one."""
        group = self.target
        if group and group.selector > Selector.CHARACTERS:
            raise _value_error("target", group, "must be a group of characters")
        if group and group.selector <= Selector.PLAYERS and (group.tribe or group.kind is not None):
            raise _value_error(
                "target", group, "asks players for a tribe or a kind; they have none"
            )
        for number, row in enumerate(self.effects, start=1):
            if row.to.selector in _NEED_A_TARGET and (row.on != "play" or group is None):
                raise _value_error(
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
        """Refuse chance in the conditions of play.

        The legal actions are asked for many times in one position, with the same answer each time.
        """
        for key in ("needs", "target_when"):
            condition = getattr(self, key)
            if condition.is_random:
                raise _value_error(
                    key, condition, "depends on chance; legal actions must be certain"
                )
        return self

    @model_validator(mode="after")
    def _check_tunable(self) -> Card:
        """Refuse ranges of fields that the card lacks, and ranges that no card can have."""
        for field, (low, high) in (self.tunable or {}).items():
            place = f"tunable.{field}"
            if field not in self.fields:
                has = ", ".join(self.fields)
                raise InputError(f"this card has only {has}", place=place, limit=self.fields)
            least, most = self.possible(field)
            if low < least:
                raise _value_error(place, [low, high], f"must not go below {least}", limit=least)
            if high > most:
                raise _value_error(place, [low, high], f"must not go above {most}", limit=most)
            present = self.number(field)
            if not low <= present <= high:
                raise _value_error(
                    place,
                    [low, high],
                    f"must contain the present {field} = {present}",
                    limit=present,
                )
        return self

    @property
    def amount_places(self) -> tuple[AmountPlace, ...]:
        """The places of the numbers that its effects use, in the order of the rows."""
        places = [
            AmountPlace(row, key)
            for row, effect in enumerate(self.effects)
            for key in effect.action.tunable
            if getattr(effect, key)
        ]
        return tuple(places[: len(AMOUNTS)])

    @property
    def printed(self) -> tuple[str, ...]:
        """Those of `FIELDS` that are printed on a card of this kind."""
        return printed_fields(self.kind)

    @property
    def fields(self) -> tuple[str, ...]:
        """Those of `FIELDS` that this card has."""
        return (*self.printed, *AMOUNTS[: len(self.amount_places)])

    def number(self, field: str) -> int:
        """Return the present value of one of the card's `fields`."""
        if field in AMOUNTS:
            row, key = self.amount_places[AMOUNTS.index(field)]
            return int(getattr(self.effects[row], key))
        return int(getattr(self, field))

    def possible(self, field: str) -> tuple[int, int]:
        """Return the lowest and highest value that one of its `fields` may have under any ruleset.

        An amount keeps its sign, so that no effect turns into its opposite or into nothing.
        """
        if field not in AMOUNTS:
            return int(field in ("health", "durability")), NUMBER_MAX
        if self.number(field) < 0:
            return -NUMBER_MAX, -1
        row, key = self.amount_places[AMOUNTS.index(field)]
        highest = self.effects[row].amount_to if key == "amount" else None
        return 1, NUMBER_MAX if highest is None else highest

    def label(self, field: str) -> str:
        """Return the label of one of its `fields` for people; an amount is named after its action.

        For example `"damage"`, or `"attack bonus"` and `"health bonus"` for the numbers of a buff.
        The second amount with the same label gets a number: `"damage (2)"`.
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
        """Return a copy without all that games do not depend on: name, ranges, tags and notes."""
        return self.model_copy(update={"name": "", "tunable": None, "tags": (), "notes": {}})

    def with_numbers(self, numbers: Mapping[str, int]) -> Card:
        """Return a copy with other values of some of its `fields`, unchecked."""
        changes: dict[str, Any] = {f: v for f, v in numbers.items() if f not in AMOUNTS}
        effects = list(self.effects)
        for field in numbers.keys() - changes.keys():
            row, key = self.amount_places[AMOUNTS.index(field)]
            effects[row] = effects[row].model_copy(update={key: numbers[field]})
        return self.model_copy(update={**changes, "effects": tuple(effects)})
