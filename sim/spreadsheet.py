"""Pools as CSV, for the numbers that designers keep in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from sim.atomic_file import write_atomically
from sim.card import FIELDS, Card
from sim.csv_file import Line, filled_lines, whole_number
from sim.effect import Effect, default_selector
from sim.errors import InputError, unknown_word
from sim.pool import Pool
from sim.strict_model import shown_value, validate

COLUMNS = ("id", "name", "kind", *FIELDS, "keywords", "effects", "tunable")
DESCRIPTION = ("name", *FIELDS, "keywords", "effects")
REQUIRED_COLUMNS = ("name", *FIELDS)
LOCKED = "locked"  # what the column `tunable` says when nothing may move

_EFFECT = re.compile(
    r"(?P<on>\w+)(?: +when +(?P<when>\w+))? *:"
    r" *(?P<do>\w+)(?: +(?P<amount>[0-9]{1,9}))?(?: +to +(?P<to>\w+))?"
    r"(?: +token +(?P<attack>[0-9]{1,9}) */ *(?P<health>[0-9]{1,9})(?P<keywords>(?: +\w+)*))?"
)
_RANGE = re.compile(r"(\w+) +([0-9]{1,9}) *(?:-|\u2013|\.\.) *([0-9]{1,9})")


def write_csv(pool: Pool, path: Path) -> None:
    """Write one line per card; `read_csv` gives back an equal pool.

    Raises:
        InputError: `path` cannot be written.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for card in pool.cards:
        writer.writerow(_cells(card))
    write_atomically(path, text.getvalue())


def read_csv(path: Path, name: str) -> Pool:
    """The pool called `name` with the cards of a CSV file.

    Columns may come in any order and letter case; `name` and the numbers are required. Commas,
    semicolons or tabs may stand between them, and blank lines anywhere. A card without an id
    gets one from its name, a card without a kind is a minion. The notation of the other columns
    is that of `write_csv`, such as `play: damage 2 to enemy_player; play: draw 1` for effects
    and `attack 2-5; health 3-5` for tunable ranges.

    Raises:
        InputError: names the file, the line, the card or the column, the value and the limit.
    """
    lines = filled_lines(path)
    if not lines:
        raise InputError(f"{path}: is empty; wants a line with the columns {', '.join(COLUMNS)}")
    columns = _columns(lines[0], path)
    line_of_id: dict[str, int] = {}
    cards = []
    for number, cells in lines[1:]:
        source = f"{path}: line {number}"
        card = validate(Card, _card_data(columns, cells, source), source=source)
        if card.id in line_of_id:
            earlier = f"already used in line {line_of_id[card.id]}"
            raise InputError(f"{source}: column id: {card.id!r} is {earlier}; ids must be unique")
        line_of_id[card.id] = number
        cards.append(card)
    return validate(Pool, {"name": name, "card": cards}, source=str(path))


def card_id_from_name(name: str) -> str:
    """`"ember_whelp"` for `"Ember Whelp!"`; `""` when nothing of the name can be in an id."""
    plain = unicodedata.normalize("NFKD", name.replace("'", "")).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")
    return f"card_{slug}" if slug[:1].isdigit() else slug


def effect_text(effect: Effect) -> str:
    """An effect row in the notation of the column `effects`."""
    when = "" if effect.when == "always" else f" when {effect.when}"
    text = f"{effect.on}{when}: {effect.do} {effect.amount}"
    if effect.to != "own_player" or effect.to != default_selector(effect.do):
        text += f" to {effect.to}"
    if effect.token is not None:
        stats = f"{effect.token.attack}/{effect.token.health}"
        text += " ".join([" token", stats, *effect.token.keywords])
    return text


def described(card: Card) -> list[str | int]:
    """A card's name, numbers, keywords and effects, in the columns of `DESCRIPTION`."""
    effects = "; ".join(effect_text(effect) for effect in card.effects)
    numbers = [card.number(field) for field in FIELDS]
    return [card.name, *numbers, " ".join(card.keywords), effects]


def _cells(card: Card) -> list[str | int]:
    name, *others = described(card)
    return [card.id, name, card.kind, *others, _tunable_text(card)]


def _tunable_text(card: Card) -> str:
    if card.tunable is None:
        return ""
    return "; ".join(f"{key} {low}-{high}" for key, (low, high) in card.tunable.items()) or LOCKED


def _columns(header: Line, path: Path) -> list[str]:
    """What each cell of a line is, in order; `""` for a column without a title."""
    number, titles = header
    columns = [title.lower() for title in titles]
    source = f"{path}: line {number}"
    for place, column in enumerate(columns):
        if column and column not in COLUMNS:
            raise InputError(f"{source}: {unknown_word('column', titles[place], COLUMNS)}")
        if column and column in columns[:place]:
            raise InputError(f"{source}: column {column!r} is there twice")
    missing = [column for column in REQUIRED_COLUMNS if column not in columns]
    if missing:
        plural = "s" if len(missing) > 1 else ""
        raise InputError(f"{source}: missing column{plural} {', '.join(missing)}")
    return columns


def _card_data(columns: list[str], cells: list[str], source: str) -> dict[str, object]:
    """The card as a file in TOML would have it; what is blank is left out."""
    filled: dict[str, str] = {}
    for place, cell in enumerate(cells):
        column = columns[place] if place < len(columns) else ""
        if cell and not column:
            raise InputError(f"{source}: {shown_value(cell)} stands in no column")
        if cell:
            filled[column] = cell
    for column in REQUIRED_COLUMNS:
        if column not in filled:
            raise InputError(f"{source}: column {column}: must not be blank")
    if "id" not in filled and not card_id_from_name(filled["name"]):
        raise InputError(f"{source}: column id: must not be blank, since the name has no letters")
    data: dict[str, object] = {"id": card_id_from_name(filled["name"])}
    for column, cell in filled.items():
        try:
            data[column] = _parsed(column, cell)
        except InputError as error:
            raise InputError(f"{source}: column {column}: {error}") from None
    return data


def _parsed(column: str, cell: str) -> object:
    if column in FIELDS:
        return whole_number(cell)
    if column in {"id", "name"}:
        return cell
    text = " ".join(cell.lower().split())
    if column == "keywords":
        return [word for word in re.split(r"[\s,;]+", text) if word]
    if column == "effects":
        return [_effect(part) for part in _parts(text)]
    if column == "tunable":
        return _tunable(text)
    return text


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _effect(text: str) -> Mapping[str, object]:
    match = _EFFECT.fullmatch(text)
    if match is None:
        raise InputError(
            f"{shown_value(text)} must be like 'play: damage 2 to enemy_player' "
            "or 'play: summon 1 token 1/1 haste'"
        )
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


def _tunable(text: str) -> Mapping[str, object]:
    ranges: dict[str, object] = {}
    for part in [] if text == LOCKED else _parts(text):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise InputError(f"{shown_value(part)} must be like 'attack 2-5', or {LOCKED!r}")
        if match[1] in ranges:
            raise InputError(f"{match[1]!r} is given twice")
        ranges[match[1]] = [int(match[2]), int(match[3])]
    return ranges
