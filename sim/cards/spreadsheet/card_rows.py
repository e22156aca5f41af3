"""Cards out of the rows of a sheet, with all that is wrong with them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from sim.cards.card import Card, printed_fields
from sim.cards.spreadsheet.cells import note_titles, value_in
from sim.cards.spreadsheet.coin_row import check_coin, wrong_columns
from sim.cards.spreadsheet.columns import (
    COIN,
    KINDS,
    MORE_NUMBERS,
    NUMBERS,
    REQUIRED,
    SYNONYMS,
    Column,
    Header,
    word_of,
)
from sim.errors import InputError, Problems
from sim.files.csv_file import Row
from sim.files.sheet import Sheet
from sim.files.validation import faults, shown_value

_LINE_END = re.compile(r"\r\n?|[\v\f]")  # of other systems, and those that no file should hold
_FIRST_WORD = re.compile(r"card '.*?': (\w+)")  # of a message about a card: mostly a key
_STAND_IN = 1  # for a number that is wrong, so that the rest of the card can be looked at
_HARMLESS: dict[str, object] = {"id": "x", "name": "x", **dict.fromkeys(NUMBERS, _STAND_IN)}


class CardRows(NamedTuple):
    """What was found in the rows.

    Attributes:
        cards: those that are right, by their rows.
        row_of: all rows that say who they are, by id.
        coins: the coin, by its row, which is no card of a deck.
    """

    cards: dict[int, Card]
    row_of: dict[str, int]
    coins: dict[int, Card]

    @property
    def coin(self) -> Card | None:
        """The coin, if there is one."""
        return next(iter(self.coins.values()), None)


def read_card_rows(sheet: Sheet, header: Header, problems: Problems) -> CardRows:
    """The cards below the titles of a sheet.

    Args:
        sheet: where they stand.
        header: its titles.
        problems: takes what is wrong.
    """
    found = CardRows({}, {}, {})
    rows_of_coins = list[int]()
    below = [row for row in sheet.rows if row[0] > header.row]
    header = _without_strangers(header, below)
    for number, cells in below:
        row = _CardRow(sheet, header, (number, cells), problems)
        if not row.id:
            continue
        if row.id in found.row_of:
            earlier = f"already used in {sheet.place(found.row_of[row.id])}"
            problems.add(
                f"{row.place('id')}: column id: {row.id!r} is {earlier}; ids must be unique"
            )
            continue
        found.row_of[row.id] = number
        if row.is_coin and rows_of_coins:
            row.refuse_second_coin(sheet.place(rows_of_coins[0]))
        if row.is_coin:
            rows_of_coins.append(number)
        card = row.card()
        if card is not None:
            (found.coins if row.is_coin else found.cards)[number] = card
    _keep_titles(found.cards, header)
    _check_untitled(sheet, header, problems)
    return found


def _without_strangers(header: Header, rows: Sequence[Row]) -> Header:
    """Leave misspelt columns alone where no cell is what they hold; the title says enough."""
    columns = list(header.columns)
    for at, column in enumerate(header.columns):
        cells = [cells[at] for _, cells in rows if at < len(cells) and cells[at]]
        is_needed = not column.is_misspelt or column.name in REQUIRED
        if not is_needed and not any(_is_value(column.name, cell) for cell in cells):
            columns[at] = Column("note", column.title, column.title)
    return replace(header, columns=tuple(columns))


def _is_value(column: str, cell: str) -> bool:
    try:
        value_in(column, cell)
    except InputError:
        return False
    return True


def card_id_from_name(name: str) -> str:
    """`"ember_whelp"` for `"Ember Whelp!"`; `""` when nothing of the name can be in an id."""
    composed = unicodedata.normalize("NFC", name.replace("'", ""))
    slug = re.sub("_+", "_", "".join(map(_in_id, composed))).strip("_")
    return slug if slug.isidentifier() or not slug else f"card_{slug}"


def _in_id(character: str) -> str:
    """What of a character can be in an id: without its accent, or itself where it is no Latin."""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if plain:
        return re.sub(r"[^a-z0-9]", "_", plain.lower())
    return character.lower() if f"_{character}".isidentifier() else ""


class _CardRow:
    """A row that is one card."""

    def __init__(self, sheet: Sheet, header: Header, row: Row, problems: Problems) -> None:
        self._sheet, self._header, self._problems = sheet, header, problems
        self._number, cells = row
        self._at: dict[str, int] = {}
        self._filled: dict[str, str] = {}
        self._notes: dict[str, str] = {}
        for at, (column, cell) in enumerate(zip(header.columns, cells, strict=False)):
            if column.sort == "card":
                self._at.setdefault(column.name, at)
                if cell:
                    self._filled.setdefault(column.name, cell)
            if (column.sort == "note" or column.is_note_too) and cell:
                self._notes.setdefault(column.title, _LINE_END.sub("\n", cell))
        self.id = self._filled.get("id") or card_id_from_name(self._filled.get("name", ""))
        self._who = self.id or self._filled.get("name", "")
        if not self.id:
            told = "since the name has no letters" if "name" in self._filled else ""
            self._blame(["id" if told else "name"], f"must not be blank{', ' * bool(told)}{told}")

    def place(self, column: str = "") -> str:
        """Where the row is, or the cell of a column."""
        return self._sheet.place(self._number, self._at.get(column))

    @property
    def is_coin(self) -> bool:
        """Whether it is the second player's coin."""
        return self._filled.get("kind", "").strip().lower() == COIN

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
        data: dict[str, Any] = {"id": self.id, **self._stand_ins(), **self._values()}
        if self._notes:
            data["notes"] = self._notes
        card = self._validated(data)
        if card is None or len(self._problems) > before:
            return None
        if self.is_coin:
            with self._problems.at(f"{self.place('effects')}: card {self._who!r}: column effects"):
                check_coin(card)
        return card if len(self._problems) == before else None

    def _stand_ins(self) -> dict[str, Any]:
        """What a card must have, for cells that are blank; which is blamed."""
        kind = self._filled.get("kind", "minion").lower()
        printed = printed_fields(KINDS.get(kind, kind))
        needed = [one for one in ("name", *printed) if one not in self._filled]
        hint = "; a row that is no card must go" if len(needed) > len(printed) - 1 else ""
        if "kind" not in self._filled and {"attack", "health"} & set(needed):
            hint = hint or "; a spell or weapon says so in the column kind"
        if needed:
            self._blame(needed, f"must not be blank{hint}")
        return {column: self.id if column == "name" else _STAND_IN for column in needed}

    def _values(self) -> dict[str, object]:
        data: dict[str, object] = {}
        for column, cell in self._filled.items():
            if column in NUMBERS or column in MORE_NUMBERS:
                data[column] = _STAND_IN
            with self._problems.at(f"{self.place(column)}: card {self._who!r}: column {column}"):
                data[column] = value_in(column, cell)
        return data

    def _validated(self, data: Mapping[str, Any]) -> Card | None:
        """The card; where keys are wrong, once more without them, since rules join several."""
        try:
            return Card.model_validate(data, by_alias=True, by_name=False)
        except ValidationError as error:
            found = faults(error, Card, data)
        for key, message in found:
            told = _FIRST_WORD.match(message)
            column = key or (told[1] if told else "")
            self._problems.add(f"{self.place(column)}: {message}{self._way_out(column)}")
        wrong = {key for key, _ in found}
        kept = {
            key: _HARMLESS[key] if key in wrong else value
            for key, value in data.items()
            if key not in wrong or key in _HARMLESS
        }
        return self._validated(kept) if wrong <= data.keys() and kept != data else None

    def _way_out(self, column: str) -> str:
        """What else can be done where keywords were looked for below another title."""
        title = self._header.columns[self._at[column]].title if column in self._at else ""
        is_taken = column == "keywords" and word_of(title) in SYNONYMS
        return f'; mend it, or keep the column as your own by --note "{title}"' if is_taken else ""

    def _blame(self, columns: Sequence[str], problem: str) -> None:
        who = f"card {self._who!r}: " if self._who else ""
        named = f"column{'s' * (len(columns) > 1)} {', '.join(columns)}"
        place = self.place(columns[0] if len(columns) == 1 else "")
        self._problems.add(f"{place}: {who}{named}: {problem}")


def _keep_titles(cards: dict[int, Card], header: Header) -> None:
    """Let the first card say what the notes of all cards do not: blank columns, and their order."""
    titles = header.notes
    if cards and note_titles(cards.values()) != titles:
        row, first = next(iter(cards.items()))
        notes = {title: first.notes.get(title, "") for title in titles}
        cards[row] = first.model_copy(update={"notes": notes})


def _check_untitled(sheet: Sheet, header: Header, problems: Problems) -> None:
    """Each column without a title is a problem if something stands in it, however often."""
    n_titles = len(header.columns)
    first: dict[int, tuple[int, str]] = {}
    for number, cells in sheet.rows:
        for at, cell in enumerate(cells) if number > header.row else ():
            if cell and (at >= n_titles or header.columns[at].sort == "untitled"):
                first.setdefault(at, (number, cell))
    for at, (number, cell) in sorted(first.items()):
        problems.add(f"{sheet.place(number, at)}: {shown_value(cell)} stands in no column")
