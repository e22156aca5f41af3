"""Titles of columns: the column that each means, exactly or with typing errors."""

from __future__ import annotations

from collections.abc import Collection

from sim.cards.spreadsheet.meanings import COLUMNS
from sim.cards.spreadsheet.words import SYNONYMS, plain_words

EXACT = {plain_words(column): column for column in COLUMNS}
"""The columns of `COLUMNS`, by their titles in the form of `plain_words`."""


def column_like(title: str) -> str | None:
    """Return the column that a title means by a synonym or a near spelling; `None` for none.

    A near spelling has one typing error, or two in a longer word, see `n_slips`.
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
    # A synonym is a word of its own, and goes before a near spelling of another column.
    return SYNONYMS.get(word) or min(near, key=slips.__getitem__, default=None)


word_of = plain_words


def titles_like(column: str, titles: Collection[str]) -> list[str]:
    """Return titles that may be misspelt names of a column in other games: `["Manna"]` for cost.

    Args:
        column: one of `COLUMNS`.
        titles: the titles of a sheet.
    """
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


_SHORT = 3  # letters: one error turns a word this short into another, such as "atk" into "art"
_LONGER_MAX = 8  # letters that a title may be longer, to spare the comparison of unlike texts


def _slips_allowed(column: str) -> int:
    return 2 if len(column) > 5 else int(len(column) > 2)


def n_slips(word: str, meant: str) -> int:
    """Return the number of typing errors between a word and the word that was meant.

    An error is a letter left out, added or changed, or two adjacent letters exchanged: the optimal
    string alignment distance.
    """
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
