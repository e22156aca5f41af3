"""Table with past changes of cards: one row per changed number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from balance import Edit, apply_patch
from experiments.observed.columns import named_columns, require_columns
from experiments.spreadsheet.sheet_file import read_sheets
from sim import Pool
from sim.cards.names import card_named, fields_of_card
from sim.errors import InputError, error_place
from sim.files.csv_file import whole_number

CHANGE_COLUMNS: dict[str, tuple[str, ...]] = {
    "card": ("card", "card id", "id", "card name", "name"),
    "field": ("field", "number", "stat", "what"),
    "before": ("before", "old", "from", "old value", "was"),
    "after": ("after", "new", "to", "new value"),
    "date": ("date", "day", "patch", "version"),
    "response": ("response", "what followed", "followed", "reaction"),
}
"""Titles of each column, in any case and with any signs between words."""
_NEEDED = ("card", "field", "before", "after")
_SIZE_MAX = 10_000  # changed numbers of a table: far above the history of any game


@dataclass(frozen=True)
class CardChange:
    """Change of one card on one date.

    Attributes:
        card: id of the card.
        name: name of the card.
        date: date or patch of the change, as the table has it; `""` if it has none.
        numbers: changed numbers with their values before and after.
        response: what followed as a number, negative if the card became weaker; NaN if not known.
    """

    card: str
    name: str
    date: str
    numbers: tuple[Edit, ...]
    response: float

    @property
    def words(self) -> str:
        """The changed numbers as text, such as `cost 2 -> 3, attack 3 -> 2`."""
        return ", ".join(f"{edit.field} {edit.before} -> {edit.after}" for edit in self.numbers)

    def pools(self, pool: Pool) -> tuple[Pool, Pool]:
        """Return a pool with the card's numbers before, and one with those after the change."""
        card = pool.card(self.card)
        to_before = tuple(
            edit._replace(before=card.number(edit.field), after=edit.before)
            for edit in self.numbers
            if card.number(edit.field) != edit.before
        )
        before = apply_patch(pool, to_before)
        return before, apply_patch(before, self.numbers)


def read_changes(
    path: Path, pool: Pool, chosen: Mapping[str, str] | None = None
) -> tuple[CardChange, ...]:
    """Read past changes of the cards of a pool.

    Rows of one card and date are one change. Cards may be named by id or name, fields in any
    spelling that edits accept.

    Args:
        path: path of a CSV file or a workbook with the columns card, field, before and after, and
            optionally date and response.
        pool: pool with the cards.
        chosen: titles of columns by meaning; other columns are found by their titles.

    Raises:
        InputError: the table cannot be read, lacks a column, or has an invalid cell.
    """
    sheets = [sheet for sheet in read_sheets(path).sheets if sheet.rows]
    with error_place(path):
        if not sheets:
            raise InputError("is empty", remedy=f"add a line of titles: {', '.join(_NEEDED)}")
        (_, titles), *rows = sheets[0].rows
        found = named_columns(titles, chosen, CHANGE_COLUMNS)
        require_columns(_NEEDED, found, titles, CHANGE_COLUMNS)
        if not 0 < len(rows) <= _SIZE_MAX:
            raise InputError(
                f"has {len(rows):,} changed numbers",
                value=len(rows),
                limit=(1, _SIZE_MAX),
                remedy="add a row for each changed number",
            )
        return _grouped(
            [_change(number, _cells(cells, found), pool) for number, cells in rows if any(cells)]
        )


def _cells(cells: tuple[str, ...] | list[str], found: Mapping[str, int]) -> dict[str, str]:
    """Return the cells of a row by meaning; `""` for cells that the row lacks."""
    return {
        role: cells[place].strip() if place < len(cells) else "" for role, place in found.items()
    }


def _change(number: int, cells: Mapping[str, str], pool: Pool) -> CardChange:
    """Return the change of a row.

    Raises:
        InputError: a cell is invalid.
    """
    with error_place(f"row {number}"):
        card = card_named(pool, cells["card"])
        field = fields_of_card(card).find(cells["field"])
        values = []
        for role in ("before", "after"):
            value = whole_number(cells[role])
            low, high = card.possible(field)
            if not low <= value <= high:
                raise InputError(
                    f"{role}: {field} of {card.name} must be from {low} to {high}",
                    value=value,
                    limit=(low, high),
                )
            values.append(value)
        if values[0] == values[1]:
            raise InputError(
                f"{field} of {card.name} is {values[0]} before and after",
                value=values[0],
                remedy="delete the row",
            )
        edit = Edit(card.id, card.name, field, values[0], values[1])
        response = _response_in(cells.get("response", ""))
    return CardChange(card.id, card.name, cells.get("date", ""), (edit,), response)


def _response_in(text: str) -> float:
    """Return the number in a cell of responses; NaN for a blank cell.

    Raises:
        InputError: the text is no finite number.
    """
    if not text:
        return np.nan
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise InputError(
            f"response {text!r} must be a number, negative if the card became weaker", value=text
        )
    return value


def _grouped(changes: list[CardChange]) -> tuple[CardChange, ...]:
    """Return the changes with the numbers of one card and date together.

    Raises:
        InputError: a number changes twice on a date, or the responses differ.
    """
    groups: dict[tuple[str, str], list[CardChange]] = {}
    for change in changes:
        groups.setdefault((change.card, change.date), []).append(change)
    merged = []
    for (card, date), group in groups.items():
        edits = tuple(edit for change in group for edit in change.numbers)
        fields = [edit.field for edit in edits]
        known = {change.response for change in group if not np.isnan(change.response)}
        place = f"{group[0].name} ({date})" if date else group[0].name
        if len({*fields}) < len(fields):
            raise InputError(
                "a number changes twice on one date",
                place=place,
                value=tuple(fields),
                remedy="add a column of dates, or keep one row",
            )
        if len(known) > 1:
            raise InputError(
                "the responses to one change differ",
                place=place,
                value=tuple(sorted(known)),
                remedy="write the response once",
            )
        response = known.pop() if known else np.nan
        merged.append(CardChange(card, group[0].name, date, edits, response))
    return tuple(merged)
