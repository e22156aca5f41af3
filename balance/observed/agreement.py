"""Agreement of simulated with observed win rates of the same pairs of players.

Rates are compared pair by pair (cells), and as the mean rate of each player over the pairs that
both tables have. Mean errors are compared with those of two predictions that need no simulation of
these pairs: 50 % for each pair, and the simulated rates moved towards 50 % by the factor that fits
the other players best (shrinkage; each player is left out in turn).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi, sqrt
from typing import Annotated, NamedTuple

import numpy as np

from balance.observed.rate_pairs import (
    RatePairs,
    mean_by_player,
    resampled_players,
    resampled_rates,
    sums_by_player,
)
from balance.statistics.arithmetic import mean_of, ordered_sum
from balance.statistics.intervals import (
    Counts,
    Flags,
    Floats,
    Interval,
    Positions,
    rank_correlation_of,
    resampled_interval,
)
from sim.arguments import AtLeastOne, Seed, checked
from sim.errors import InputError
from sim.seeds import generator

PURPOSE = "agree/resample"  # name of the random stream that resamples players and games
N_RESAMPLES = 1_000
"""Number of resamples: the bounds of 95 % intervals are then known to about 1 % of their width."""
N_PLAYERS_MIN = 4
"""Minimum number of players: with three, a rank correlation takes four values only."""
_DIGITS = 9  # rates that differ only by rounding errors of sums count as equal in ranks


class MeasureRow(NamedTuple):
    """Row of `agreement.csv`: a measure of the agreement of two tables.

    Attributes:
        measure: name of the measure, from `MEASURES`.
        value: estimate, with the interval over resampled players and games; NaN if not defined.
        n: number of players or of pairs that the measure compares.
    """

    measure: str
    value: Annotated[Interval, ("value", "low", "high")]
    n: int


MEASURES = (
    "rank_players",
    "rank_cells",
    "right_side",
    "slope",
    "spread",
    "error_players_pp",
    "error_players_even_pp",
    "error_pp",
    "error_noise_pp",
    "error_even_pp",
    "error_shrunk_pp",
    "gain_shrunk_pp",
)
"""Measures of agreement.

`rank_players` and `rank_cells` are Spearman's rank correlations; `right_side` is the share of the
pairs in which the simulated favourite is the observed one; `slope` is the factor by which
differences of simulated rates from 50 % are best multiplied to predict the observed ones; `spread`
is the standard deviation of the simulated rates around 50 %, relative to that of the observed ones.
The others are mean absolute errors in percentage points: of the players' mean rates, of 50 % as
their prediction, of the cells, of cells that differ only by the numbers of games and the rounding
of both tables, of 50 %, and of the shrunk rates; the last is the error of 50 % minus that of the
shrunk rates.
"""


@checked(run_seed=Seed, n_resamples=AtLeastOne)
def agreement_of(
    pairs: RatePairs, *, run_seed: int, n_resamples: int = N_RESAMPLES
) -> tuple[MeasureRow, ...]:
    """Measure the agreement of simulated with observed win rates.

    Each resample draws the players with replacement; a pair counts as often as both its players
    together. The results of its games are drawn from binomial distributions in both tables, and the
    observed rate from the range of its rounding or band.

    Args:
        pairs: rates of both tables.
        run_seed: seed of the run.
        n_resamples: number of resamples.

    Raises:
        InputError: the pairs have fewer than `N_PLAYERS_MIN` players.
    """
    n_players = len(np.unique(pairs.pairs))
    if n_players < N_PLAYERS_MIN:
        raise InputError(
            f"{n_players} players with results in both tables, but at least {N_PLAYERS_MIN} are "
            "needed",
            value=n_players,
            limit=N_PLAYERS_MIN,
            remedy="give more players the names that the observed results have",
        )
    sample = _Sample.of(pairs)
    estimates = _measures(sample)
    rng = generator(run_seed, PURPOSE)
    resampled = np.array([_measures(_resample(pairs, rng)) for _ in range(n_resamples)])
    n_decided = int(pairs.is_decided.sum())
    sizes = {"rank_players": n_players, "right_side": n_decided}
    sizes |= dict.fromkeys(("error_players_pp", "error_players_even_pp"), n_players)
    return measure_rows(MEASURES, estimates, resampled, sizes, pairs.n_pairs)


class _Sample(NamedTuple):
    """Rates of the pairs in the data or in a resample, with the weight of each pair and player."""

    pairs: Positions
    observed: Floats
    simulated: Floats
    variance: Floats
    is_decided: Flags
    pair_weights: Counts
    player_weights: Counts

    @classmethod
    def of(cls, pairs: RatePairs) -> _Sample:
        """Return the data as a sample in which each pair and player counts once."""
        weights = np.zeros(len(pairs.names), dtype=np.int64)
        weights[np.unique(pairs.pairs)] = 1
        return cls(
            pairs.pairs,
            pairs.observed,
            pairs.simulated,
            pairs.variance,
            pairs.is_decided,
            np.ones(pairs.n_pairs, dtype=np.int64),
            weights,
        )


def _resample(pairs: RatePairs, rng: np.random.Generator) -> _Sample:
    """Return a resample of players and games."""
    weights = resampled_players(pairs.pairs, len(pairs.names), rng)
    a, b = pairs.pairs
    observed = resampled_rates(pairs.observed, pairs.observed_games, rng)
    simulated = resampled_rates(pairs.simulated, pairs.simulated_games, rng)
    moved = observed + pairs.half_width * rng.uniform(-1, 1, pairs.n_pairs)
    return _Sample(
        pairs.pairs,
        np.clip(moved, 0, 1),
        simulated,
        pairs.variance,
        pairs.is_decided,
        weights[a] * weights[b],
        weights,
    )


def _measures(sample: _Sample) -> Floats:
    """Return the values of `MEASURES`, NaN where one is not defined."""
    weights = sample.pair_weights.astype(np.float64)
    total = float(ordered_sum(weights))
    if not total:  # all drawn players are the same one
        return np.full(len(MEASURES), np.nan)
    x = sample.observed - 0.5
    y = sample.simulated - 0.5

    def mean(values: Floats) -> float:
        return float(ordered_sum(weights * values)) / total

    squares = mean(y * y)
    players = sample.player_weights > 0
    own, other = (
        mean_by_player(sample.pairs, rates, len(players))[players]
        for rates in (sample.observed, sample.simulated)
    )
    times = sample.player_weights[players]
    own = np.repeat(own, times)
    other = np.repeat(other, times)
    decided = weights * sample.is_decided
    n_decided = float(ordered_sum(decided))
    sides = (np.sign(x) * np.sign(y) + 1) / 2
    even = 100 * mean(np.abs(x))
    shrunk = 100 * mean(_shrunk_errors(sample, x, y, weights))
    return np.array(
        [
            rank_of(own, other),
            rank_of(*(_both_sides(rates, sample.pair_weights) for rates in (x, y))),
            float(ordered_sum(decided * sides)) / n_decided if n_decided else np.nan,
            mean(x * y) / squares if squares else np.nan,
            sqrt(squares / mean(x * x)) if mean(x * x) else np.nan,
            100 * mean_of(np.abs(own - other)),
            100 * mean_of(np.abs(own - 0.5)),
            100 * mean(np.abs(x - y)),
            100 * sqrt(2 / pi) * mean(np.sqrt(sample.variance)),
            even,
            shrunk,
            even - shrunk,
        ]
    )


def _shrunk_errors(sample: _Sample, x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the error of the shrunk simulated rate of each pair, shape [K].

    The factor of the shrinkage is the slope through 50 % of the pairs without one of the players;
    the error is the mean of those without the first and without the second player.

    Args:
        sample: rates of the pairs.
        x: observed rates minus 50 %, shape [K].
        y: simulated rates minus 50 %, shape [K].
        weights: weight of each pair, shape [K].
    """
    n_players = len(sample.player_weights)

    def without_each(values: Floats) -> Floats:
        """Return the sums of values over the pairs without each player, shape [D]."""
        own = sums_by_player(sample.pairs, values, n_players)
        return np.asarray(ordered_sum(values) - own, dtype=np.float64)

    products = without_each(weights * x * y)
    squares = without_each(weights * y * y)
    slopes = np.where(squares > 0, products / np.where(squares > 0, squares, 1), 0.0)
    a, b = sample.pairs
    errors: Floats = (np.abs(x - slopes[a] * y) + np.abs(x - slopes[b] * y)) / 2
    return errors


def _both_sides(rates: Floats, times: Counts) -> Floats:
    """Return the differences from 50 % of both players of each pair, repeated as it counts."""
    repeated = np.repeat(rates, times)
    return np.concatenate([repeated, -repeated])


def rank_of(x: Floats, y: Floats) -> float:
    """Return the rank correlation of two measures, NaN if all values of one are equal."""
    found = rank_correlation_of(np.round(x, _DIGITS), np.round(y, _DIGITS))
    return np.nan if found is None else found


def measure_rows(
    names: Sequence[str], estimates: Floats, resampled: Floats, sizes: Mapping[str, int], n: int
) -> tuple[MeasureRow, ...]:
    """Return a row for each measure.

    Args:
        names: names of the ``M`` measures.
        estimates: their estimates, shape [M].
        resampled: their values in resamples, shape [B, M].
        sizes: number of players, pairs or lists that a measure compares, by name.
        n: this number for all other measures.
    """
    return tuple(
        MeasureRow(name, _interval(estimate, values), sizes.get(name, n))
        for name, estimate, values in zip(names, estimates, resampled.T, strict=True)
    )


def _interval(estimate: float, values: Floats) -> Interval:
    """Return an estimate with the interval of its defined resamples; NaN bounds without any."""
    known = values[~np.isnan(values)]
    if np.isnan(estimate) or not len(known):
        return Interval(*np.full(3, np.nan))
    return resampled_interval(np.array(estimate), known)
