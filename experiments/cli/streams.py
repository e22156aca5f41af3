"""Standard output and error that can say everything, if need be in other characters."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

_PLAIN = {
    "±": "+-", "→": "->", "─": "-", "│": "|", "≤": "<=", "≥": ">=",
    "\u00d7": "x", "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2019": "'",
}  # fmt: skip
_NAME = "evenhand"


def plain_where_needed() -> None:
    """Let a terminal or a pipe without UTF-8 show `+-` for `±`, where it would be an error."""
    codecs.register_error(_NAME, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":  # a byte of a file's name that is no UTF-8
        return bytes([ord(character) - 0xDC00]), error.start + 1
    return _PLAIN.get(character) or _without_marks(character) or "?", error.start + 1


def _without_marks(character: str) -> str:
    return unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
