"""Titles of columns: what each means by itself, and what it may be a slip for."""

from __future__ import annotations

from collections.abc import Collection

from sim.cards.spreadsheet.meanings import COLUMNS
from sim.cards.spreadsheet.words import SYNONYMS, plain_words

EXACT = {plain_words(column): column for column in COLUMNS}
"""Our own columns, by their titles as `plain_words` has them."""


def column_like(title: str) -> str | None:
    """The column that a title misspells or calls otherwise, if it does.

    It misspells one by one slip, or by two in a longer word.
    """
    word = plain_words(title)
    if word in EXACT:
        return EXACT[word]
    slips = {
        column: n_slips(word, plain)
        for plain, column in EXACT.items()
        if abs(len(word) - len(plain)) <= _slips_allowed(column)
    }
    near = [column for column in slips if slips[column] <= _slips_allowed(column)]
    return SYNONYMS.get(word) or min(near, key=slips.__getitem__, default=None)


word_of = plain_words


def titles_like(column: str, titles: Collection[str]) -> list[str]:
    """Titles that may be slips for what other games call a column: `["Manna"]` for the cost."""
    called = [word for word, meant in SYNONYMS.items() if meant == column]
    return [
        title
        for title in titles
        if any(
            len(word) > _SHORT and n_slips(plain_words(title), word) <= 1 + (len(word) > 5)
            for word in called
            if abs(len(word) - len(title)) <= _LONGER_MAX
        )
    ]


_SHORT = 3  # letters of a word that one slip makes another word, such as "atk" and "art"
_LONGER_MAX = 8  # letters; a title that is longer by more is no slip of the hand


def _slips_allowed(column: str) -> int:
    return 2 if len(column) > 5 else int(len(column) > 2)


def n_slips(word: str, meant: str) -> int:
    """Letters left out, added, changed, or exchanged with the next (optimal string alignment)."""
    rows = [list(range(len(meant) + 1))]
    for i, letter in enumerate(word, start=1):
        row = [i]
        for j, other in enumerate(meant, start=1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == meant[j - 2] and word[i - 2] == other:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
