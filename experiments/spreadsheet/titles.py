"""Recognition of titles of columns: exact titles, synonyms, and titles with typing errors."""

from __future__ import annotations

from collections.abc import Collection

from experiments.spreadsheet.meanings import COLUMNS
from experiments.spreadsheet.words import plain_words
from sim.cards.fields import SYNONYMS

EXACT = {plain_words(column): column for column in COLUMNS}
"""Names in `COLUMNS` by their titles in the form of `plain_words`."""


def column_like(title: str) -> str | None:
    """Return the column with a title, given the exact title, a synonym or a misspelt title.

    A misspelt title has one typing error, or two if the column's name has at least six letters, see
    `n_slips`; names of two letters must be exact. Return `None` if no column matches.
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
    # A synonym is an existing word, and so takes precedence over a misspelt title.
    return SYNONYMS.get(word) or min(near, key=slips.__getitem__, default=None)


def titles_like(column: str, titles: Collection[str]) -> list[str]:
    """Return the titles that may be misspelt synonyms of a column, such as `Manna` for cost.

    Synonyms of up to three letters are not considered. Up to five letters, one typing error is
    permitted, else two.

    Args:
        column: one of `COLUMNS`.
        titles: titles of a sheet.
    """
    synonyms = [word for word, meant in SYNONYMS.items() if meant == column]
    return [
        title
        for title in titles
        if any(
            len(word) > _SHORT and n_slips(plain_words(title), word) <= 1 + (len(word) > 5)
            for word in synonyms
            if abs(len(word) - len(title)) <= _LONGER_MAX
        )
    ]


_SHORT = 3  # letters; one error turns a word this short into another word, as "atk" into "art"
_LONGER_MAX = 8  # difference in letters; texts that differ more are not compared, to save time


def _slips_allowed(column: str) -> int:
    return 2 if len(column) > 5 else int(len(column) > 2)


def n_slips(word: str, meant: str) -> int:
    """Return the number of typing errors between two words: the optimal string alignment distance.

    An error is a letter left out, added or changed, or an exchange of two adjacent letters.

    Args:
        word: the word as typed.
        meant: the correct word.
    """
    # rows[i][j] is the distance between the first i letters of `word` and the first j of `meant`.
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
