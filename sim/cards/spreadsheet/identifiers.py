"""Ids and tags made from names and cells: lower-case letters, digits and `_`."""

from __future__ import annotations

import re
import unicodedata

_BETWEEN_WORDS = re.compile(r"[\s,;\u3001\uff0c\uff1b|]+")


def id_from_cell(cell: str) -> str:
    """Return the card id in a cell: the text if it is an id, else that of `card_id_from_name`."""
    return _itself_or(cell, "card")


def card_id_from_name(name: str) -> str:
    """Return an id for a name, `"ember_whelp"` for `"Ember Whelp!"`; `""` if no letter can stay."""
    return _identifier(name, "card")


def tags_from_words(cell: str) -> list[str]:
    """Return the tags in a cell, each once: `["fast", "s_trigger"]` for `"fast; S-Trigger"`.

    Words without a letter or digit, such as emoji, give no tag.
    """
    tags = (_itself_or(word.lower(), "tag") for word in words_in(cell))
    return list(dict.fromkeys(tag for tag in tags if tag))


def words_in(cell: str) -> list[str]:
    """Return the words of a cell; spaces, commas, semicolons and similar signs separate them."""
    return [word for word in _BETWEEN_WORDS.split(cell) if word]


def _itself_or(text: str, prefix: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    is_id = composed.isidentifier() and composed[0] != "_" and composed == composed.lower()
    return composed if is_id else _identifier(text, prefix)


def _identifier(text: str, prefix: str) -> str:
    composed = unicodedata.normalize("NFC", text.replace("'", ""))
    slug = re.sub("_+", "_", "".join(map(_in_identifier, composed))).strip("_")
    return slug if slug.isidentifier() or not slug else f"{prefix}_{slug}"


def _in_identifier(character: str) -> str:
    """Return a character as ids may hold it: without accent, or itself if it is no Latin letter."""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if plain:
        return re.sub(r"[^a-z0-9]", "_", plain.lower())
    return character.lower() if f"_{character}".isidentifier() else ""
