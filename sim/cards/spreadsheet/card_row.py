"""A row of a sheet as one card, with all that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from sim.cards.card import NEVER_A_NOTE, Card, printed_fields
from sim.cards.notation import words
from sim.cards.spreadsheet.cells import value_in
from sim.cards.spreadsheet.coin_row import check_coin, wrong_columns
from sim.cards.spreadsheet.columns import (
    COIN,
    COLUMNS,
    KINDS,
    MORE_NUMBERS,
    NUMBERS,
    WITH_OWN_WORDS,
    Column,
    Header,
)
from sim.cards.spreadsheet.identifiers import card_id_from_name, id_from_cell, words_in
from sim.cards.spreadsheet.words import NOTHING, TOTALS, kind_in, plain_cell
from sim.cards.vocabulary import Keyword
from sim.errors import InputError, Problems, nearest_spelling
from sim.files.csv_file import Row
from sim.files.sheet import Sheet
from sim.files.validation import validation_errors

_LINE_END = re.compile(r"\r\n?|[\v\f]")  # of other systems, and those that no file should hold
_STAND_IN = 1  # for a number that is wrong, so that the rest of the card can be looked at
_HARMLESS: dict[str, object] = {"id": "x", "name": "x", **dict.fromkeys(NUMBERS, _STAND_IN)}


class Unclear(NamedTuple):
    """What of a sheet nobody can know, asked once for all its rows.

    Attributes:
        kinds: the sheet's own words for kinds, those explained, and stand-ins for the others.
        asked: the latter words.
        unread: columns whose cells are not what their titles say, or too large.
    """

    kinds: Mapping[str, str]
    asked: frozenset[str]
    unread: frozenset[str]


class CardRow:
    """A row that is one card."""

    def __init__(
        self, sheet: Sheet, header: Header, row: Row, problems: Problems, unclear: Unclear
    ) -> None:
        self._sheet = sheet
        self._header = header
        self._problems = problems
        self._unclear = unclear
        self._number, cells = row
        self._at: dict[str, int] = {}
        self._filled: dict[str, str] = {}
        self._notes: dict[str, str] = {}
        self.had_nothing = False
        for at, (column, cell) in enumerate(zip(header.columns, cells, strict=False)):
            for name in column.names:
                self._at.setdefault(name, at)
            if cell and column.sort == "card":
                self._take(column, cell, at)
            elif cell and column.sort == "note":
                self._notes.setdefault(column.title, _LINE_END.sub("\n", cell))
        self.name = " ".join(self._filled.get("name", "").split())
        self.id = id_from_cell(self._filled.get("id", "")) or card_id_from_name(self.name)
        self._keep_own_words()
        self._who = self.id or self.name
        if not self.id:
            why = ", since the name has no letters" if self.name else ""
            way = "" if why else "; a row that is no card must go"
            self._blame(["id" if why else "name"], f"must not be blank{why}{way}")
        elif self._are_totals:
            self._blame(
                ["name"],
                f"{self.name!r} looks like a row of totals, which is no card; take it out of the "
                "sheet, or write an id beside it if it is a card",
            )

    @property
    def _are_totals(self) -> bool:
        is_named = self.name.lower().rstrip(":") in TOTALS
        return is_named and "cost" in self._filled and "id" not in self._filled

    def _take(self, column: Column, cell: str, at: int) -> None:
        """What a cell says of the card."""
        parts = dict.fromkeys(column.names, str(_STAND_IN))
        with self._problems.at(f"{self._sheet.place(self._number, at)}: column {column.title!r}"):
            parts = column.meaning.parts(cell)
        for name, text in parts.items():
            self._filled.setdefault(name, text)

    def _keep_own_words(self) -> None:
        """Note what the sheet calls an id, a kind or tags, where the card has another word."""
        for name in WITH_OWN_WORDS:
            cell = self._filled.get(name)
            if cell is None or (name == "kind" and self.is_coin):
                continue
            try:
                said = self.id if name == "id" else value_in(name, cell, self._unclear.kinds)
            except InputError:  # which is a problem of the values
                continue
            if cell != (" ".join(said) if isinstance(said, list) else said):
                title = self._header.columns[self._at[name]].title
                self._notes.setdefault(title, _LINE_END.sub("\n", cell))

    @property
    def others(self) -> list[str]:
        """What else the sheet calls the card."""
        return list(filter(None, (self.name, self._filled.get("id", ""))))

    def second_of(self, first: str) -> str:
        """What is wrong with a row whose id is there already, in the place `first`."""
        own = self._filled.get("id")
        if own is None:
            return (
                f"{self.place('name')}: column name: {self.name!r} is already used in {first}; "
                "give one another name, or tell them apart by a column id (copies in a deck are a "
                "column 'deck: NAME')"
            )
        same = f"{own!r}" if own == self.id else f"{own!r}, that is {self.id!r},"
        return (
            f"{self.place('id')}: column id: {same} is already used in {first}; ids must be unique"
        )

    def place(self, column: str = "") -> str:
        """Where the row is, or the cell of a column."""
        return self._sheet.place(self._number, self._at.get(column))

    @property
    def is_coin(self) -> bool:
        """Whether it is the second player's coin."""
        return self._kind_word == COIN

    @property
    def _kind_word(self) -> str:
        return kind_in(self._filled.get("kind", "minion"), self._unclear.kinds)

    @property
    def _is_asked_for(self) -> bool:
        return plain_cell(self._filled.get("kind", "")) in self._unclear.asked

    @property
    def _kind(self) -> str:
        return KINDS.get(self._kind_word, self._kind_word)

    def refuse_second_coin(self, first: str) -> None:
        """Note that there is a coin already, in the place `first`."""
        self._blame(["kind"], f"the coin is already in {first}; a game has one")

    def card(self) -> Card | None:
        """The card, or `None` where something is wrong with it."""
        before = len(self._problems)
        for columns, reason in wrong_columns(self._filled) if self.is_coin else ():
            self._blame(columns, reason)
            for column in columns:
                del self._filled[column]
        self._drop_nothings()
        data: dict[str, Any] = {**self._stand_ins(), **self._values(), "id": self.id}
        if self._notes:
            data["notes"] = self._notes
        card = self._validated(data)
        if card is None or len(self._problems) > before:
            return None
        if self.is_coin:
            with self._problems.at(f"{self.place('effects')}: card {self._who!r}: column effects"):
                check_coin(card)
        return card if len(self._problems) == before else None

    def _drop_nothings(self) -> None:
        """Leave out what stands for a number that cards of this kind have not.

        Where nobody knows the kind, nobody knows what it has.
        """
        for column in ("attack", "health", "durability"):
            cell = self._filled.get(column, "").lower()
            if column in printed_fields(self._kind):
                continue
            if self._is_asked_for:
                self._filled.pop(column, None)
            elif cell in NOTHING:
                del self._filled[column]
                self.had_nothing = True

    def _stand_ins(self) -> dict[str, Any]:
        """What a card must have, for cells that are blank; which is blamed."""
        printed = printed_fields(self._kind)
        needed = [one for one in ("name", *printed) if one not in self._filled]
        hint = "; a row that is no card must go" if len(needed) > len(printed) - 1 else ""
        if "kind" not in self._filled and {"attack", "health"} & set(needed):
            hint = hint or "; a spell or weapon says so in the column kind"
        if "kind" in self._filled and set(needed) <= {"attack", "health", "durability"}:
            hint = f"; a {self._kind} has it: write a number, or change the kind"
        blamed = [one for one in needed if not self._is_asked_for or one in ("name", "cost")]
        blamed = [one for one in blamed if not self._has_fault(one)]
        if blamed:
            self._blame(blamed, f"must not be blank{hint}")
        return {column: self.id if column == "name" else _STAND_IN for column in needed}

    def _has_fault(self, column: str) -> bool:
        """Whether the sheet itself has no value in a cell, which is a problem already."""
        return (self._number, self._at.get(column, -1)) in self._sheet.faults

    def _values(self) -> dict[str, object]:
        data: dict[str, object] = {}
        for column, cell in self._filled.items():
            is_number = column in NUMBERS or column in MORE_NUMBERS
            if is_number:
                data[column] = _STAND_IN
            if column in self._unclear.unread:
                continue
            try:
                value = value_in(column, cell, self._unclear.kinds)
                data[column] = self._divided(column, value) if is_number else value
            except InputError as error:
                self._blame([column], f"{error}{self._way_out(column)}")
        return data

    def _divided(self, column: str, value: object) -> object:
        """A number of a column that is to be divided."""
        divisor = self._header.columns[self._at[column]].divisor
        if divisor == 1 or not isinstance(value, int):
            return value
        if value % divisor:
            raise InputError(f"{value} cannot be divided by {divisor}; name a smaller divisor")
        return value // divisor

    def _validated(self, data: Mapping[str, Any]) -> Card | None:
        """The card; where keys are wrong, once more without them, since rules join several."""
        try:
            return Card.model_validate(data, by_alias=True, by_name=False)
        except ValidationError as error:
            found = validation_errors(error, Card, data)
        for key, fault in found:
            column = key or _column_of(fault)
            remedy = f"{fault.remedy}{self._way_out(column)}"
            self._problems.add_error(fault.with_fields(remedy=remedy).at(self.place(column)))
        wrong = {key for key, _ in found}
        kept = {
            key: _HARMLESS[key] if key in wrong else value
            for key, value in data.items()
            if key not in wrong or key in _HARMLESS
        }
        return self._validated(kept) if wrong <= data.keys() and kept != data else None

    def _way_out(self, column: str) -> str:
        """What else can be done about it, where a column may be meant otherwise."""
        title = self._header.columns[self._at[column]].title if column in self._at else ""
        if column in COLUMNS and column not in ("id", "kind", *NEVER_A_NOTE):
            known = self._known() if column == "keywords" else ""
            return f'; correct it, or keep the column as your own by --note "{title}"{known}'
        is_of_body = column in ("attack", "health", "durability")
        if is_of_body and column not in printed_fields(self._kind):
            return "; leave attack and health blank, or change the kind of the card"
        return ""

    def _known(self) -> str:
        """All keywords, where those of the row are near none."""
        known = words(Keyword)
        wrong = [word for word in words_in(self._filled["keywords"].lower()) if word not in known]
        is_near = any(nearest_spelling(word, known) for word in wrong)
        return "" if is_near else f" (keywords: {', '.join(known)})"

    def _blame(self, columns: Sequence[str], problem: str) -> None:
        who = f"card {self._who!r}: " if self._who else ""
        named = f"column{'s' * (len(columns) > 1)} {', '.join(columns)}"
        place = self.place(columns[0] if len(columns) == 1 else "")
        self._problems.add(f"{place}: {who}{named}: {problem}")


def _column_of(fault: InputError) -> str:
    """Return the column that a fault of a whole card is about: its place, or its first word."""
    innermost = fault.place.rpartition(": ")[2]
    return re.split(r"\W", innermost if "'" not in innermost else fault.problem)[0]
