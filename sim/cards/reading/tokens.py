"""Tokens of card texts and templates: words, numbers and signs, with their places in the text."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_TOKEN = re.compile(r"\d+|'s(?!\w)|[^\W\d]\w*(?:(?:-|'(?!s(?!\w)))[^\W\d]\w*)*|\S")
_MARKUP = re.compile(r"</?[a-z]{1,6}/?>|\[x\]|[$#](?=\d)", re.IGNORECASE)
_SINGLE_QUOTES = "\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
_DOUBLE_QUOTES = "\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}"
_DASHES = "\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}\N{HYPHEN}"
_SAME = str.maketrans(
    dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DOUBLE_QUOTES, '"')
    | dict.fromkeys(_DASHES, "-")
)
"""Signs of the templates by the typographic signs that texts may have instead."""


class Token(NamedTuple):
    """Word, number or sign of a text.

    Attributes:
        word: the token in lower case, with plain quotation marks and hyphens.
        start: position of the first character in the text.
        end: position after the last character.
        is_capital: whether the word begins with a capital letter.
    """

    word: str
    start: int
    end: int
    is_capital: bool = False


def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text in order; spaces and line breaks separate tokens."""
    plain = plain_signs(text)
    return tuple(
        Token(match[0].lower(), match.start(), match.end(), match[0][0].isupper())
        for match in _TOKEN.finditer(plain)
    )


def words(text: str) -> tuple[str, ...]:
    """Return the tokens of a text as lower-case words, without their places."""
    return tuple(token.word for token in tokens(text))


def plain_signs(text: str) -> str:
    """Return a text in composed Unicode, without markup and with plain quotation marks and hyphens.

    Published texts mark bold type by `<b>`, centred text by `[x]`, and numbers that grow with spell
    damage or healing by `$` and `#`.
    """
    return _MARKUP.sub(" ", unicodedata.normalize("NFC", text).translate(_SAME))
