"""Rows of a table of results as numbers, single or summed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from balance.statistics.intervals import Counts, Flags, Floats

KEYS = ("a", "b", "seat", "patch", "bracket", "date")
"""Columns of `ResultsRows.keys`."""
GRID = 2.0**24
"""Fractions of points are multiples of 1 / GRID, so that their sums are exact in any order."""
_SUMS = ("points", "games", "draws", "zeros", "slack", "turns", "timed")


class ResultsRows(NamedTuple):
    """Rows of a table of results, or sums of rows with equal keys.

    Attributes:
        keys: numbers of the texts in the columns `KEYS`. The seat is 0 if it is not known who moved
            first, 1 for player a, and 2 for player b, shape [R, 6].
        points: points of player a, a draw counted half; of rows with a rate, the rate as it is
            written times the games, shape [R].
        games: number of games, shape [R].
        draws: number of draws, shape [R].
        zeros: number of games with the result `0`, which is a loss or a draw, shape [R].
        slack: width of the range of a rate, times the games: the unit of its last digit, or the
            width of its band, shape [R].
        turns: sum of the turns of the games with a known length, shape [R].
        timed: number of games with a known length, shape [R].
        game: hash of the game's id, 0 without an id, shape [R].
        whole: hash of all cells of the row, shape [R].
    """

    keys: Counts
    points: Floats
    games: Floats
    draws: Floats
    zeros: Floats
    slack: Floats
    turns: Floats
    timed: Floats
    game: Counts
    whole: Counts

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.keys)

    def where(self, chosen: Flags | Counts) -> ResultsRows:
        """Return some of the rows."""
        return ResultsRows(*(getattr(self, name)[chosen] for name in self._fields))

    def turned(self, chosen: Flags) -> ResultsRows:
        """Return the rows, with both players exchanged in some of them."""
        keys = self.keys.copy()
        keys[chosen, 0] = self.keys[chosen, 1]
        keys[chosen, 1] = self.keys[chosen, 0]
        seats = np.array([0, 2, 1])
        keys[chosen, 2] = seats[self.keys[chosen, 2]]
        points = np.where(chosen, self.games - self.points, self.points)
        return self._replace(keys=keys, points=points)

    def summed(self) -> ResultsRows:
        """Return the sums of rows with equal keys, sorted by keys; hashes are set to 0."""
        if not self.n_rows:
            return self
        order = np.lexsort(self.keys.T[::-1])
        ordered = self.keys[order]
        begins = np.ones(len(ordered), dtype=np.bool_)
        begins[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        firsts = np.flatnonzero(begins)
        sums = {name: np.add.reduceat(getattr(self, name)[order], firsts) for name in _SUMS}
        blank = np.zeros(len(firsts), np.int64)
        return ResultsRows(keys=ordered[firsts], **sums, game=blank, whole=blank)


def joined(parts: Sequence[ResultsRows]) -> ResultsRows:
    """Return the rows of several parts, at least one, one part after the other."""
    return ResultsRows(*(np.concatenate(part) for part in zip(*parts, strict=True)))
