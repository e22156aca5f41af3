"""Checks of the rows of a table against each other: repeated games and rows, and contradictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.statistics.intervals import Counts
from experiments.observed.results_rows import ResultsRows, joined
from experiments.observed.results_warning import ResultsWarning

_SLACK = 1e-6  # rounding error of the sums of points of both sides, in games
_AVERAGED = ("points", "games", "draws", "turns", "timed")  # fields of rows from both sides


def without_repeated_games(rows: ResultsRows) -> tuple[ResultsRows, list[ResultsWarning]]:
    """Return the rows with each game of an id once, and warnings.

    Both players may record a game, so that it occurs as a vs b and as b vs a. Games with different
    players or results under one id are left out. Rows without an id are kept.

    Args:
        rows: rows that are one game each, with player a before player b.
    """
    # Within a mirror, the viewpoint is not known: only whether it was drawn identifies the result.
    is_mirror = rows.keys[:, 0] == rows.keys[:, 1]
    result = np.where(is_mirror, rows.points == 0.5, 2 * rows.points).astype(np.int64)
    content = np.column_stack([rows.keys[:, 0], rows.keys[:, 1], result])
    # Of equal games, the one with a known first seat is kept, and then that of the lowest keys.
    order = np.lexsort((*rows.keys[:, 3:].T, -rows.keys[:, 2], *content.T[::-1], rows.game))
    sorted_rows = rows.where(order)
    content = content[order]
    is_same_id = np.zeros(len(order), dtype=np.bool_)
    is_same_id[1:] = (sorted_rows.game[1:] == sorted_rows.game[:-1]) & (sorted_rows.game[1:] != 0)
    is_same = is_same_id.copy()
    is_same[1:] &= (content[1:] == content[:-1]).all(axis=1)
    group = np.cumsum(~is_same_id) - 1
    is_wrong = np.bincount(group, is_same_id & ~is_same) > 0
    n_wrong = int(is_wrong.sum())
    n_repeated = int((is_same & ~is_wrong[group]).sum())
    warnings = []
    if n_repeated:
        warnings.append(ResultsWarning("repeated game", (), n_repeated))
    if n_wrong:
        warnings.append(ResultsWarning("contradictory game", (), n_wrong))
    return sorted_rows.where(~is_same & ~is_wrong[group]), warnings


def without_repeated_rows(rows: ResultsRows) -> tuple[ResultsRows, list[ResultsWarning]]:
    """Return rows that sum games, with each row once, and a warning if some are repeated."""
    _, firsts = np.unique(rows.whole, return_index=True)
    n_repeated = rows.n_rows - len(firsts)
    if not n_repeated:
        return rows, []
    return rows.where(np.sort(firsts)), [ResultsWarning("repeated row", (), n_repeated)]


def n_repeats(whole: Sequence[Counts]) -> int:
    """Return the number of rows that repeat another row, by the hashes of rows in parts."""
    hashes = np.concatenate(whole) if whole else np.zeros(0, np.int64)
    return len(hashes) - len(np.unique(hashes))


def counted_once(
    rows: ResultsRows, names: Sequence[str]
) -> tuple[ResultsRows, list[ResultsWarning]]:
    """Return summed rows in which each pair is counted once, and warnings.

    A table may list each pair from both sides, a vs b and b vs a, with the same games. It is taken
    to do so if at least half of the pairs with both rows agree. Rows that disagree are then
    replaced by their mean, with a warning. Otherwise both rows are different games.

    Args:
        rows: rows that sum games.
        names: names of the players.
    """
    is_turned = rows.keys[:, 0] > rows.keys[:, 1]
    forward = rows.where(~is_turned).summed()
    backward = rows.where(is_turned)
    backward = backward.turned(np.ones(backward.n_rows, dtype=np.bool_)).summed()
    place = {tuple(key): k for k, key in enumerate(forward.keys.tolist())}
    both = [
        (place[tuple(key)], k)
        for k, key in enumerate(backward.keys.tolist())
        if tuple(key) in place
    ]
    if not both:
        return joined([forward, backward]), []
    chosen, turned = np.array(both).T
    own = forward.where(chosen)
    other = backward.where(turned)
    gap = np.abs(own.points - other.points)
    agrees = (
        (own.games == other.games)
        & (gap <= np.maximum(own.slack, other.slack) + _SLACK)
        & (own.draws == other.draws)
    )
    if 2 * agrees.sum() < len(agrees):
        return joined([forward, backward]), []
    means = {name: (getattr(own, name) + getattr(other, name)) / 2 for name in _AVERAGED}
    is_left = np.ones(forward.n_rows, dtype=np.bool_)
    is_left[chosen] = False
    is_alone = np.ones(backward.n_rows, dtype=np.bool_)
    is_alone[turned] = False
    kept = joined([forward.where(is_left), own._replace(**means), backward.where(is_alone)])
    warnings = [ResultsWarning("two sides", (), len(both))]
    warnings += [
        ResultsWarning(
            "contradiction",
            (names[own.keys[k, 0]], names[own.keys[k, 1]]),
            round(float(own.games[k] + other.games[k])),
            f"{_won(own, k)} and {_won(other, k)} won by {names[own.keys[k, 0]]!r}",
        )
        for k in np.flatnonzero(~agrees).tolist()
    ]
    return kept, warnings


def _won(rows: ResultsRows, k: int) -> str:
    """Return the points of player a and the games of a row as text, such as `21 of 38`."""
    return f"{rows.points[k]:g} of {rows.games[k]:g}"
