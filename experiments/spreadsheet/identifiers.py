"""Conversion of cells to ids and tags: lower-case letters, digits and `_`."""

from __future__ import annotations

import re
import unicodedata

from sim.cards.identifiers import identifier

_BETWEEN_WORDS = re.compile(r"[\s,;\u3001\uff0c\uff1b|]+")


def id_from_cell(cell: str) -> str:
    """Return the card id in a cell: the text if it is a valid id, else an id made from the text."""
    return _itself_or(cell, "card")


def tags_from_words(cell: str) -> list[str]:
    """Return the distinct tags in a cell, such as `["fast", "s_trigger"]` for `"fast; S-Trigger"`.

    Words without letters and digits, such as emoji, are omitted.
    """
    tags = (_itself_or(word.lower(), "tag") for word in words_in(cell))
    return list(dict.fromkeys(tag for tag in tags if tag))


def words_in(cell: str) -> list[str]:
    """Return the words of a cell, separated by spaces, commas, semicolons and vertical bars."""
    return [word for word in _BETWEEN_WORDS.split(cell) if word]


def _itself_or(text: str, prefix: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    is_id = composed.isidentifier() and composed[0] != "_" and composed == composed.lower()
    return composed if is_id else identifier(text, prefix)
