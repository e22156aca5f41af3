"""Weighted means of the rates of independent groups of games, with intervals."""

from __future__ import annotations

import numpy as np

from balance.statistics.arithmetic import ordered_sum
from balance.statistics.intervals import Floats, Interval, wilson


def weighted_rate(points: Floats, n_games: Floats, weights: Floats) -> Interval:
    """Return the weighted mean of the rates of independent groups of games, with an interval.

    The interval is Wilson's for the number of independent games that would give the mean the same
    variance. The variance of each rate is computed with half a game added to both sides, so that it
    is never 0.

    Args:
        points: points of each group, a draw counted half, shape [K].
        n_games: number of games of each group, positive, shape [K].
        weights: weight of each group, not negative, with a positive sum, shape [K].
    """
    shares = weights / ordered_sum(weights)
    smoothed = smoothed_rate(points, n_games)
    variance = ordered_sum(shares * shares * smoothed * (1 - smoothed) / n_games)
    centre = ordered_sum(shares * smoothed)
    n_effective = centre * (1 - centre) / variance
    mean = np.clip(ordered_sum(shares * points / n_games), 0.0, 1.0)
    interval = wilson(mean * n_effective, n_effective)
    return Interval(mean, interval.low, interval.high)


def smoothed_rate(points: Floats, n_games: Floats) -> Floats:
    """Return rates with half a game added to both sides, so that none is 0 or 1, shape [K].

    Args:
        points: points of each group of games, shape [K].
        n_games: number of games of each group, shape [K].
    """
    return (points + 0.5) / (n_games + 1)


def variance_of_rates(rates: Floats, n_games: Floats) -> Floats:
    """Return the variance of rates by their numbers of games, which is never 0, shape [K].

    Args:
        rates: rate of each group of games, shape [K].
        n_games: number of games of each group, positive, shape [K].
    """
    smoothed = smoothed_rate(rates * n_games, n_games)
    return smoothed * (1 - smoothed) / n_games
