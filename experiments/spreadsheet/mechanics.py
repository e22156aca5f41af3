"""Columns of mechanics, as JSON files of published games have them: keywords among other words."""

from __future__ import annotations

import re

from experiments.spreadsheet.columns import Column
from experiments.spreadsheet.words import plain_words
from sim.cards.notation import words
from sim.cards.vocabulary import Keyword

_TITLE = "mechanics"
_BETWEEN = re.compile(r"[;,|\n]")
_OTHER_NAMES = {"charge": "haste", "cant_attack": "cannot_attack"}  # names in such files
_KEYWORDS = frozenset(words(Keyword))


def is_of_mechanics(title: str) -> bool:
    """Return whether a title is that of a column of mechanics."""
    return plain_words(title) == _TITLE


def has_mechanics(column: Column) -> bool:
    """Return whether a column is one of mechanics that is read as keywords."""
    return column.name == "keywords" and is_of_mechanics(column.title)


def keywords_in(cell: str) -> list[str]:
    """Return the keywords among the mechanics in a cell, in order, without repetitions.

    Mechanics are separated by semicolons, commas, vertical bars or line ends.

    Args:
        cell: text of the cell, such as `"TAUNT; BATTLECRY"`.
    """
    named = (_OTHER_NAMES.get(word, word) for word in map(_word_of, _BETWEEN.split(cell)))
    return list(dict.fromkeys(word for word in named if word in _KEYWORDS))


def others_in(cell: str) -> list[str]:
    """Return the mechanics in a cell that are no keywords, as they are written."""
    mechanics = [part.strip() for part in _BETWEEN.split(cell) if part.strip()]
    return [part for part in mechanics if not keywords_in(part)]


def _word_of(mechanic: str) -> str:
    return plain_words(mechanic).replace(" ", "_")
