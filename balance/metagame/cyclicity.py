"""Cyclicity: what of the win rates one number per deck explains, and what goes in circles.

Logit win rates are a flow on the complete graph of the decks. Its gradient part, differences of
ratings, is transitive; the rest is orthogonal to it and flows in circles, as in rock, paper,
scissors. Noise looks like circles: of independent errors it takes the part that the circles have
of all dimensions, (D - 2) / D. So what luck adds to either part is estimated and taken off.

Reference: X. Jiang, L.-H. Lim, Y. Yao, Y. Ye, "Statistical ranking and combinatorial Hodge
theory", Mathematical Programming 127 (2011); A. Strang, K. C. Abbott, P. J. Thomas, "The network
HHD", SIAM Review 64 (2022). Taking off the noise is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from balance.card_contest import Matchup
from balance.statistics.arithmetic import natural_log
from balance.statistics.intervals import Floats, Interval, resampled_interval

_LN_10 = 2.302585092994046
ELO_PER_LOGIT = 400 / _LN_10


class Cyclicity(NamedTuple):
    """Win rates of ``D`` decks in two parts.

    Attributes:
        ratings: ``[D]`` Elo points around 0, whose differences are the transitive part.
        share: the cyclic part's share of the sum of squares, without noise; 0 for two decks.
    """

    ratings: Interval
    share: Interval


class _Parts(NamedTuple):
    """Both parts of logit win rates ``[..., M]``, or what luck adds to them.

    Attributes:
        ratings: ``[..., D]`` in logits.
        transitive: ``[...]`` sum of squares of their differences.
        cyclic: ``[...]`` that of the rest.
    """

    ratings: Floats
    transitive: Floats
    cyclic: Floats


def cyclicity_of(
    by_seed: Floats, resampled: Floats, matchups: Sequence[Matchup], *, n_players: int
) -> Cyclicity:
    """Part the win rates.

    Args:
        by_seed: ``[M, S]`` win rates in the two games of each seed.
        resampled: ``[B, M]`` win rates of resampled seeds.
        matchups: the ``M`` pairs of players.
        n_players: ``D``.
    """
    n_games = 2 * by_seed.shape[1]
    parts = _parts(_logit(by_seed.mean(axis=1), n_games), matchups, n_players)
    again = _parts(_logit(resampled, n_games), matchups, n_players)
    elo = resampled_interval(ELO_PER_LOGIT * parts.ratings, ELO_PER_LOGIT * again.ratings)
    if n_players < 3:
        return Cyclicity(elo, Interval(*np.zeros((3, 1))[:, 0]))
    noise = _noise(by_seed, matchups, n_players)
    # Resampled games hold the luck of the games and, once more, that of the resampling. Where no
    # more than that is left of both parts, the share may be anything.
    low, high = (_share(again, noise, times=2, unknown=unknown) for unknown in (0.0, 1.0))
    estimate = _share(parts, noise, times=1, unknown=0.0)
    return Cyclicity(elo, resampled_interval(estimate, low, high))


def _logit(rates: Floats, n_games: int) -> Floats:
    return natural_log(_inner(rates, n_games) / _inner(1 - rates, n_games))


def _inner(rates: Floats, n_games: int) -> Floats:
    """Rates with half a game added to both sides, so that no logit is infinite."""
    return (n_games * rates + 0.5) / (n_games + 1)


def _parts(logits: Floats, matchups: Sequence[Matchup], n_players: int) -> _Parts:
    """The decomposition by least squares, all matchups with equal weight."""
    ratings = np.zeros((*logits.shape[:-1], n_players))
    for m, (a, b) in enumerate(matchups):
        ratings[..., a] += logits[..., m]
        ratings[..., b] -= logits[..., m]
    ratings /= n_players
    transitive = n_players * (ratings**2).sum(axis=-1)
    whole = (logits**2).sum(axis=-1)
    return _Parts(ratings, transitive, np.maximum(whole - transitive, 0))


def _noise(by_seed: Floats, matchups: Sequence[Matchup], n_players: int) -> _Parts:
    """What luck adds to either sum of squares on average, from what single seeds bring."""
    n_seeds = by_seed.shape[1]
    rates = by_seed.mean(axis=1, keepdims=True)
    slope = _inner(rates, 2 * n_seeds) * _inner(1 - rates, 2 * n_seeds)
    of_seeds = _parts(((by_seed - rates) / slope).T, matchups, n_players)
    pairs = n_seeds * (n_seeds - 1)
    return _Parts(
        of_seeds.ratings, of_seeds.transitive.sum() / pairs, of_seeds.cyclic.sum() / pairs
    )


def _share(parts: _Parts, noise: _Parts, *, times: int, unknown: float) -> Floats:
    cyclic = np.maximum(parts.cyclic - times * noise.cyclic, 0)
    whole = cyclic + np.maximum(parts.transitive - times * noise.transitive, 0)
    return np.where(whole > 0, cyclic / np.where(whole > 0, whole, 1), unknown)
