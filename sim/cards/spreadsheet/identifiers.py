"""Conversion of names and cells to ids and tags: lower-case letters, digits and `_`."""

from __future__ import annotations

import re
import unicodedata

_BETWEEN_WORDS = re.compile(r"[\s,;\u3001\uff0c\uff1b|]+")


def id_from_cell(cell: str) -> str:
    """Return the card id in a cell: the text if it is a valid id, else an id made from the text."""
    return _itself_or(cell, "card")


def card_id_from_name(name: str) -> str:
    """Return an id made from a name, such as `"ember_whelp"` for `"Ember Whelp!"`.

    An id that would begin with a digit gets the prefix `card_`. The id of a name without letters
    and digits is `""`.
    """
    return _identifier(name, "card")


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
    return composed if is_id else _identifier(text, prefix)


def _identifier(text: str, prefix: str) -> str:
    # Apostrophes are dropped instead of replaced, so that "Hunter's" becomes "hunters".
    composed = unicodedata.normalize("NFC", text.replace("'", ""))
    slug = re.sub("_+", "_", "".join(map(_in_identifier, composed))).strip("_")
    return slug if slug.isidentifier() or not slug else f"{prefix}_{slug}"


def _in_identifier(character: str) -> str:
    """Return the replacement of a character in an id.

    A Latin letter or digit is replaced by its lower-case form without accents, and another ASCII
    character by `_`. Other characters are kept if an identifier may contain them, else dropped.
    """
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if plain:
        return re.sub(r"[^a-z0-9]", "_", plain.lower())
    return character.lower() if f"_{character}".isidentifier() else ""
