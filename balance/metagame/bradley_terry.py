"""Bradley-Terry ratings: the chances to win that explain who won how often, by most likelihood.

One number r a player, so that a beats b with the chance 1 / (1 + exp(r_b - r_a)). Unlike the
least squares of logits (`balance.metagame.cyclicity`) the fit weighs a matchup by what its games
tell: one that is won almost always says little of how far apart two players are.

Reference: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
(1952); the iteration is that of M. E. J. Newman, "Efficient computation of rankings from pairwise
comparisons", JMLR 24 (2023), equation 14. It adds, multiplies and divides only, so that every
processor finds the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.statistics.arithmetic import natural_log, ordered_sum
from balance.statistics.intervals import Floats

_ROUNDS = 2_000
_CLOSE = 1e-10  # by which no strength changes any more, relative


def bradley_terry(
    rates: Floats, pairs: Sequence[tuple[int, int]], n_players: int, n_games: int
) -> Floats:
    """Ratings ``[..., N]`` in logits, 0 on average, of ``[..., M]`` win rates.

    Args:
        rates: of the first of each pair over the second; a draw counts half.
        pairs: ``[M]`` which players met; all must be connected by them.
        n_players: ``N``.
        n_games: of each pair. Half a game is added to both sides, so that a player that won or
            lost them all has a rating.
    """
    wins = np.zeros((*rates.shape[:-1], n_players, n_players))
    for m, (a, b) in enumerate(pairs):
        wins[..., a, b] += n_games * rates[..., m] + 0.5
        wins[..., b, a] += n_games * (1 - rates[..., m]) + 0.5
    strengths = np.ones((*rates.shape[:-1], n_players))
    for _ in range(_ROUNDS):
        before = strengths.copy()
        for one in range(n_players):
            own = strengths[..., one, np.newaxis]
            won = wins[..., one, :] * strengths / (own + strengths)
            lost = wins[..., :, one] / (own + strengths)
            strengths[..., one] = ordered_sum(won) / ordered_sum(lost)
        strengths /= ordered_sum(strengths)[..., np.newaxis] / n_players
        if (np.abs(strengths - before) <= _CLOSE * strengths).all():
            break
    ratings = natural_log(strengths)
    return np.asarray(ratings - (ordered_sum(ratings) / n_players)[..., np.newaxis])
