"""Templates of phrases: words, parts in braces, `[optional]` words and `<one|other>` choices."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import NamedTuple

from sim.cards.reading.tokens import words

_PIECE = re.compile(r"\{([^{}]*)\}|([\[\]<>|])|([^\[\]<>{}|]+)")


class Part(NamedTuple):
    """Part of a template, which a rule of the grammar reads.

    Attributes:
        rule: name of the rule, with the part's argument after a colon: `amount:damage`.
        key: key that the value is stored under; `""` to store all keys of the value.
    """

    rule: str
    key: str = ""


Element = str | Part
Sequence = tuple[Element, ...]


@cache
def sequences(template: str) -> tuple[Sequence, ...]:
    """Return all sequences of words and parts that a template stands for.

    `{rule}` and `{rule as key}` are parts, `[words]` may be left out, and `<one|other>` is one of
    several phrases.
    """
    pieces = [(match[1], match[2], match[3]) for match in _PIECE.finditer(template)]
    found, rest = _choices(pieces, closing="")
    if rest:
        raise ValueError(f"unbalanced brackets in the template {template!r}")
    return tuple(dict.fromkeys(found))


Pieces = list[tuple[str | None, str | None, str | None]]


def _choices(pieces: Pieces, closing: str) -> tuple[list[Sequence], Pieces]:
    """Return the sequences of a choice up to its closing bracket, and the remaining pieces."""
    found: list[Sequence] = []
    current: list[Sequence] = [()]
    while pieces:
        (part, bracket, text), *pieces = pieces
        if bracket and bracket == closing:
            return found + current, pieces
        if bracket == "|":
            found += current
            current = [()]
            continue
        if bracket in ("[", "<"):
            inner, pieces = _choices(pieces, "]" if bracket == "[" else ">")
            options = [*inner, ()] if bracket == "[" else inner
        elif part is not None:
            options = [(_part(part),)]
        else:
            options = [words(text or "")]
        current = [before + after for before, after in product(current, options)]
    if closing:
        raise ValueError("a bracket of a template is not closed")
    return found + current, []


def _part(text: str) -> Part:
    rule, _, key = text.partition(" as ")
    return Part(rule.strip(), key.strip())
