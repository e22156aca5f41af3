"""Made-up counts of observed games, for tests."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np

from balance.observed.observed_matchups import ObservedMatchups
from balance.statistics.intervals import Floats


def counts_of(
    points: Floats,
    games: Floats,
    *,
    first_points: Floats | None = None,
    first_games: Floats | None = None,
    names: Sequence[str] = string.ascii_uppercase,
) -> ObservedMatchups:
    """Return counts of games without draws and lengths.

    Args:
        points: points of the row's player above the diagonal; the rest is ignored, shape [D, D].
        games: games of each pair above the diagonal, and mirrors on it, shape [D, D].
        first_points: points of the first seat by first and second player; by default unknown.
        first_games: games with a known first seat by first and second player; by default 0.
        names: names of the players, of which the first ``D`` are used.
    """
    zeros = np.zeros(np.shape(games))
    won = np.triu(np.asarray(points, dtype=np.float64), 1)
    played = np.triu(np.asarray(games, dtype=np.float64), 1)
    return ObservedMatchups(
        tuple(names[: len(zeros)]),
        points=won + (played - won).T,
        games=played + played.T + np.diag(np.diagonal(np.asarray(games, dtype=np.float64))),
        draws=zeros,
        first_points=zeros if first_points is None else np.asarray(first_points, np.float64),
        first_games=zeros if first_games is None else np.asarray(first_games, np.float64),
        turns=zeros,
        timed_games=zeros,
        slack=zeros,
    )


def drawn_counts(rates: Floats, n_games: int, rng: np.random.Generator) -> ObservedMatchups:
    """Return counts of random games between players with given win rates.

    Args:
        rates: win rate of the row's player, shape [D, D].
        n_games: number of games of each pair.
        rng: generator of the results.
    """
    games = np.full(rates.shape, float(n_games)) - np.diag(np.full(len(rates), float(n_games)))
    return counts_of(rng.binomial(n_games, rates).astype(np.float64), games)


def rates_of_ratings(ratings: Floats) -> Floats:
    """Return the win rates of ratings in log-odds, shape [D, D]."""
    return np.asarray(1 / (1 + np.exp(ratings[np.newaxis] - ratings[:, np.newaxis])))
