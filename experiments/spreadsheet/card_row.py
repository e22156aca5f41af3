"""Reading of a spreadsheet row as one card, with a report of all its problems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from experiments.spreadsheet.cells import value_in
from experiments.spreadsheet.coin_row import check_coin, wrong_columns
from experiments.spreadsheet.columns import WITH_OWN_WORDS, Column, Header
from experiments.spreadsheet.identifiers import id_from_cell
from experiments.spreadsheet.meanings import COLUMNS, MORE_NUMBERS
from experiments.spreadsheet.mechanics import has_mechanics, keywords_in
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.words import COIN, KINDS, NOTHING, TOTALS, kind_in, plain_cell
from sim.cards.card import NEVER_A_NOTE, Card
from sim.cards.fields import NUMBERS, printed_fields
from sim.cards.identifiers import card_id_from_name
from sim.errors import InputError, Problems
from sim.files.csv_file import Row
from sim.files.validation import validation_errors

_LINE_END = re.compile(r"\r\n?|[\v\f]")  # line ends that notes replace by a line feed
_STAND_IN = 1  # replaces a wrong or missing number, so that the rest of the card can be checked
_HARMLESS: dict[str, object] = {"id": "x", "name": "x", **dict.fromkeys(NUMBERS, _STAND_IN)}


class Unclear(NamedTuple):
    """Words and columns of a sheet that are reported once for the sheet, not in each row.

    Attributes:
        kinds: kind of card by the sheet's own word for it: as the designer explained the word or,
            for a word in `asked`, a guess.
        asked: unexplained words for kinds, which are already reported as problems.
        unread: columns of `COLUMNS` that are already reported as not holding their content; rows
            skip their cells.
    """

    kinds: Mapping[str, str]
    asked: frozenset[str]
    unread: frozenset[str]


class CardRow:
    """Row of a sheet that describes one card.

    Attributes:
        name: the card's name, with single spaces.
        id: the card's id, from its cell or else made from the name; `""` if neither gives an id.
        had_nothing: whether `card` dropped a placeholder, such as `-` or -1, for a number that
            cards of this kind do not have.
    """

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
        self.had_nothing: bool = False
        # Rows may be shorter than the row of titles. Cells to the right of it are reported once for
        # the whole sheet.
        for at, (column, cell) in enumerate(zip(header.columns, cells, strict=False)):
            # The first of several columns counts; `check_header` reports the others.
            for name in column.names:
                self._at.setdefault(name, at)
            if cell and column.sort == "card":
                self._take(column, cell, at)
            elif cell and column.sort == "note":
                self._notes.setdefault(column.title, _LINE_END.sub("\n", cell))
        self.name: str = " ".join(self._filled.get("name", "").split())
        self.id: str = id_from_cell(self._filled.get("id", "")) or card_id_from_name(self.name)
        self._keep_own_words()
        self._label = self.id or self.name
        if not self.id and self.name:
            self._report(["id"], "must not be blank, since the name has no letters")
        elif not self.id:
            self._report(["name"], "must not be blank", "if the row is not a card, delete it")
        elif self._has_totals:
            self._report(
                ["name"],
                f"{self.name!r} looks like a row of totals, not like a card",
                "delete the row, or give it an id if it is a card",
            )

    @property
    def _has_totals(self) -> bool:
        is_named = self.name.lower().rstrip(":") in TOTALS
        return is_named and "cost" in self._filled and "id" not in self._filled

    def _take(self, column: Column, cell: str, at: int) -> None:
        """Record the text of a cell for each of `COLUMNS` that it fills, or report a problem.

        A column that an earlier cell of the row fills keeps its text.
        """
        if has_mechanics(column):
            known = " ".join(keywords_in(cell))
            if known != cell:
                self._notes.setdefault(column.title, _LINE_END.sub("\n", cell))
            if not known:
                return
            cell = known
        # A wrong cell leaves the stand-ins, so that its columns are not also reported as blank.
        parts = dict.fromkeys(column.names, str(_STAND_IN))
        with self._problems.at(f"{self._sheet.place(self._number, at)}: column {column.title!r}"):
            parts = column.meaning.parts(cell)
        for name, text in parts.items():
            self._filled.setdefault(name, text)

    def _keep_own_words(self) -> None:
        """Keep the sheet's text for an id, kind, tribe or tags as a note if the card's differs."""
        for name in WITH_OWN_WORDS:
            cell = self._filled.get(name)
            if cell is None or (name == "kind" and self.is_coin):
                continue
            try:
                value = self.id if name == "id" else value_in(name, cell, self._unclear.kinds)
            except InputError:  # `_values` reports the error later
                continue
            if cell != (" ".join(value) if isinstance(value, list) else value):
                title = self._header.columns[self._at[name]].title
                self._notes.setdefault(title, _LINE_END.sub("\n", cell))

    @property
    def others(self) -> list[str]:
        """The sheet's texts for the card's name and id, without blank cells."""
        return list(filter(None, (self.name, self._filled.get("id", ""))))

    def repeated_id_error(self, first: str) -> InputError:
        """Return the error for a row that repeats the id of an earlier row.

        Args:
            first: place of the earlier row, for the message.
        """
        own = self._filled.get("id")
        if own is None:
            return InputError(
                f"{self.name!r} is already used in {first}",
                place=f"{self.place('name')}: column 'name'",
                value=self.name,
                remedy="give one of the two cards another name, or give each card an id in a "
                "column 'id'; for copies in a deck, add a column 'deck: NAME'",
            )
        same = "" if own == self.id else f"gives the id {self.id!r}, which "
        return InputError(
            f"{own!r} {same}is already used in {first}",
            place=f"{self.place('id')}: column 'id'",
            value=own,
            remedy="ids must be unique",
        )

    def place(self, column: str = "") -> str:
        """Return the place of a cell of the row, for messages.

        Args:
            column: one of `COLUMNS`; if it is `""` or the sheet lacks the column, the place of the
                whole row is returned.
        """
        return self._sheet.place(self._number, self._at.get(column))

    @property
    def is_coin(self) -> bool:
        """Whether the row describes the second player's coin, by its word for the kind."""
        return self._kind_word == COIN

    @property
    def _kind_word(self) -> str:
        return kind_in(self._filled.get("kind", "minion"), self._unclear.kinds)

    @property
    def _is_kind_guessed(self) -> bool:
        return plain_cell(self._filled.get("kind", "")) in self._unclear.asked

    @property
    def _kind(self) -> str:
        return KINDS.get(self._kind_word, self._kind_word)

    def refuse_second_coin(self, first: str) -> None:
        """Report that the sheet already has a coin.

        Args:
            first: place of the row of the first coin, for the message.
        """
        self._report(
            ["kind"], f"the coin is already in {first}", "keep one, since a game has only one coin"
        )

    def card(self) -> Card | None:
        """Validate the row, report its problems, and return the card; `None` if it has problems."""
        before = len(self._problems)
        # Wrong columns of a coin are removed, so that `Card` does not report them a second time.
        for columns, problem in wrong_columns(self._filled) if self.is_coin else ():
            self._report(columns, problem)
            for column in columns:
                del self._filled[column]
        self._drop_placeholders()
        data: dict[str, Any] = {**self._stand_ins(), **self._values(), "id": self.id}
        if self._notes:
            data["notes"] = self._notes
        card = self._validate(data)
        if card is None or len(self._problems) > before:
            return None
        if self.is_coin:
            with self._problems.at(
                f"{self.place('effects')}: card {self._label!r}: column 'effects'"
            ):
                check_coin(card)
        return card if len(self._problems) == before else None

    def _drop_placeholders(self) -> None:
        """Drop placeholders, such as `-`, for numbers that cards of this kind do not have.

        If the kind is only a guess (`Unclear.asked`), drop all texts in the cells of such numbers.
        """
        for column in ("attack", "health", "durability"):
            cell = self._filled.get(column, "").lower()
            if column in printed_fields(self._kind):
                continue
            if self._is_kind_guessed:
                self._filled.pop(column, None)
            elif cell in NOTHING:
                del self._filled[column]
                self.had_nothing = True

    def _stand_ins(self) -> dict[str, Any]:
        """Return valid values, by column, for required cells that are blank, and report the cells.

        Cells that are already reported, or that depend on a guessed kind, are not reported.
        """
        printed = printed_fields(self._kind)
        needed = [name for name in ("name", *printed) if name not in self._filled]
        remedy = "if the row is not a card, delete it" if len(needed) > len(printed) - 1 else ""
        if "kind" not in self._filled and {"attack", "health"} & set(needed):
            remedy = remedy or "if the card is a spell or weapon, write that in a column 'kind'"
        if "kind" in self._filled and set(needed) <= {"attack", "health", "durability"}:
            remedy = f"a {self._kind} needs it: write a number, or change the kind"
        blank = [name for name in needed if not self._is_kind_guessed or name in ("name", "cost")]
        blank = [name for name in blank if not self._has_fault(name)]
        if blank:
            self._report(blank, "must not be blank", remedy)
        return {column: self.id if column == "name" else _STAND_IN for column in needed}

    def _has_fault(self, column: str) -> bool:
        """Return whether the row's cell in a column is already reported as unreadable."""
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
                data[column] = self._divide(column, value) if is_number else value
            except InputError as error:
                self._report_error([column], self._add_column_remedy(error, column))
        return data

    def _divide(self, column: str, value: object) -> object:
        """Return a number divided by the divisor of its column; other values are unchanged.

        Raises:
            InputError: the number is not a multiple of the divisor.
        """
        divisor = self._header.columns[self._at[column]].divisor
        if divisor == 1 or not isinstance(value, int):
            return value
        if value % divisor:
            raise InputError(
                f"{value} is not a multiple of {divisor}",
                value=value,
                limit=divisor,
                remedy="choose a smaller divisor",
            )
        return value // divisor

    def _validate(self, data: Mapping[str, Any]) -> Card | None:
        """Return the card from its keys and values; report problems and return `None` on errors.

        If keys are wrong, the card is checked again with harmless values or without these keys,
        since `Card` checks combinations of keys only after every single key is valid.
        """
        try:
            return Card.model_validate(data, by_alias=True, by_name=False)
        except ValidationError as error:
            faults = validation_errors(error, Card, data)
        for key, fault in faults:
            column = key or _column_of(fault)
            full = self._add_column_remedy(fault, column)
            self._problems.add_error(full.at(self.place(column)))
        wrong = {key for key, _ in faults}
        # An error of the whole card has no key in `data`, so it ends the recursion.
        kept = {
            key: _HARMLESS[key] if key in wrong else value
            for key, value in data.items()
            if key not in wrong or key in _HARMLESS
        }
        return self._validate(kept) if wrong <= data.keys() and kept != data else None

    def _add_column_remedy(self, error: InputError, column: str) -> InputError:
        """Return a copy of an error with the remedy of its column appended, if that exists."""
        remedy = self._column_remedy(column)
        if error.remedy.endswith("?") and remedy:
            remedy = f"{error.remedy} {remedy[0].upper()}{remedy[1:]}"
        else:
            remedy = "; ".join(filter(None, (error.remedy, remedy)))
        return error.with_fields(remedy=remedy)

    def _column_remedy(self, column: str) -> str:
        """Return the remedy for a column that may have been misunderstood; `""` if none applies.

        An optional column may be meant as a note. Attack, health or durability may be filled for a
        card of a kind that does not have the number.
        """
        title = self._header.columns[self._at[column]].title if column in self._at else ""
        if column in COLUMNS and column not in ("id", "kind", *NEVER_A_NOTE):
            if column == "effects":  # a note of a whole game's effects is hardly ever meant
                return f'correct it; --note "{title}" would leave the cards without any effects'
            return f'correct it, or use --note "{title}" to keep the column as a note'
        is_of_body = column in ("attack", "health", "durability")
        if is_of_body and column not in printed_fields(self._kind):
            return "leave attack and health blank, or change the kind of the card"
        return ""

    def _report(self, columns: Sequence[str], problem: str, remedy: str = "") -> None:
        self._report_error(columns, InputError(problem, remedy=remedy))

    def _report_error(self, columns: Sequence[str], error: InputError) -> None:
        """Report an error with the place of the cell or row, the card and the columns."""
        cell = self.place(columns[0] if len(columns) == 1 else "")
        card = [f"card {self._label!r}"] if self._label else []
        column = f"column{'s' * (len(columns) > 1)} {', '.join(map(repr, columns))}"
        self._problems.add_error(error.at(": ".join([cell, *card, column])))


def _column_of(fault: InputError) -> str:
    """Return the key that an error of a whole card is about, which is also its column.

    Args:
        fault: error of a validator of `Card`, with a place `card 'ID': KEY`.
    """
    _, _, key = fault.place.partition(": ")
    return re.split(r"\W", key)[0]
