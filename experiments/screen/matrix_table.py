"""Matrix of win rates of all pairs of decks as a table for the screen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from experiments.screen.console import Table

MATRIX_FROM = 6
"""Minimum number of players for a matrix; their 15 matchups do not fit a screen as a list."""
_COLUMNS = 80  # width of a matrix in columns, which fits a common terminal; names are shortened
_MISSING = "."  # cell of a pair without games


def matrix_table(
    title: str,
    names: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    rates: Sequence[float],
    marks: Sequence[str],
) -> Table:
    """Return the matrix of win rates in whole percent, with the mean of each row.

    Args:
        title: line above the table.
        names: names of the players.
        pairs: positions of both players of each matchup; other pairs have no rate.
        rates: win rate of the first player of each matchup.
        marks: short mark of each matchup, printed behind both of its rates.
    """
    n_players = len(names)
    matrix = np.full((n_players, n_players), np.nan)
    cells = [[_MISSING] * n_players for _ in range(n_players)]
    for player in range(n_players):
        cells[player][player] = "-"
    for (a, b), won, mark in zip(pairs, rates, marks, strict=True):
        for own, other, rate in ((a, b, won), (b, a, 1 - won)):
            matrix[own, other] = rate
            cells[own][other] = f"{100 * rate:.0f}{mark}"
    # The diagonal stays NaN, and is left out of the means.
    means = [
        f"{100 * float(np.nanmean(row)):.1f}" if (~np.isnan(row)).any() else "" for row in matrix
    ]
    header, *numbers = _align(
        [
            [*map(str, range(1, n_players + 1)), "mean"],
            *([*row, mean] for row, mean in zip(cells, means, strict=True)),
        ]
    )
    return Table(
        title,
        ("deck", header),
        [
            (_cut(f"{k} {name}", _COLUMNS - 2 - len(header)), row)
            for k, (name, row) in enumerate(zip(names, numbers, strict=True), 1)
        ],
    )


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines of aligned columns with one blank between them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [" ".join(f"{c:>{w}}" for c, w in zip(row, widths, strict=True)) for row in rows]


def _cut(name: str, n_letters: int) -> str:
    """Return a name; if longer than `n_letters`, cut to `n_letters` or 8, whichever is larger."""
    return name if len(name) <= n_letters else f"{name[: max(n_letters, 8) - 1]}…"
