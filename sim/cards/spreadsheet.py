"""Pools as CSV, for the numbers that designers keep in a spreadsheet."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from sim.cards.card import AMOUNTS, FIELDS, Card, printed_fields
from sim.cards.effect import Effect
from sim.cards.notation import ALWAYS, OWN_PLAYER
from sim.cards.pool import Pool
from sim.cards.pool_file import effect_line
from sim.errors import InputError, blaming, unknown_word
from sim.files.atomic_file import write_atomically
from sim.files.csv_file import Line, csv_text, filled_lines, whole_number
from sim.files.strict_model import shown_value, validate

_NUMBERS = tuple(field for field in FIELDS if field not in AMOUNTS)  # as cards print them
_MORE_NUMBERS = ("spell_damage", "overload")
_MORE = ("hero", "tribe", *_MORE_NUMBERS, "target", "target_when", "needs", "options", "tags")
_OPTIONAL = ("durability", *_MORE)
"""Columns that are only written if some card has something to say in them."""

COLUMNS = ("id", "name", "kind", *_NUMBERS, "keywords", "effects", "tunable", *_MORE)
REQUIRED_COLUMNS = ("name", "cost", "attack", "health")
LOCKED = "locked"  # what the column `tunable` says when nothing may move

_EFFECT = re.compile(
    r"(?P<on>\w+)(?: +when +(?P<when>\w+))? *:"
    r" *(?P<do>\w+)(?: +(?P<amount>[0-9]{1,9}))?(?: +to +(?P<to>\w+))?"
    r"(?: +token +(?P<attack>[0-9]{1,9}) */ *(?P<health>[0-9]{1,9})(?P<keywords>(?: +\w+)*))?"
)
_ROW = re.compile(r"\{[^;]*\}")  # one line of TOML, such as { on = "play", do = "draw" }
_RANGE = re.compile(r"(\w+) +(-?[0-9]{1,9}) *(?:-|\u2013|\.\.) *(-?[0-9]{1,9})")


def write_csv(pool: Pool, path: Path) -> None:
    """Write one line per card; `read_csv` gives back equal cards.

    Tokens, heroes and the coin have no place in it.

    Raises:
        InputError: `path` cannot be written.
    """
    columns = [column for column in COLUMNS if column not in _OPTIONAL or _is_used(column, pool)]
    rows = [[_cell(card, column) for column in columns] for card in pool.cards]
    write_atomically(path, csv_text([columns, *rows]))


def read_csv(path: Path, name: str, over: Pool | None = None) -> Pool:
    """The pool called `name` with the cards of a CSV file.

    Columns may come in any order and letter case; `name` and the numbers are required. Commas,
    semicolons or tabs may stand between them, and blank lines anywhere. A card without an id
    gets one from its name, a card without a kind is a minion. The notation of the other columns
    is that of `write_csv`, such as `play: damage 2 to enemy_player; play: draw 1` for effects
    and `attack 2-5; health 3-5` for tunable ranges. A row for which that notation has no words
    stands there as in a pool file, `{ on = "death", do = "draw" }`.

    Args:
        path: the CSV file.
        name: of the pool.
        over: whose tokens, heroes and coin the pool gets; without it, it has none.

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
    kept = {} if over is None else {"token": over.tokens, "hero": over.heroes, "coin": over.coin}
    return validate(Pool, {"name": name, "card": cards, **kept}, source=str(path))


def card_id_from_name(name: str) -> str:
    """`"ember_whelp"` for `"Ember Whelp!"`; `""` when nothing of the name can be in an id."""
    plain = unicodedata.normalize("NFKD", name.replace("'", "")).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")
    return f"card_{slug}" if slug[:1].isdigit() else slug


def effect_text(effect: Effect) -> str:
    """An effect row in the notation of the column `effects`."""
    when = "" if effect.when == ALWAYS else f" when {effect.when}"
    text = f"{effect.on}{when}: {effect.do}"
    if effect.amount != 1 or effect.action.has_amount:
        text += f" {effect.amount}"
    if effect.to != OWN_PLAYER or effect.action.default_to != "own_player":
        text += f" to {effect.to}"
    if effect.token is not None:
        stats = f"{effect.token.attack}/{effect.token.health}"
        text += " ".join([" token", stats, *effect.token.keywords])
    return text if _says_all(text, effect) else effect_line(effect)


def _says_all(text: str, effect: Effect) -> bool:
    """Whether a line of the short notation reads back as the row."""
    others = Effect.model_fields.keys() - _EFFECT.groupindex.keys() - {"of", "token"}
    is_usual = not any(map(effect.says, {*others, "attack", "health", "keywords"}))
    is_about_usual = str(effect.of) == effect.event.about.of
    return is_usual and is_about_usual and _EFFECT.fullmatch(text) is not None


def described(cards: Sequence[Card]) -> tuple[list[str], list[list[str | int]]]:
    """The cards' names, numbers, keywords, effects and tags, for tables that people read.

    Returns:
        The titles of the columns, and one row per card. The kind, the durability and tags are only
        there if some card is no minion, is a weapon, or has some; a number that a card does not
        have is `""`.
    """
    kinds = {card.kind for card in cards}
    columns = ["name", "kind", *_NUMBERS, "keywords", "effects", "tags"]
    if not any(card.tags for card in cards):
        columns.remove("tags")
    if "weapon" not in kinds:
        columns.remove("durability")
    if kinds <= {"minion"}:
        columns.remove("kind")
    return columns, [[_cell(card, column) for column in columns] for card in cards]


def _is_used(column: str, pool: Pool) -> bool:
    return any(getattr(card, column) != Card.model_fields[column].default for card in pool.cards)


def _cell(card: Card, column: str) -> str | int:
    """What a card says in a column."""
    value = getattr(card, column)
    if column in _NUMBERS:
        return int(value) if column in card.printed else ""
    if column in _OPTIONAL and value == Card.model_fields[column].default:
        return ""
    if column == "effects":
        return "; ".join(map(effect_text, card.effects))
    if column == "tunable":
        return _tunable_text(card)
    return " ".join(value) if isinstance(value, tuple) else str(value)


def _tunable_text(card: Card) -> str:
    if card.tunable is None:
        return ""
    ranges = [
        f"{field} {low}{'-' if low >= 0 else '..'}{high}"
        for field, (low, high) in card.tunable.items()
    ]
    return "; ".join(ranges) or LOCKED


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
    for column in ("name", *printed_fields(filled.get("kind", "minion").lower())):
        if column not in filled:
            raise InputError(f"{source}: column {column}: must not be blank")
    if "id" not in filled and not card_id_from_name(filled["name"]):
        raise InputError(f"{source}: column id: must not be blank, since the name has no letters")
    data: dict[str, object] = {"id": card_id_from_name(filled["name"])}
    for column, cell in filled.items():
        with blaming(f"{source}: column {column}"):
            data[column] = _parsed(column, cell)
    return data


def _parsed(column: str, cell: str) -> object:
    if column in _NUMBERS or column in _MORE_NUMBERS:
        return whole_number(cell)
    if column in {"id", "name"}:
        return cell
    text = " ".join(cell.lower().split())
    if column in {"keywords", "options", "tags"}:
        return [word for word in re.split(r"[\s,;]+", text) if word]
    if column == "effects":
        return [_effect(part) for part in _parts(text)]
    if column == "tunable":
        return _tunable(text)
    return text


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _effect(text: str) -> Mapping[str, object]:
    if _ROW.fullmatch(text):
        return _toml_row(text)
    match = _EFFECT.fullmatch(text)
    if match is None:
        raise InputError(
            f"{shown_value(text)} must be like 'play: damage 2 to enemy_player' "
            "or 'play: summon 1 token 1/1 haste', or a row of a pool file in braces"
        )
    return _short_row(match)


def _toml_row(text: str) -> Mapping[str, object]:
    try:
        row: dict[str, object] = tomllib.loads(f"row = {text}")["row"]
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{shown_value(text)} is not valid TOML: {error}") from None
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
