"""Conversion between the values of a card and the cells of a sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from experiments.spreadsheet.columns import OPTIONAL
from experiments.spreadsheet.identifiers import id_from_cell, tags_from_words, words_in
from experiments.spreadsheet.meanings import COLUMNS, MORE_NUMBERS
from experiments.spreadsheet.titles import column_like
from experiments.spreadsheet.words import KINDS, kind_in
from sim import Card, InputError, error_place
from sim.cards.cell_text import SHORT_ROW, cell_text
from sim.cards.fields import NUMBERS
from sim.cards.notation import words
from sim.cards.vocabulary import Keyword
from sim.files.csv_file import whole_number
from sim.files.toml_file import parse_toml
from sim.value_error import shown_value

LOCKED = "locked"  # cell of the column `tunable` for a card with all numbers locked

_ROW = re.compile(r"\{[^;]*\}")  # one line of TOML, such as { on = "play", do = "draw" }
_RANGE = re.compile(r"(\w+) +(-?[0-9]{1,9}) *(?:-|\u2013|\.\.) *(-?[0-9]{1,9})")

_COLOURS = re.compile(r"\{|[0-9] *[A-Za-z]|^[A-Z]{1,3}$")  # costs such as {2}{R}, 2R, X or WUU
_ERROR = re.compile(r"#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NULL!|NUM!)")


def used_columns(cards: Sequence[Card]) -> list[str]:
    """Return the columns of `COLUMNS` that a sheet of cards needs.

    An optional column is omitted if all cards have its default value, unless a note's title is
    similar to the column's: without the column, an import would read the note as the column.
    """
    resembled = {column_like(title) for title in note_titles(cards)}
    return [
        column
        for column in COLUMNS
        if column not in OPTIONAL
        or column in resembled
        or any(not _is_default(card, column) for card in cards)
    ]


def cell_of(card: Card, column: str) -> str | int:
    """Return the content of a card's cell in a column, which `value_in` converts back.

    The cell is `""` for a number that the card's kind does not have, and for the default value of
    an optional column.

    Args:
        card: card of the row.
        column: one of `COLUMNS`.
    """
    if column in OPTIONAL and _is_default(card, column):
        return ""
    return tunable_text(card) if column == "tunable" else cell_text(card, column)


def _is_default(card: Card, column: str) -> bool:
    return bool(getattr(card, column) == Card.model_fields[column].default)


def value_in(column: str, cell: str, kinds: Mapping[str, str] = MappingProxyType({})) -> object:
    """Return the value in a cell, in the form that pool files have, without validation as a card.

    Args:
        column: one of `COLUMNS`.
        cell: text of the cell.
        kinds: kind of card by the sheet's own word for it.

    Raises:
        InputError: the cell is an error of the spreadsheet program, or not in the notation of its
            column.
    """
    if _ERROR.fullmatch(cell):
        raise InputError(
            f"{shown_value(cell)} is an error of the spreadsheet program",
            value=cell,
            remedy="correct the cell in the spreadsheet",
        )
    if column == "cost" and _COLOURS.search(cell):
        raise InputError(
            f"{shown_value(cell)} must be a whole number",
            value=cell,
            remedy=f"write the total cost, and keep {shown_value(cell)} in a column of your own",
        )
    if column in NUMBERS or column in MORE_NUMBERS:
        return whole_number(cell)
    if column == "kind":
        word = kind_in(cell, kinds)
        return KINDS.get(word, word)
    if column in _READ:
        return _READ[column](cell)
    text = " ".join(cell.lower().split())
    return _READ_LOWER[column](text) if column in _READ_LOWER else text


def _join_keywords(text: str) -> str:
    """Return a text with underscores in keywords, as `divine_shield` for `divine shield`."""
    # Spaces also separate keywords, so this must happen before the text is split into words.
    for keyword in words(Keyword):
        text = text.replace(keyword.replace("_", " "), keyword)
    return text


def says_the_same(card: Card, column: str, cell: str, kinds: Mapping[str, str]) -> bool:
    """Return whether a cell in a sheet's own words still means the value of a card.

    Args:
        card: card with the current value.
        column: one of `experiments.spreadsheet.columns.WITH_OWN_WORDS`.
        cell: text of the cell, as kept in a note.
        kinds: kind of card by the sheet's own word for it.
    """
    present = getattr(card, column)
    value = value_in(column, cell, kinds)
    return bool(value == (list(present) if isinstance(present, tuple) else present))


def note_titles(cards: Iterable[Card]) -> list[str]:
    """Return the titles of all notes on the given cards, in order of first occurrence."""
    return list(dict.fromkeys(title for card in cards for title in card.notes))


def has_words_for_kinds(title: str, cards: Iterable[Card]) -> bool:
    """Return whether notes with a title hold a sheet's own words for the kinds of the cards.

    The word of each card must be a synonym of the card's kind; a blank note means a minion. At
    least one word must be known, and the title must be that of a column of kinds. A later import
    then reads the column as kinds and not as a note.
    """
    kinds = [(card.kind, card.notes.get(title, "")) for card in cards]
    return (
        column_like(title) == "kind"
        and any(text.lower() in KINDS for _, text in kinds)
        and all(value_in("kind", text or "minion") == kind for kind, text in kinds)
    )


# --- notation of effects and of tunable ranges in one cell ---


def tunable_text(card: Card) -> str:
    """Return a card's tunable ranges as a cell of the column `tunable`, such as `attack 2-5`.

    The cell is `""` if the card does not set ranges, and `locked` if it locks all its numbers.
    """
    if card.tunable is None:
        return ""
    ranges = [
        f"{field} {low}{'-' if low >= 0 else '..'}{high}"
        for field, (low, high) in card.tunable.items()
    ]
    return "; ".join(ranges) or LOCKED


def effect_of(text: str) -> Mapping[str, object]:
    """Parse one effect row of a cell, and return its keys and values as pool files have them.

    Args:
        text: the row in the short notation, or as an inline table of TOML.

    Raises:
        InputError: the text is in neither notation.
    """
    if _ROW.fullmatch(text):
        return _toml_row(text)
    match = SHORT_ROW.fullmatch(text)
    if match is None:
        raise InputError(
            f"{shown_value(text)} must be like 'play: draw 1', 'play: damage 2 to minions(other)' "
            "or 'play: summon 1 token 1/1 haste', or be an effect row of a pool file in braces",
            value=text,
        )
    return _short_row(match)


def _toml_row(text: str) -> Mapping[str, object]:
    with error_place(shown_value(text)):
        row: dict[str, object] = parse_toml(f"row = {text}")["row"]
    return row


def _short_row(match: re.Match[str]) -> Mapping[str, object]:
    row: dict[str, object] = {
        key: match[key] for key in ("on", "when", "do", "to") if match[key] is not None
    }
    if match["amount"]:
        row["amount"] = int(match["amount"])
    if match["attack"]:
        row["token"] = {
            "attack": int(match["attack"]),
            "health": int(match["health"]),
            "keywords": match["keywords"].split(),
        }
    return row


def tunable_of(text: str) -> Mapping[str, object]:
    """Parse a cell of the column `tunable`, and return the bounds `[low, high]` by field.

    Args:
        text: ranges separated by semicolons, or `locked`, which returns no ranges.

    Raises:
        InputError: a part of the text is no range, or a field is given twice.
    """
    ranges: dict[str, object] = {}
    for part in [] if text == LOCKED else _parts(text):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise InputError(
                f"{shown_value(part)} must be like 'attack 2-5', or {LOCKED!r}", value=part
            )
        if match[1] in ranges:
            raise InputError(f"{match[1]!r} is given twice", value=match[1], remedy="keep one")
        ranges[match[1]] = [int(match[2]), int(match[3])]
    return ranges


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


_READ: Mapping[str, Callable[[str], object]] = {
    "id": id_from_cell,
    "name": lambda cell: " ".join(cell.split()),
    "tags": tags_from_words,
    "hero": id_from_cell,
    "tribe": id_from_cell,
}
_READ_LOWER: Mapping[str, Callable[[str], object]] = {
    "keywords": lambda text: words_in(_join_keywords(text)),
    "options": words_in,
    "effects": lambda text: [effect_of(part) for part in _parts(text)],
    "tunable": tunable_of,
}
