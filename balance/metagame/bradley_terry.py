"""Ratings of players by the Bradley-Terry model, fitted to the results of their games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.statistics.arithmetic import natural_log, ordered_sum
from balance.statistics.intervals import Floats

# Maximum number of iterations of a fit. Only players that nearly always win or lose need many of
# them. Chosen by hand.
_ITERATIONS = 2_000
_CLOSE = 1e-10  # relative change of every strength below which a fit has converged


def bradley_terry(
    rates: Floats, pairs: Sequence[tuple[int, int]], n_players: int, n_games: int | Floats
) -> Floats:
    """Return the maximum-likelihood ratings of the Bradley-Terry model, in log-odds.

    With rating r of each player, a beats b with probability 1 / (1 + exp(r_b - r_a)). Unlike the
    least squares of log-odds (`balance.metagame.cyclicity`), the fit weights a matchup by its
    information: a matchup that one player nearly always wins contributes little.

    Args:
        rates: win rates of the first player of each pair over the second, a draw counted half,
            shape [..., M].
        pairs: positions of the two players of the M pairs; the pairs must connect all players.
        n_players: number of players ``N``.
        n_games: number of games of each pair, shape [M], or one number for all pairs. Half a game
            is added to both sides, so that a player that won or lost all games has a finite rating.

    Returns:
        Ratings with mean 0, shape [..., N].

    References: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika
    39 (1952); the iteration is equation 14 of M. E. J. Newman, "Efficient computation of rankings
    from pairwise comparisons", JMLR 24 (2023). The iteration only adds, multiplies and divides, so
    that results are equal on all processors.
    """
    wins = np.zeros((*rates.shape[:-1], n_players, n_players))
    of_pairs = np.broadcast_to(n_games, len(pairs)).tolist()
    for m, ((a, b), n) in enumerate(zip(pairs, of_pairs, strict=True)):
        wins[..., a, b] += n * rates[..., m] + 0.5
        wins[..., b, a] += n * (1 - rates[..., m]) + 0.5
    strengths = np.ones((*rates.shape[:-1], n_players))
    for _ in range(_ITERATIONS):
        before = strengths.copy()
        for player in range(n_players):
            own = strengths[..., player, np.newaxis]
            won = wins[..., player, :] * strengths / (own + strengths)
            lost = wins[..., :, player] / (own + strengths)
            strengths[..., player] = ordered_sum(won) / ordered_sum(lost)
        # Only ratios of strengths matter; a mean of 1 keeps them in the range of floats.
        strengths /= ordered_sum(strengths)[..., np.newaxis] / n_players
        if (np.abs(strengths - before) <= _CLOSE * strengths).all():
            break
    ratings = natural_log(strengths)
    return np.asarray(ratings - (ordered_sum(ratings) / n_players)[..., np.newaxis])
