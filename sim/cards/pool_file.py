"""Pool files: writing pools as TOML, and editing numbers in files that people wrote by hand."""

from __future__ import annotations

import operator
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item, Table

from sim import AMOUNTS, Card, InputError, Pool, error_place, known_word, validate, write_atomically
from sim.cards.cell_text import effect_pairs, inline_text
from sim.cards.sheet_layout import SheetLayout
from sim.files.toml_file import read_toml
from sim.files.whole_file import read_text

Edit = tuple[str, str, int]
"""Edit of a card's number: card id, field (`sim.cards.card.Card.fields`), and new value."""

# Keys in their order in pool files; a key with its default value is not written.
_CARD_KEYS = (
    "keywords",
    "hero",
    "tribe",
    "spell_damage",
    "overload",
    "target",
    "target_when",
    "needs",
    "options",
    "tags",
)


def write_pool(pool: Pool, path: Path) -> None:
    """Write a pool to a TOML file, and replace a file that exists.

    Raises:
        InputError: `path` cannot be written.
    """
    write_atomically(path, pool_text(pool))


def pool_text(pool: Pool) -> str:
    """Return a pool as TOML text without default values, from which an equal pool can be read."""
    document = tomlkit.document()
    document.update({"name": pool.name, "format": pool.format})
    if pool.coin is not None:
        document["coin"] = pool.coin
    if pool.sheet is not None:
        document["sheet"] = _sheet_table(pool.sheet)
    cards = tomlkit.aot()
    cards.extend(map(_card_table, pool.cards))
    document["card"] = cards
    for token in pool.tokens:
        document.setdefault("token", tomlkit.aot()).append(_card_table(token))
    for hero in pool.heroes:
        document.setdefault("hero", tomlkit.aot()).append(hero.model_dump())
    return tomlkit.dumps(document)


def edit_pool_file(source: Path, target: Path, edits: Sequence[Edit]) -> None:
    """Write a copy of a pool file with new numbers, and keep all other text, such as comments.

    Args:
        source: path of the pool file to copy.
        target: path of the copy; may be `source`.
        edits: the new numbers; an edit to the current value does not change the text.

    Raises:
        InputError: `source` is not a pool file, an edit names an unknown card or field, the edited
            pool is not valid (such as a number outside its tunable range), or `target` cannot be
            written.
    """
    pool = validate(Pool, read_toml(source), source=str(source))
    try:
        document = tomlkit.parse(read_text(source))
    except TOMLKitError as error:
        raise InputError(f"not valid TOML: {error}", place=source) from None
    for edit in edits:
        _edit(document, pool, edit, source=source)
    text = tomlkit.dumps(document)
    # Validate the text, not the document in memory, since later readers have only the text.
    validate(Pool, tomllib.loads(text), source=f"{source} (after the edits)")
    write_atomically(target, text)


def _edit(document: tomlkit.TOMLDocument, pool: Pool, edit: Edit, *, source: Path) -> None:
    card_id, field, value = edit
    with error_place(source):
        position = pool.index(card_id)
    card = pool.cards[position]
    known_word("field", field, card.fields, f"{source}: card {card_id!r}")
    table: Any = document["card"][position]
    if field in AMOUNTS:
        row, field = card.amount_places[AMOUNTS.index(field)]
        table = table["effects"][row]
    # An amount is the only field that a file may omit; the default is 1.
    if table.get(field, 1) != value:
        table[field] = operator.index(value)  # a plain int: tomlkit refuses the ints of numpy


def _sheet_table(layout: SheetLayout) -> Table:
    table = tomlkit.table()
    table.comment("how the spreadsheet calls its columns and kinds; cards export gives it back")
    for key in ("columns", "kinds"):
        words: dict[str, str] = getattr(layout, key)
        if words:
            table[key] = _item({tomlkit.key(k).as_string(): text for k, text in words.items()})
    if layout.decks:
        table["decks"] = _item(layout.decks)
    return table


def _card_table(card: Card) -> Table:
    table = tomlkit.table()
    for key in ("id", "name", "kind", *card.printed):
        table[key] = getattr(card, key)
    for key in _CARD_KEYS:
        if (value := getattr(card, key)) != Card.model_fields[key].default:
            table[key] = _item(value)
    if card.effects:
        table["effects"] = _item([effect_pairs(effect) for effect in card.effects])
    if card.tunable is not None:
        table["tunable"] = _item(card.tunable)
    if card.notes:
        table["notes"] = _item(
            {tomlkit.key(title).as_string(): text for title, text in card.notes.items()}
        )
    return table


def _item(value: object) -> Item:
    return tomlkit.value(inline_text(value))
