"""Cells of cards: values of a card as text for each column of a sheet, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from sim import Card, Effect, InputError, error_place
from sim.cards.notation import ALWAYS, OWN_PLAYER, words
from sim.cards.pool_file import effect_line
from sim.cards.spreadsheet.columns import (
    COLUMNS,
    KINDS,
    MORE_NUMBERS,
    NUMBERS,
    OPTIONAL,
    column_like,
)
from sim.cards.spreadsheet.identifiers import id_from_cell, tags_from_words, words_in
from sim.cards.spreadsheet.words import kind_in
from sim.cards.vocabulary import Keyword
from sim.files.csv_file import whole_number
from sim.files.toml_file import parse_toml
from sim.files.validation import shown_value

LOCKED = "locked"  # cell of the column `tunable` for a card with all numbers locked

# Numbers have at most nine digits in all notations: more exceed every limit, and would be slow.
_EFFECT = re.compile(
    r"(?P<on>\w+)(?: +when +(?P<when>\w+))? *:"
    r" *(?P<do>\w+)(?: +(?P<amount>[0-9]{1,9}))?(?: +to +(?P<to>\w+))?"
    r"(?: +token +(?P<attack>[0-9]{1,9}) */ *(?P<health>[0-9]{1,9})(?P<keywords>(?: +\w+)*))?"
)
_ROW = re.compile(r"\{[^;]*\}")  # one line of TOML, such as { on = "play", do = "draw" }
_RANGE = re.compile(r"(\w+) +(-?[0-9]{1,9}) *(?:-|\u2013|\.\.) *(-?[0-9]{1,9})")

_COLOURS = re.compile(r"\{|[0-9] *[A-Za-z]|^[A-Z]{1,3}$")  # such as {2}{R}, 2R, X, WUU
_ERROR = re.compile(r"#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NULL!|NUM!)")


def used_columns(cards: Sequence[Card]) -> list[str]:
    """Return `COLUMNS` without the optional ones that are at their default in all cards.

    A column stays if a note has nearly its title: without it the note would be read as that column.
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
    """Return the cell of a card in one of `COLUMNS`; `value_in` reads it back."""
    value = getattr(card, column)
    if column in NUMBERS:
        return int(value) if column in card.printed else ""
    if column in OPTIONAL and _is_default(card, column):
        return ""
    if column == "effects":
        return "; ".join(map(effect_text, card.effects))
    if column == "tunable":
        return tunable_text(card)
    return " ".join(value) if isinstance(value, tuple) else str(value)


def _is_default(card: Card, column: str) -> bool:
    return bool(getattr(card, column) == Card.model_fields[column].default)


def value_in(column: str, cell: str, kinds: Mapping[str, str] = MappingProxyType({})) -> object:
    """Return the value of a cell, as a pool file has it.

    Args:
        column: one of `COLUMNS`.
        cell: text of the cell.
        kinds: the sheet's own words for kinds of cards, with the kind that each means.

    Raises:
        InputError: names the value, and the permitted ones.
    """
    if _ERROR.fullmatch(cell):
        raise InputError(f"{shown_value(cell)} is an error of the spreadsheet", value=cell)
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


# Keywords are separated by spaces, so those of two words must be joined before the text is split.
def _join_keywords(text: str) -> str:
    """Return a text with keywords of two words as one: `divine_shield` for `divine shield`."""
    for keyword in words(Keyword):
        text = text.replace(keyword.replace("_", " "), keyword)
    return text


def says_the_same(card: Card, column: str, cell: str, kinds: Mapping[str, str]) -> bool:
    """Return whether a sheet's own words for an id, a kind or tags still mean those of the card.

    Args:
        card: the card.
        column: one of `sim.cards.spreadsheet.columns.WITH_OWN_WORDS`.
        cell: the sheet's own words.
        kinds: the sheet's own words for kinds of cards, with the kind that each means.
    """
    present = getattr(card, column)
    value = value_in(column, cell, kinds)
    return bool(value == (list(present) if isinstance(present, tuple) else present))


def note_titles(cards: Iterable[Card]) -> list[str]:
    """Return the titles of all notes, in the order in which the cards first have them."""
    return list(dict.fromkeys(title for card in cards for title in card.notes))


def has_words_for_kinds(title: str, cards: Iterable[Card]) -> bool:
    """Return whether a note holds a sheet's own words for the kinds of its cards.

    When the sheet is imported again, such a column must be read as kinds again, not as a note.
    """
    kinds = [(card.kind, card.notes.get(title, "")) for card in cards]
    return (
        column_like(title) == "kind"
        and any(text.lower() in KINDS for _, text in kinds)
        and all(value_in("kind", text or "minion") == kind for kind, text in kinds)
    )


def described(cards: Sequence[Card]) -> tuple[list[str], list[list[str | int]]]:
    """Return the cards' names, numbers, keywords, effects and tags, for tables that people read.

    Returns:
        The titles of the columns, and one row per card. The columns kind, durability and tags are
            there only if some card is no minion, is a weapon, or has tags; a number that a card
            does not have is `""`.
    """
    kinds = {card.kind for card in cards}
    is_used = {
        "kind": not kinds <= {"minion"},
        "durability": "weapon" in kinds,
        "tags": any(card.tags for card in cards),
    }
    columns = ["name", "kind", *NUMBERS, "keywords", "effects", "tags"]
    columns = [column for column in columns if is_used.get(column, True)]
    return columns, [[cell_of(card, column) for column in columns] for card in cards]


# --- notation of effects and of tunable ranges in one cell ---


def effect_text(effect: Effect) -> str:
    """Return an effect row in the notation of the column `effects`."""
    when = "" if effect.when == ALWAYS else f" when {effect.when}"
    text = f"{effect.on}{when}: {effect.do}"
    if effect.amount != 1 or effect.action.has_amount:
        text += f" {effect.amount}"
    if effect.to != OWN_PLAYER or effect.action.default_to != "own_player":
        text += f" to {effect.to}"
    if effect.token is not None:
        token = effect.token
        text += " ".join([f" token {token.attack}/{token.health}", *token.keywords])
    return text if _is_complete(text, effect) else effect_line(effect)


def _is_complete(text: str, effect: Effect) -> bool:
    """Return whether the short notation of a row reads back as the same row."""
    # The notation has no words for these keys, so a row that sets one of them is written as TOML.
    others = Effect.model_fields.keys() - _EFFECT.groupindex.keys() - {"of", "token"}
    is_usual = not any(map(effect.is_given, {*others, "attack", "health", "keywords"}))
    is_about_usual = str(effect.of) == effect.event.about.of
    return is_usual and is_about_usual and _EFFECT.fullmatch(text) is not None


def tunable_text(card: Card) -> str:
    """Return a card's tunable ranges in the notation of the column `tunable`."""
    if card.tunable is None:
        return ""
    ranges = [
        f"{field} {low}{'-' if low >= 0 else '..'}{high}"
        for field, (low, high) in card.tunable.items()
    ]
    return "; ".join(ranges) or LOCKED


def effect_of(text: str) -> Mapping[str, object]:
    """Return an effect row in the notation of a cell as a pool file has it.

    Raises:
        InputError: the text is no effect row.
    """
    if _ROW.fullmatch(text):
        return _toml_row(text)
    match = _EFFECT.fullmatch(text)
    if match is None:
        raise InputError(
            f"{shown_value(text)} must be like 'play: draw 1', 'play: damage 2 to enemy_player' "
            "or 'play: summon 1 token 1/1 haste' (';' between two), or a row of a pool file in "
            "braces",
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
    """Return tunable ranges in the notation of a cell as a pool file has them.

    Raises:
        InputError: names the part that is no range.
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
