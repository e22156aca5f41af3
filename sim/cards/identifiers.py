"""Ids of cards made from names: lower-case letters, digits and `_`."""

from __future__ import annotations

import re
import unicodedata


def card_id_from_name(name: str) -> str:
    """Return an id made from a name, such as `"ember_whelp"` for `"Ember Whelp!"`.

    An id that would begin with a digit gets the prefix `card_`. The id of a name without letters
    and digits is `""`.
    """
    return identifier(name, "card")


def identifier(text: str, prefix: str) -> str:
    """Return an identifier made from a text; `""` for a text without letters and digits.

    Args:
        text: text to convert.
        prefix: first word of an identifier that would begin with a digit.
    """
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
