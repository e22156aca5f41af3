"""Notes: what a designer writes beside a card, for people only."""

from __future__ import annotations

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, TypeAdapter, ValidationError

from sim.files.strict_model import Name

NOTE_LENGTH_MAX = 32_767  # characters that a cell of a workbook holds
DECK_MARK = "deck:"  # begins the title of a column of copies, see docs/spreadsheet.md

_CONTROL = ("Cc", "Cs")  # what neither TOML in one line nor a workbook's XML can hold
_KEPT = "\n\t"


def _is_title(title: str) -> str:
    if title.lower().startswith(DECK_MARK):
        raise ValueError(f"{title!r} is what a column of a deck is called in a spreadsheet")
    return title


def _is_text(text: str) -> str:
    if len(text) > NOTE_LENGTH_MAX:
        raise ValueError(f"must have at most {NOTE_LENGTH_MAX:,} characters, has {len(text):,}")
    for character in text:
        is_control = unicodedata.category(character) in _CONTROL and character not in _KEPT
        if is_control or ord(character) & 0xFFFE == 0xFFFE:  # no character at all, in Unicode
            raise ValueError(f"must not hold the character U+{ord(character):04X}")
    return text


NoteTitle = Annotated[Name, AfterValidator(_is_title)]
"""One printable line."""

NoteText = Annotated[str, AfterValidator(_is_text)]
"""Any text, of several lines too."""

Notes = dict[NoteTitle, NoteText]


def title_fault(title: str) -> str:
    """Why no note can be called so; `""` if it can."""
    try:
        TypeAdapter(NoteTitle).validate_python(title)
    except ValidationError as error:
        return str(error.errors()[0]["ctx"]["error"])
    return ""
