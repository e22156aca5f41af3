"""Cells of a card: what it says in a column, and what a column says of it."""

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

LOCKED = "locked"  # what the column `tunable` says when nothing may move

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


def value_in(column: str, cell: str, kinds: Mapping[str, str] = MappingProxyType({})) -> object:
    """What a cell says, as a pool file has it.

    Args:
        column: one of `COLUMNS`.
        cell: what stands there.
        kinds: the sheet's own words for kinds of cards, with what each means.

    Raises:
        InputError: names the value, and what may stand there.
    """
    if _ERROR.fullmatch(cell):
        raise InputError(f"{shown_value(cell)} is an error of the spreadsheet")
    if column == "cost" and _COLOURS.search(cell):
        raise InputError(
            f"{shown_value(cell)} must be a whole number: write what it costs in all, and keep "
            f"{shown_value(cell)} in a column of your own"
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


def _joined(text: str) -> str:
    """Keywords of two words as one: `"divine_shield"` for `"divine shield"`."""
    for keyword in words(Keyword):
        text = text.replace(keyword.replace("_", " "), keyword)
    return text


def says_the_same(card: Card, column: str, cell: str, kinds: Mapping[str, str]) -> bool:
    """Whether a sheet's own words for an id, a kind or tags still are those of the card."""
    present = getattr(card, column)
    said = value_in(column, cell, kinds)
    return bool(said == (list(present) if isinstance(present, tuple) else present))


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
    tells = {
        "kind": not kinds <= {"minion"},
        "durability": "weapon" in kinds,
        "tags": any(card.tags for card in cards),
    }
    columns = ["name", "kind", *NUMBERS, "keywords", "effects", "tags"]
    columns = [column for column in columns if tells.get(column, True)]
    return columns, [[cell_of(card, column) for column in columns] for card in cards]


# --- effects and tunable ranges in one cell ---


def effect_text(effect: Effect) -> str:
    """An effect row in the notation of the column `effects`."""
    when = "" if effect.when == ALWAYS else f" when {effect.when}"
    text = f"{effect.on}{when}: {effect.do}"
    if effect.amount != 1 or effect.action.has_amount:
        text += f" {effect.amount}"
    if effect.to != OWN_PLAYER or effect.action.default_to != "own_player":
        text += f" to {effect.to}"
    if effect.token is not None:
        token = effect.token
        text += " ".join([f" token {token.attack}/{token.health}", *token.keywords])
    return text if _says_all(text, effect) else effect_line(effect)


def _says_all(text: str, effect: Effect) -> bool:
    """Whether a line of the short notation reads back as the row."""
    others = Effect.model_fields.keys() - _EFFECT.groupindex.keys() - {"of", "token"}
    is_usual = not any(map(effect.says, {*others, "attack", "health", "keywords"}))
    is_about_usual = str(effect.of) == effect.event.about.of
    return is_usual and is_about_usual and _EFFECT.fullmatch(text) is not None


def tunable_text(card: Card) -> str:
    """Its tunable ranges, in the notation of the column `tunable`."""
    if card.tunable is None:
        return ""
    ranges = [
        f"{field} {low}{'-' if low >= 0 else '..'}{high}"
        for field, (low, high) in card.tunable.items()
    ]
    return "; ".join(ranges) or LOCKED


def effect_of(text: str) -> Mapping[str, object]:
    """An effect row as a pool file has it.

    Raises:
        InputError: it is none.
    """
    if _ROW.fullmatch(text):
        return _toml_row(text)
    match = _EFFECT.fullmatch(text)
    if match is None:
        raise InputError(
            f"{shown_value(text)} must be like 'play: draw 1', 'play: damage 2 to enemy_player' "
            "or 'play: summon 1 token 1/1 haste' (';' between two), or a row of a pool file in "
            "braces"
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
    """Tunable ranges as a pool file has them.

    Raises:
        InputError: names what is no range.
    """
    ranges: dict[str, object] = {}
    for part in [] if text == LOCKED else _parts(text):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise InputError(f"{shown_value(part)} must be like 'attack 2-5', or {LOCKED!r}")
        if match[1] in ranges:
            raise InputError(f"{match[1]!r} is given twice")
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
    "keywords": lambda text: words_in(_joined(text)),
    "options": words_in,
    "effects": lambda text: [effect_of(part) for part in _parts(text)],
    "tunable": tunable_of,
}
