"""Ids and tags out of what people write: lower-case letters, digits and `_`."""

from __future__ import annotations

import re
import unicodedata

_BETWEEN_WORDS = re.compile(r"[\s,;\u3001\uff0c\uff1b|]+")


def id_from_cell(cell: str) -> str:
    """The card id in a cell: itself where it is one, else what `card_id_from_name` gives."""
    return _itself_or(cell, "card")


def card_id_from_name(name: str) -> str:
    """`"ember_whelp"` for `"Ember Whelp!"`; `""` when nothing of the name can be in an id."""
    return _identifier(name, "card")


def tags_from_words(cell: str) -> list[str]:
    """The tags in a cell, each once: `["fast", "s_trigger"]` of `"fast; S-Trigger"`.

    Words without a letter or digit, such as emoji, are no tags.
    """
    tags = (_itself_or(word.lower(), "tag") for word in words_in(cell))
    return list(dict.fromkeys(tag for tag in tags if tag))


def words_in(cell: str) -> list[str]:
    """The words of a cell, which spaces, commas, semicolons and the like separate."""
    return [word for word in _BETWEEN_WORDS.split(cell) if word]


def _itself_or(text: str, prefix: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    is_one = composed.isidentifier() and composed[0] != "_" and composed == composed.lower()
    return composed if is_one else _identifier(text, prefix)


def _identifier(text: str, prefix: str) -> str:
    composed = unicodedata.normalize("NFC", text.replace("'", ""))
    slug = re.sub("_+", "_", "".join(map(_in_identifier, composed))).strip("_")
    return slug if slug.isidentifier() or not slug else f"{prefix}_{slug}"


def _in_identifier(character: str) -> str:
    """What of a character can be in it: without its accent, or itself where it is no Latin."""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if plain:
        return re.sub(r"[^a-z0-9]", "_", plain.lower())
    return character.lower() if f"_{character}".isidentifier() else ""
