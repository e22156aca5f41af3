"""Sequential halving: most games for the best candidates, few for the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.statistics.intervals import Counts, Floats, Positions

PlayRound = Callable[[Positions, int, int], Floats]
"""Candidates, games for each of them, index of the first: ``[len(candidates)]`` points."""


@dataclass(frozen=True)
class Race:
    """How a race ended.

    Attributes:
        order: ``[P]`` all candidates, the best first: the later one was dropped, the better; among
            those dropped together, by win rate.
        rates: ``[P]`` win rate of each candidate over all its games. The best ones' are too
            good to be true, since they were chosen by them.
        n_games: ``[P]`` games spent on each.
    """

    order: Positions
    rates: Floats
    n_games: Counts


def halve(n_candidates: int, play: PlayRound, *, first_round: int, keep: int) -> Race:
    """Race candidates until `keep` are left.

    Each round plays twice as many games as the one before, on seeds that follow on, with the
    better half of the candidates; every round so costs about the same. All that still race
    have played the same seeds, and are compared over all their games.

    Args:
        n_candidates: ``P``.
        play: plays a round.
        first_round: games of each candidate in the first round, even.
        keep: how many to leave, at least 1.

    Reference: Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed
    bandits", ICML 2013, algorithm 1; pooling a candidate's games over rounds is ours.
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
        first = first + size // 2
        size = 2 * size
    order = np.concatenate([racing, *reversed(dropped)]).astype(np.intp)
    return Race(order, points / np.maximum(n_games, 1), n_games)
