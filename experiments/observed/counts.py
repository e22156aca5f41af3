"""Counts of observed games from the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from balance.observed.observed_matchups import ObservedMatchups
from balance.statistics.intervals import Counts, Floats
from experiments.observed.results_rows import ResultsRows


def counts_by_group(
    rows: ResultsRows, names: tuple[str, ...], key: int, texts: Sequence[str]
) -> dict[str, ObservedMatchups]:
    """Return the counts of each group of rows, without rows that name no group.

    Args:
        rows: rows of the table.
        names: names of the players.
        key: column of the keys with the number of the group.
        texts: names of the groups by number.
    """
    return {
        texts[number]: counts_of_rows(rows.where(rows.keys[:, key] == number), names)
        for number in np.unique(rows.keys[:, key]).tolist()
        if texts[number]
    }


def counts_of_rows(rows: ResultsRows, names: tuple[str, ...]) -> ObservedMatchups:
    """Return the counts of some rows."""
    a, b, seat = rows.keys[:, :3].T
    is_pair = a != b
    matrix = partial(_summed_matrix, len(names))
    lost = rows.games - rows.points
    first = [
        matrix(np.r_[a[seat == 1], b[seat == 2]], np.r_[b[seat == 1], a[seat == 2]], values)
        for values in (
            np.r_[rows.points[seat == 1], lost[seat == 2]],
            np.r_[rows.games[seat == 1], rows.games[seat == 2]],
        )
    ]

    def both(values: Floats) -> Floats:
        """Return a symmetric matrix of sums over the games of each pair."""
        half = matrix(a, b, values)
        return half + half.T - np.diag(np.diagonal(half))

    return ObservedMatchups(
        names,
        points=matrix(a[is_pair], b[is_pair], rows.points[is_pair])
        + matrix(b[is_pair], a[is_pair], lost[is_pair]),
        games=both(rows.games),
        draws=both(rows.draws),
        first_points=first[0],
        first_games=first[1],
        turns=both(rows.turns),
        timed_games=both(rows.timed),
        slack=both(rows.slack),
    )


def _summed_matrix(n_players: int, rows: Counts, columns: Counts, values: Floats) -> Floats:
    """Return the sums of values by row and column, shape [D, D]."""
    sums = np.bincount(rows * n_players + columns, values, minlength=n_players * n_players)
    return np.asarray(sums, dtype=np.float64).reshape(n_players, n_players)
