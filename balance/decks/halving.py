"""Sequential halving: a race that gives most games to the best candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.statistics.intervals import Counts, Floats, Positions

PlayRound = Callable[[Positions, int, int], Floats]
"""Function that plays a round. Its arguments are the positions of P' candidates, the games of each,
and the index of the first seed; it returns the points of each candidate, shape [P'].
"""


@dataclass(frozen=True)
class Race:
    """Result of a race of ``P`` candidates.

    Attributes:
        order: all candidates, best first, shape [P]: by the round in which they were dropped, the
            last first, and within a round by win rate.
        rates: win rate of each candidate over all its games, shape [P]; those of the best are too
            high on average, because the race selected by them.
        n_games: games of each candidate, shape [P].
    """

    order: Positions
    rates: Floats
    n_games: Counts


def halve(n_candidates: int, play: PlayRound, *, first_round: int, keep: int) -> Race:
    """Race candidates until `keep` are left.

    In each round the better half of the candidates goes on, and plays twice as many games as in the
    round before, on the seeds that follow. So all rounds cost about the same. The candidates of a
    round have played the same seeds so far, and are compared over all their games.

    Args:
        n_candidates: number of candidates ``P``.
        play: function that plays a round.
        first_round: games of each candidate in the first round, an even number.
        keep: number of candidates to leave, at least 1. If there are no more than this, no game is
            played.

    Returns:
        The order of the candidates, and their rates.

    Reference: Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits",
    ICML 2013, algorithm 1. Pooling a candidate's games over rounds is an addition.
    """
    points = np.zeros(n_candidates)
    n_games = np.zeros(n_candidates, dtype=np.int64)
    racing = np.arange(n_candidates)
    dropped: list[Positions] = []
    first = 0
    size = first_round
    while len(racing) > keep:
        points[racing] += play(racing, size, first)
        n_games[racing] += size
        racing = racing[np.argsort(-points[racing], kind="stable")]
        n_left = max(keep, -(-len(racing) // 2))
        dropped.append(racing[n_left:])
        racing = racing[:n_left]
        first = first + size // 2  # a seed is used by two games, one in each seating
        size = 2 * size
    order = np.concatenate([racing, *reversed(dropped)]).astype(np.intp)
    return Race(order, points / np.maximum(n_games, 1), n_games)
