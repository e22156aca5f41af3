"""Cards and their effect rows as text: lines of TOML, cells of a sheet, and tables for people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sim.cards.card import Card
from sim.cards.effect import Effect
from sim.cards.fields import NUMBERS
from sim.cards.notation import ALWAYS, OWN_PLAYER, Notation
from sim.files.toml_document import load_tomlkit

# All notations limit numbers to nine digits: larger numbers exceed every limit, and converting very
# long ones is slow.
SHORT_ROW = re.compile(
    r"(?P<on>\w+)(?: +when +(?P<when>\w+))? *:"
    r" *(?P<do>\w+)(?: +(?P<amount>[0-9]{1,9}))?(?: +to +(?P<to>\w+(?:\([^();{}]*\))?))?"
    r"(?: +token +(?P<attack>[0-9]{1,9}) */ *(?P<health>[0-9]{1,9})(?P<keywords>(?: +\w+)*))?"
)
"""Short notation of an effect row, such as `play: draw 1` or `play: damage 2 to minions(other)`."""

# Keys in their order in pool files; a key with its default value is not written.
_EFFECT_KEYS = (
    "amount_to",
    "attack",
    "health",
    "times",
    "at_least",
    "keywords",
    "pick",
    "spare",
    "repeat",
    "absent",
    "lasts",
    "by",
    "receiver",
    "kind",
    "of_enemy_hero",
    "cards",
)


def described(cards: Sequence[Card]) -> tuple[list[str], list[list[str | int]]]:
    """Return a table that describes cards to people.

    Returns:
        The titles of the columns (name, kind, numbers, keywords, effects, tags), and one row per
            card. The column kind is omitted if all cards are minions, durability if no card is a
            weapon, and tags if no card has tags. A number that a card does not have is `""`.
    """
    kinds = {card.kind for card in cards}
    is_used = {
        "kind": not kinds <= {"minion"},
        "durability": "weapon" in kinds,
        "tags": any(card.tags for card in cards),
    }
    columns = ["name", "kind", *NUMBERS, "keywords", "effects", "tags"]
    columns = [column for column in columns if is_used.get(column, True)]
    return columns, [[cell_text(card, column) for column in columns] for card in cards]


def cell_text(card: Card, column: str) -> str | int:
    """Return a card's value under one of the columns of `described`.

    The value is `""` for a number that the card's kind does not have.
    """
    value = getattr(card, column)
    if column in NUMBERS:
        return int(value) if column in card.printed else ""
    if column == "effects":
        return "; ".join(map(effect_text, card.effects))
    return " ".join(value) if isinstance(value, tuple) else str(value)


def effect_text(effect: Effect) -> str:
    """Return an effect row as a cell of the column `effects`.

    The text is in the short notation, such as `play: draw 1`, or an inline table of TOML if the
    short notation cannot express the row.
    """
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
    """Return whether `text`, the short notation of a row, can be read back as an equal row."""
    # The short notation cannot express these keys.
    others = Effect.model_fields.keys() - SHORT_ROW.groupindex.keys() - {"of", "token"}
    is_usual = not any(map(effect.is_given, {*others, "attack", "health", "keywords"}))
    is_about_usual = str(effect.of) == effect.event.about.of
    return is_usual and is_about_usual and SHORT_ROW.fullmatch(text) is not None


def effect_line(effect: Effect) -> str:
    """Return an effect row as a TOML inline table, as pool files have it, without defaults."""
    return inline_text(effect_pairs(effect))


def effect_pairs(effect: Effect) -> dict[str, object]:
    """Return an effect row's keys and values in file order, without most default values.

    The group `to` is always included, and the amount whenever the row's action uses it.
    """
    pairs: dict[str, object] = {"on": effect.on}
    if str(effect.of) != effect.event.about.of:
        pairs["of"] = effect.of
    if effect.when != ALWAYS:
        pairs["when"] = effect.when
    pairs |= {"do": effect.do, "to": effect.to}
    if effect.amount != 1 or effect.action.has_amount:
        pairs["amount"] = effect.amount
    pairs |= {key: getattr(effect, key) for key in _EFFECT_KEYS if effect.is_given(key)}
    if effect.token is not None:
        pairs["token"] = effect.token.model_dump(exclude_defaults=True)
    return pairs


def inline_text(value: object) -> str:
    """Return a value as TOML on one line, with a space inside each brace."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{key} = {inline_text(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(inline_text(item) for item in value) + "]"
    tomlkit = load_tomlkit()

    item = tomlkit.item(str(value) if isinstance(value, Notation) else value)
    return str(item.as_string())
