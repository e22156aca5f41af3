"""Cyclicity: the share of win rates that one rating per deck does not explain.

Log-odds of win rates are a flow on the complete graph of the decks. Its gradient part, differences
of ratings, is transitive. The rest is orthogonal to it and cyclic, as in rock, paper, scissors.
Noise looks cyclic: independent errors contribute to the cyclic part by its share of all dimensions,
(D - 2) / D. The noise in both parts is therefore estimated and subtracted.

References: X. Jiang, L.-H. Lim, Y. Yao, Y. Ye, "Statistical ranking and combinatorial Hodge
theory", Mathematical Programming 127 (2011); A. Strang, K. C. Abbott, P. J. Thomas, "The network
HHD", SIAM Review 64 (2022). The subtraction of noise is an addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from balance.cards.card_contest import Matchup
from balance.statistics.arithmetic import natural_log, ordered_sum
from balance.statistics.intervals import Floats, Interval, resampled_interval

_LN_10 = 2.302585092994046  # a literal, since libraries round logarithms differently
ELO_PER_LOGIT = 400 / _LN_10  # definition of Elo: 400 points are odds of 10 to 1


class Cyclicity(NamedTuple):
    """Transitive and cyclic part of the win rates of ``D`` decks.

    Attributes:
        ratings: ratings in Elo points with mean 0, shape [D]; their differences are the transitive
            part.
        share: share of the cyclic part in the sum of squares, with noise subtracted; 0 if there are
            fewer than three decks.
    """

    ratings: Interval
    share: Interval


class _Parts(NamedTuple):
    """Transitive and cyclic part of log-odds of shape [..., M], or the noise in both parts.

    Attributes:
        ratings: ratings in log-odds, shape [..., D].
        transitive: sum over matchups of the squared differences of ratings, shape [...].
        cyclic: sum over matchups of the squared residuals, shape [...].
    """

    ratings: Floats
    transitive: Floats
    cyclic: Floats


def cyclicity_of(
    by_seed: Floats, resampled: Floats, matchups: Sequence[Matchup], *, n_players: int
) -> Cyclicity:
    """Decompose win rates into a transitive and a cyclic part, with bootstrap intervals.

    Args:
        by_seed: win rate of each matchup in the two games of each seed, shape [M, S].
        resampled: win rates of each matchup over resampled seeds, shape [B, M].
        matchups: the ``M`` pairs of decks.
        n_players: number of decks ``D``.
    """
    n_games = 2 * by_seed.shape[1]
    parts = _decompose(_logit(by_seed.mean(axis=1), n_games), matchups, n_players)
    resampled_parts = _decompose(_logit(resampled, n_games), matchups, n_players)
    elo = resampled_interval(ELO_PER_LOGIT * parts.ratings, ELO_PER_LOGIT * resampled_parts.ratings)
    if n_players < 3:
        return Cyclicity(elo, Interval(*np.zeros((3, 1))[:, 0]))
    noise = _noise_of(by_seed, matchups, n_players)
    return Cyclicity(elo, _share_of(parts, resampled_parts, noise))


def cyclic_share_of(
    rates: Floats,
    n_games: Floats,
    resampled: Floats,
    matchups: Sequence[Matchup],
    *,
    n_players: int,
) -> Interval:
    """Return the cyclic part's share in win rates of independent games, with a bootstrap interval.

    The variance of the log-odds of n games with the rate p is taken as 1 / (n p (1 - p)).
    Independent errors contribute their variances to the cyclic part by its share of all dimensions,
    (D - 2) / D, and the rest to the transitive part.

    Args:
        rates: win rate of each matchup, shape [M].
        n_games: number of games of each matchup, shape [M].
        resampled: win rates of resampled games, shape [B, M].
        matchups: all ``M`` pairs of decks.
        n_players: number of decks ``D``, at least 3.
    """
    parts, resampled_parts = (
        _decompose(_logit(some, n_games), matchups, n_players) for some in (rates, resampled)
    )
    inner = _inner(rates, n_games)
    variance = ordered_sum(1 / (n_games * inner * (1 - inner)))
    transitive = 2 / n_players * variance
    noise = _Parts(parts.ratings, transitive, variance - transitive)
    return _share_of(parts, resampled_parts, noise)


def _share_of(parts: _Parts, resampled_parts: _Parts, noise: _Parts) -> Interval:
    """Return the cyclic part's share with noise subtracted, and a bootstrap interval.

    Args:
        parts: sums of squares of the games.
        resampled_parts: sums of squares of resampled games, each of shape [B].
        noise: expected noise in both sums of squares.
    """
    # Resampled games have the noise of the games plus equal noise of the resampling, hence `times`.
    # If noise explains both parts completely, the share is unknown: from 0 to 1.
    low, high = (
        _cyclic_share(resampled_parts, noise, times=2, unknown=unknown) for unknown in (0.0, 1.0)
    )
    return resampled_interval(_cyclic_share(parts, noise, times=1, unknown=0.0), low, high)


def _logit(rates: Floats, n_games: int | Floats) -> Floats:
    """Return the log-odds of win rates, with half a game added to both sides.

    Args:
        rates: win rates, of any shape.
        n_games: number of games behind each rate, of a shape that broadcasts with `rates`.
    """
    return natural_log(_inner(rates, n_games) / _inner(1 - rates, n_games))


def _inner(rates: Floats, n_games: int | Floats) -> Floats:
    """Return win rates with half a game added to both sides, so that no log-odds are infinite.

    Args:
        rates: win rates, of any shape.
        n_games: number of games behind each rate, of a shape that broadcasts with `rates`.
    """
    return (n_games * rates + 0.5) / (n_games + 1)


def _decompose(logits: Floats, matchups: Sequence[Matchup], n_players: int) -> _Parts:
    """Decompose log-odds by least squares, with equal weight for all matchups.

    The rating of a deck is the mean of its log-odds against all decks, including 0 against itself.

    Args:
        logits: log-odds of the win rates, shape [..., M].
        matchups: all ``M`` pairs of decks.
        n_players: number of decks.
    """
    ratings = np.zeros((*logits.shape[:-1], n_players))
    for m, (a, b) in enumerate(matchups):
        ratings[..., a] += logits[..., m]
        ratings[..., b] -= logits[..., m]
    ratings /= n_players
    transitive = n_players * (ratings**2).sum(axis=-1)
    whole = (logits**2).sum(axis=-1)
    return _Parts(ratings, transitive, np.maximum(whole - transitive, 0))


def _noise_of(by_seed: Floats, matchups: Sequence[Matchup], n_players: int) -> _Parts:
    """Return the expected noise in both sums of squares, from the variance over seeds.

    Args:
        by_seed: win rate of each matchup in the two games of each seed, shape [M, S].
        matchups: all ``M`` pairs of decks.
        n_players: number of decks.
    """
    n_seeds = by_seed.shape[1]
    rates = by_seed.mean(axis=1, keepdims=True)
    # Log-odds are linearised around the mean rates: single seeds have rates of 0 and 1.
    slope = _inner(rates, 2 * n_seeds) * _inner(1 - rates, 2 * n_seeds)
    of_seeds = _decompose(((by_seed - rates) / slope).T, matchups, n_players)
    pairs = n_seeds * (n_seeds - 1)
    return _Parts(
        of_seeds.ratings, of_seeds.transitive.sum() / pairs, of_seeds.cyclic.sum() / pairs
    )


def _cyclic_share(parts: _Parts, noise: _Parts, *, times: int, unknown: float) -> Floats:
    """Return the cyclic part's share in the sum of both parts, with noise subtracted, shape [...].

    Args:
        parts: sums of squares of both parts, each of shape [...].
        noise: expected noise in both sums of squares.
        times: factor of the noise that is subtracted.
        unknown: value to return if noise explains both parts completely.
    """
    cyclic = np.maximum(parts.cyclic - times * noise.cyclic, 0)
    whole = cyclic + np.maximum(parts.transitive - times * noise.transitive, 0)
    return np.where(whole > 0, cyclic / np.where(whole > 0, whole, 1), unknown)
