"""Observed and simulated win rates of the same pairs of players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.observed.observed_matchups import ObservedMatchups
from balance.observed.weighted_rate import variance_of_rates, weighted_rate
from balance.statistics.arithmetic import mean_of
from balance.statistics.intervals import Counts, Flags, Floats, Interval, Positions, wilson
from sim.short_repr import short_repr


@dataclass(frozen=True)
class RatePairs:
    """Observed and simulated win rates of ``K`` pairs among ``D`` players.

    Attributes:
        names: names of the players.
        pairs: positions of both players of each pair, shape [2, K].
        observed: observed win rate of the first player of each pair, shape [K].
        observed_games: number of observed games of each pair, shape [K].
        half_width: largest error of the observed rates by rounding or bands, shape [K].
        simulated: simulated win rate of the first player of each pair, shape [K].
        simulated_games: number of simulated games of each pair, shape [K].
    """

    names: tuple[str, ...]
    pairs: Positions
    observed: Floats
    observed_games: Floats
    half_width: Floats
    simulated: Floats
    simulated_games: Floats

    def __repr__(self) -> str:
        return short_repr(self, players=len(self.names), pairs=self.n_pairs)

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return len(self.observed)

    def observed_interval(self) -> Interval:
        """Return the observed rates with Wilson's intervals, widened by rounding or bands, [K]."""
        found = wilson(self.observed * self.observed_games, self.observed_games)
        return _widened(found, self.half_width)

    def simulated_interval(self) -> Interval:
        """Return the simulated rates with Wilson's intervals, shape [K]."""
        return wilson(self.simulated * self.simulated_games, self.simulated_games)

    @property
    def observed_variance(self) -> Floats:
        """Variance of the observed rates by games, rounding and bands, shape [K]."""
        of_range = self.half_width**2 / 3  # of the uniform distribution
        return variance_of_rates(self.observed, self.observed_games) + of_range

    @cached_property
    def variance(self) -> Floats:
        """Variance of the difference of both rates by games, rounding and bands, shape [K]."""
        return self.observed_variance + variance_of_rates(self.simulated, self.simulated_games)

    def of_player(self, player: int) -> tuple[Interval, Interval]:
        """Return the observed and the simulated mean rate of a player over its pairs.

        The interval of the observed rate is widened by the mean error of rounding or bands.

        Args:
            player: position of the player, which has at least one pair.
        """
        is_first, is_second = self.pairs == player
        chosen = is_first | is_second
        means = []
        for rates, n_games in (
            (self.observed, self.observed_games),
            (self.simulated, self.simulated_games),
        ):
            own = np.where(is_first, rates, 1 - rates)[chosen]
            games = n_games[chosen]
            means.append(weighted_rate(own * games, games, np.ones(len(games))))
        widening = mean_of(self.half_width[chosen])
        return _widened(means[0], np.asarray(widening)), means[1]

    @cached_property
    def is_decided(self) -> Flags:
        """Whether each observed rate is surely not 50 %, whatever its rounding or band, [K]."""
        return np.abs(self.observed - 0.5) > self.half_width + 1e-9


def rate_pairs(
    observed: ObservedMatchups,
    simulated: Mapping[tuple[str, str], tuple[float, float]],
) -> RatePairs:
    """Return the rates of the pairs that both tables have.

    Args:
        observed: counts of the observed games.
        simulated: points and number of games by the names of the first and the second player.
    """
    names = tuple(name for name in observed.names if any(name in pair for pair in simulated))
    place = {name: observed.names.index(name) for name in names}
    rows = []
    for (a, b), (points, n_games) in simulated.items():
        cell = place[a], place[b]
        n_observed = float(observed.games[cell])
        if n_observed > 0:
            rows.append(
                (
                    *(names.index(a), names.index(b)),
                    *(float(observed.points[cell]) / n_observed, n_observed),
                    float(observed.slack[cell]) / n_observed / 2,
                    *(points / n_games, n_games),
                )
            )
    columns = np.array(rows, dtype=np.float64).reshape(-1, 7).T
    return RatePairs(names, columns[:2].astype(np.intp), *columns[2:])


def mean_by_player(pairs: Positions, rates: Floats, n_players: int) -> Floats:
    """Return the mean rate of each player over its pairs, NaN without pairs, shape [D].

    Args:
        pairs: positions of both players of each pair, shape [2, K].
        rates: rate of the first player of each pair, shape [K].
        n_players: number of players, ``D``.
    """
    a, b = pairs
    sums = np.bincount(a, rates, n_players) + np.bincount(b, 1 - rates, n_players)
    n_pairs = np.bincount(pairs.ravel(), minlength=n_players)
    return np.where(n_pairs > 0, sums / np.maximum(n_pairs, 1), np.nan)


def sums_by_player(pairs: Positions, values: Floats, n_players: int) -> Floats:
    """Return the sum of values of pairs over the pairs of each player, shape [D].

    Args:
        pairs: positions of both players of each pair, shape [2, K].
        values: value of each pair, shape [K].
        n_players: number of players, ``D``.
    """
    sums = np.bincount(pairs.ravel(), np.concatenate([values, values]), n_players)
    return np.asarray(sums, dtype=np.float64)


def resampled_players(pairs: Positions, n_players: int, rng: np.random.Generator) -> Counts:
    """Draw the players of pairs with replacement; return how often each was drawn, shape [D].

    Args:
        pairs: positions of both players of each pair, shape [2, K].
        n_players: number of players, ``D``.
        rng: generator of the draws.
    """
    present = np.unique(pairs)
    drawn = rng.integers(len(present), size=len(present))
    return np.bincount(present[drawn], minlength=n_players)


def resampled_rates(rates: Floats, n_games: Floats, rng: np.random.Generator) -> Floats:
    """Return rates of games that are drawn again from binomial distributions, shape [K].

    Args:
        rates: rate of each group of games, shape [K].
        n_games: number of games of each group, rounded, at least 1, shape [K].
        rng: generator of the draws.
    """
    whole = np.rint(np.maximum(n_games, 1))
    return rng.binomial(whole.astype(np.int64), np.clip(rates, 0, 1)) / whole


def _widened(rates: Interval, by: Floats) -> Interval:
    """Return rates with bounds that are moved apart, within 0 and 1."""
    low = np.maximum(rates.low - by, 0)
    return Interval(rates.estimate, low, np.minimum(rates.high + by, 1))
