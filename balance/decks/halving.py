"""Sequential halving: a race of candidates in which the best candidates play most games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.statistics.intervals import Counts, Floats, Positions

PlayRound = Callable[[Positions, int, int], Floats]
"""Function that plays a round of a race. Its arguments are the positions of P' candidates, the
number of games of each candidate, and the index of the first seed. It returns the points of each
candidate in the round, shape [P'].
"""


@dataclass(frozen=True)
class Race:
    """Result of a race of ``P`` candidates.

    Attributes:
        order: positions of all candidates, best first, shape [P]. Candidates that were dropped in a
            later round come first; within a round they are ordered by win rate.
        rates: win rate of each candidate over all its games, shape [P]; 0 if it played none. The
            rates of the best candidates are too high on average, because the race selected by them.
        n_games: number of games of each candidate, shape [P].
    """

    order: Positions
    rates: Floats
    n_games: Counts


def halve(n_candidates: int, play: PlayRound, *, first_round: int, keep: int) -> Race:
    """Race candidates until `keep` are left, and return the result.

    After each round the better half of the candidates remains, and plays twice as many games in the
    next round, on further seeds. All rounds therefore cost about the same. The candidates of a
    round have played the same seeds so far, and are compared over all their games.

    Args:
        n_candidates: number of candidates ``P``.
        play: function that plays a round.
        first_round: number of games of each candidate in the first round, which must be even.
        keep: number of candidates that remain, at least 1. If ``P`` is not larger, no game is
            played.

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
        n_left = max(keep, -(-len(racing) // 2))  # half of them, rounded up
        dropped.append(racing[n_left:])
        racing = racing[:n_left]
        first = first + size // 2  # two games share a seed, one in each seating
        size = 2 * size
    order = np.concatenate([racing, *reversed(dropped)]).astype(np.intp)
    return Race(order, points / np.maximum(n_games, 1), n_games)
