"""Cells of a card: what it says in a column, and what a column says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sim.cards.card import Card
from sim.cards.spreadsheet.columns import (
    COLUMNS,
    KINDS,
    MORE_NUMBERS,
    NUMBERS,
    OPTIONAL,
    column_like,
)
from sim.cards.spreadsheet.short_notation import effect_text, effects_of, tunable_of, tunable_text
from sim.errors import InputError
from sim.files.csv_file import whole_number
from sim.files.validation import shown_value

_ERROR = re.compile(r"#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NULL!|NUM!)")
_LISTS = ("keywords", "options", "tags")


def used_columns(cards: Sequence[Card]) -> list[str]:
    """`COLUMNS` without the optional ones in which no card says something.

    Where a note is called nearly as a column, the column is there too, so that no reader takes the
    one for the other.
    """
    resembled = {column_like(title) for title in note_titles(cards)}
    return [
        column
        for column in COLUMNS
        if column not in OPTIONAL
        or column in resembled
        or any(not _goes_without_saying(card, column) for card in cards)
    ]


def cell_of(card: Card, column: str) -> str | int:
    """What a card says in one of `COLUMNS`; `value_in` reads it back."""
    value = getattr(card, column)
    if column in NUMBERS:
        return int(value) if column in card.printed else ""
    if column in OPTIONAL and _goes_without_saying(card, column):
        return ""
    if column == "effects":
        return "; ".join(map(effect_text, card.effects))
    if column == "tunable":
        return tunable_text(card)
    return " ".join(value) if isinstance(value, tuple) else str(value)


def _goes_without_saying(card: Card, column: str) -> bool:
    return bool(getattr(card, column) == Card.model_fields[column].default)


def value_in(column: str, cell: str) -> object:
    """What a cell says, as a pool file has it.

    Raises:
        InputError: names the value, and what may stand there.
    """
    if _ERROR.fullmatch(cell):
        raise InputError(f"{shown_value(cell)} is an error of the spreadsheet")
    if column in NUMBERS or column in MORE_NUMBERS:
        return whole_number(cell)
    if column in {"id", "name"}:
        return cell
    text = " ".join(cell.lower().split())
    if column in _LISTS:
        return [word for word in re.split(r"[\s,;]+", text) if word]
    if column == "effects":
        return effects_of(text)
    if column == "kind":
        return KINDS.get(text, text)
    return tunable_of(text) if column == "tunable" else text


def note_titles(cards: Iterable[Card]) -> list[str]:
    """The titles of all notes, in the order in which the cards first have them."""
    return list(dict.fromkeys(title for card in cards for title in card.notes))


def tells_kinds(title: str, cards: Iterable[Card]) -> bool:
    """Whether a note holds a column's own words for the kinds of cards, kept besides.

    Then it must be read as kinds again when the sheet is.
    """
    told = [(card.kind, card.notes.get(title, "")) for card in cards]
    return (
        column_like(title) == "kind"
        and any(text.lower() in KINDS for _, text in told)
        and all(value_in("kind", text or "minion") == kind for kind, text in told)
    )


def described(cards: Sequence[Card]) -> tuple[list[str], list[list[str | int]]]:
    """The cards' names, numbers, keywords, effects and tags, for tables that people read.

    Returns:
        The titles of the columns, and one row per card. The kind, the durability and tags are only
        there if some card is no minion, is a weapon, or has some; a number that a card does not
        have is `""`.
    """
    kinds = {card.kind for card in cards}
    columns = ["name", "kind", *NUMBERS, "keywords", "effects", "tags"]
    if not any(card.tags for card in cards):
        columns.remove("tags")
    if "weapon" not in kinds:
        columns.remove("durability")
    if kinds <= {"minion"}:
        columns.remove("kind")
    return columns, [[cell_of(card, column) for column in columns] for card in cards]
