"""What a method of tuning asks of the games, and how it goes on: rounds, question by question."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from balance.statistics.intervals import Counts, Floats


@dataclass(frozen=True)
class Round:
    """``P`` candidates that are to play.

    A pair of games is one seed in both seatings; places in the order of all pairs say which, so
    candidates that share them share opponents and luck.

    Attributes:
        points: ``[P, K]`` the candidates.
        first_pair: ``[P]`` where the pairs of each begin.
        n_pairs: that each plays.
        best: ``[K]`` what the method holds for the best so far; it pilots `self`.
    """

    points: Floats
    first_pair: Counts
    n_pairs: int
    best: Floats

    @property
    def n_games(self) -> int:
        """Of all candidates together."""
        return 2 * self.n_pairs * len(self.points)


Rounds = Generator[Round, Floats, Floats]
"""Asks rounds, is sent ``[P]`` win rates, and returns the best point ``[K]`` in the end."""
