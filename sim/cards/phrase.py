"""Phrases of the vocabulary: templates that print effect rows and are read back as rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Say:
    """Template of a phrase, and the keys of rows that it stands for.

    Attributes:
        text: the template: words, parts in braces (`sim.cards.text.row_phrases.RowPhrases`),
            `[optional]` words and `<one|other>` choices. Templates that print rows have only words
            and parts.
        keys: values of the keys that the template does not mention. It prints only rows with these
            values, and rows that are read from it get them.
    """

    text: str
    keys: Mapping[str, Any] = field(default_factory=dict, hash=False)


def said(phrase: str | tuple[Say | str, ...]) -> tuple[Say, ...]:
    """Return the templates of a declaration, which may be one text or several phrases."""
    phrases = (phrase,) if isinstance(phrase, str) else phrase
    return tuple(Say(each) if isinstance(each, str) else each for each in phrases)
