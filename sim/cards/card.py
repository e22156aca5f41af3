"""Cards: numbers, keywords and effect rows, and what a designer writes beside them."""

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
from sim.errors import error_place
from sim.files.validation import Name, StrictModel, in_order_of, one_of
from sim.ruleset import NUMBER_MAX, Number, SignedRange

# --- what a designer writes beside a card, for people only ---

NOTE_LENGTH_MAX = 32_767  # characters that a cell of a workbook holds
DECK_MARK = "deck:"  # begins the title of a column of copies, see docs/spreadsheet.md

_CONTROL = ("Cc", "Cs")  # what neither TOML in one line nor a workbook's XML can hold


def _is_title(title: str) -> str:
    if title.lower().startswith(DECK_MARK):
        raise ValueError(f"{title!r} is what a column of a deck is called in a spreadsheet")
    return title


def _is_text(text: str) -> str:
    if len(text) > NOTE_LENGTH_MAX:
        raise ValueError(f"must have at most {NOTE_LENGTH_MAX:,} characters, has {len(text):,}")
    for character in text:
        is_control = unicodedata.category(character) in _CONTROL and character not in "\n\t"
        if is_control or ord(character) & 0xFFFE == 0xFFFE:  # no character at all, in Unicode
            raise ValueError(f"must not hold the character U+{ord(character):04X}")
    return text


NoteTitle = Annotated[Name, AfterValidator(_is_title)]
"""One printable line."""

NoteText = Annotated[str, AfterValidator(_is_text)]
"""Any text, of several lines too."""

Notes = dict[NoteTitle, NoteText]


def title_fault(title: str) -> str:
    """Why no note can be called so; `""` if it can."""
    try:
        TypeAdapter(NoteTitle).validate_python(title)
    except ValidationError as error:
        return str(error.errors()[0]["ctx"]["error"])
    return ""


# --- cards ---

NEVER_A_NOTE = ("name", "cost", "attack", "health", "durability")
"""Keys that no note is called: a sheet has one column for each, and a card needs it."""

AMOUNTS = ("amount", "amount_2", "amount_3", "amount_4")
FIELDS = ("cost", "attack", "health", "durability", *AMOUNTS)
"""What balancing may move of a card, in fixed order; `Card.fields` says which of them it has."""

_PRINTED = {
    "minion": ("cost", "attack", "health"),
    "weapon": ("cost", "attack", "durability"),
}  # every other kind has a cost and nothing else
_NEED_A_TARGET = (Selector.TARGET, Selector.TARGET_NEIGHBOURS)
_WITH_OPTIONS = ("minion", "spell", "weapon")


def printed_fields(kind: str) -> tuple[str, ...]:
    """Which of `FIELDS` are printed on cards of a kind, see `sim.cards.vocabulary.Kind`."""
    return _PRINTED.get(kind, ("cost",))


class AmountPlace(NamedTuple):
    """Where one of a card's amounts stands: in which effect row, under which key."""

    row: int
    key: str  # "amount", "attack" or "health"


def _are_different(tags: tuple[str, ...]) -> tuple[str, ...]:
    for place, tag in enumerate(tags):
        if tag in tags[:place]:
            raise ValueError(f"tag {tag!r} is given twice")
    return tags


def _by_fields(told: object) -> object:
    """A table by field, whose keys may be any titles that a sheet has for them."""
    from sim.cards.names import field_names  # noqa: PLC0415 (which know cards)

    if not isinstance(told, dict):
        return told
    names = field_names(FIELDS, "key")
    spelt = {key: names.get(key) if isinstance(key, str) else None for key in told}
    known = {key: found or key for key, found in spelt.items()}
    if len({*known.values()}) < len(told):
        raise ValueError("a number is given twice, under two of its names; keep one")
    return {known[key]: value for key, value in told.items()}


Nothing = Annotated[str, Field(max_length=0)]


class Card(StrictModel):
    """One card of a pool.

    Attributes:
        id: the stable key that decks and results refer to, unique in its pool.
        name: what people read.
        kind: see `sim.cards.vocabulary.Kind`.
        cost: mana to play it, 0 to 1000.
        attack: damage that its body deals, or the player with the weapon; 0 to 1000.
        health: damage that destroys its body, 1 to 1000; minions only.
        durability: attacks until it breaks, 1 to 1000; weapons only.
        keywords: standing abilities of the body, see `sim.cards.vocabulary.Keyword`.
        hero: the hero whose decks may hold it; `""` for all.
        tribe: what filters know it by, or `""`.
        spell_damage: what it adds to the damage of its owner's spells while it is in play.
        overload: mana that playing it locks in its owner's next turn.
        target: whom playing it may choose, a group (`sim.cards.notation`), in files `""` for
            nobody. A spell or hero power must choose; a minion or weapon must if there is somebody.
        target_when: it chooses only while this condition holds (`sim.cards.notation`).
        needs: what else must hold for it to be playable, a condition (`sim.cards.notation`).
        options: ids of two options, of which the player chooses one.
        effects: what it does, in the order in which it happens.
        tunable: for each of `FIELDS` that balancing may move, the lowest and highest value; a
            field left out is locked. `None` leaves the matter to the experiment.
        tags: words of the designer's own, such as a rarity or a faction; no game heeds them.
        notes: texts of the designer's own by title, such as the further columns of a spreadsheet.
            Nothing is computed from them, so that no dump and no hash has them.
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
        Annotated[dict[str, SignedRange], BeforeValidator(_by_fields), in_order_of("key", FIELDS)]
        | None
    ) = None
    tags: Annotated[tuple[CardId, ...], AfterValidator(_are_different)] = ()
    notes: Notes = Field(default_factory=dict, exclude=True)

    @model_validator(mode="after")
    def _notes_are_no_keys(self) -> Card:
        """In a spreadsheet, a note's title stands beside the card's own columns.

        What a designer calls an id, a kind or a tag may stand there in the sheet's own words.
        """
        for title in self.notes:
            if title.lower() in NEVER_A_NOTE:
                raise ValueError(f"notes: {title!r} is what a card's own key is called")
        return self

    @model_validator(mode="after")
    def _numbers_fit_kind(self) -> Card:
        printed = self.printed
        for field in ("attack", "health", "durability"):
            if field in printed and field not in self.model_fields_set:
                raise ValueError(f"missing key {field!r}: a {self.kind} has {', '.join(printed)}")
            if field not in printed and getattr(self, field):
                raise ValueError(
                    f"{field} = {getattr(self, field)}: a {self.kind} has only {', '.join(printed)}"
                )
        for field in {"health", "durability"}.intersection(printed):
            if getattr(self, field) < 1:
                raise ValueError(f"{field} = {getattr(self, field)} must be at least 1")
        if self.options and self.kind not in _WITH_OPTIONS:
            raise ValueError(f"options: a {self.kind} has none; {', '.join(_WITH_OPTIONS)} may")
        if self.options and len(self.options) != 2:
            raise ValueError(f"options has {len(self.options)} ids; a choice is between 2")
        return self

    @model_validator(mode="after")
    def _rows_fit_kind(self) -> Card:
        for number, row in enumerate(self.effects, start=1):
            if Kind[self.kind.upper()] not in row.event.about.heard_by:
                raise ValueError(f"effects #{number}: on = {row.on!r}: no {self.kind} hears of it")
        bodies = {keyword.name.lower() for keyword in BODY_KEYWORDS if keyword.name}
        allowed = bodies | {"blunt"} if self.kind == "weapon" else bodies
        for keyword in self.keywords:
            if keyword not in allowed:
                raise ValueError(f"keyword {keyword!r} is not for a {self.kind}")
        return self

    @model_validator(mode="after")
    def _target_can_be_chosen(self) -> Card:
        """What is chosen is a character, and rows that act on a target have one."""
        group = self.target
        if group and group.selector > Selector.CHARACTERS:
            raise ValueError(f"target = {self.target!r}: only characters can be chosen")
        if group and group.selector <= Selector.PLAYERS and (group.tribe or group.kind is not None):
            raise ValueError(f"target = {self.target!r}: no player is of a tribe or a kind")
        for number, row in enumerate(self.effects, start=1):
            if row.to.selector in _NEED_A_TARGET and (row.on != "play" or group is None):
                raise ValueError(
                    f"effects #{number}: to = {row.to!r}: the card has no target then; "
                    f"say whom it may choose with `target`, and act on it `on` play"
                )
        return self

    @model_validator(mode="after")
    def _rows_find_what_they_act_on(self) -> Card:
        for number, row in enumerate(self.effects, start=1):
            with error_place(f"effects #{number}"):
                check_receivers(row, self.kind, self.target)
        return self

    @model_validator(mode="after")
    def _conditions_of_play_are_without_luck(self) -> Card:
        """They are looked up again and again, and must say the same each time."""
        for key in ("needs", "target_when"):
            if getattr(self, key).is_luck:
                raise ValueError(f"{key} = {getattr(self, key)!r}: no luck decides what is legal")
        return self

    @model_validator(mode="after")
    def _tunable_holds_present_values(self) -> Card:
        for field, (low, high) in (self.tunable or {}).items():
            if field not in self.fields:
                raise ValueError(f"tunable.{field}: this card has only {', '.join(self.fields)}")
            least, most = self.possible(field)
            if low < least:
                raise ValueError(f"tunable.{field} = {[low, high]} must not go below {least}")
            if high > most:
                raise ValueError(f"tunable.{field} = {[low, high]} must not go above {most}")
            present = self.number(field)
            if not low <= present <= high:
                raise ValueError(
                    f"tunable.{field} = {[low, high]} must contain the present {field} = {present}"
                )
        return self

    @property
    def amount_places(self) -> tuple[AmountPlace, ...]:
        """Where the numbers stand that its effects deal in, first row first."""
        places = [
            AmountPlace(row, key)
            for row, effect in enumerate(self.effects)
            for key in effect.action.tunable
            if getattr(effect, key)
        ]
        return tuple(places[: len(AMOUNTS)])

    @property
    def printed(self) -> tuple[str, ...]:
        """Which of `FIELDS` are printed on a card of this kind."""
        return printed_fields(self.kind)

    @property
    def fields(self) -> tuple[str, ...]:
        """Which of `FIELDS` this card has."""
        return (*self.printed, *AMOUNTS[: len(self.amount_places)])

    def number(self, field: str) -> int:
        """The present value of one of its `fields`."""
        if field in AMOUNTS:
            row, key = self.amount_places[AMOUNTS.index(field)]
            return int(getattr(self.effects[row], key))
        return int(getattr(self, field))

    def possible(self, field: str) -> tuple[int, int]:
        """The lowest and highest value that one of its `fields` may have under any ruleset.

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
        """What people call one of its `fields`: an amount goes by what its row does.

        `"damage"`; `"attack bonus"` and `"health bonus"` for what a buff gives; the second of
        a kind is `"damage (2)"`.
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
        """What of the card games depend on."""
        return self.model_copy(update={"name": "", "tunable": None, "tags": (), "notes": {}})

    def with_numbers(self, numbers: Mapping[str, int]) -> Card:
        """The same card with other values of some of its `fields`."""
        changes: dict[str, Any] = {f: v for f, v in numbers.items() if f not in AMOUNTS}
        effects = list(self.effects)
        for field in numbers.keys() - changes.keys():
            row, key = self.amount_places[AMOUNTS.index(field)]
            effects[row] = effects[row].model_copy(update={key: numbers[field]})
        return self.model_copy(update={**changes, "effects": tuple(effects)})
