"""Results of matchups between two seats, in the compact form that card games are kept in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from balance.readings import ALL, Counts, Readings, Some
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, paired_mean, wilson
from sim.play.outcomes import DRAWN

Winners = npt.NDArray[np.int8]


@dataclass(frozen=True, kw_only=True)
class MatchupCounts(Readings):
    """Results of ``V`` variants in ``M`` matchups of `a` and `b`, over both seatings.

    A seat's luck repeats within a seed, and intervals over several games of one are taken over
    the ``S = n_games / 2`` seeds.

    Attributes:
        winners: ``[V, M, 2, S]`` result of each game: the seat that won, 2 for a draw, 3 for a
            fault; seating 0 has `a` first.
        life: ``[V, M, 2]`` final life of `a` and of `b`, summed over the games, if kept.
        seen: ``[V, M, 2, seat, result, slot, code]`` what became of the cards
            (`sim.play.outcomes.Outcomes`), if kept.
    """

    _by_seed: ClassVar[str] = "winners"

    turns: Counts
    winners: Winners
    life: Counts | None = None
    seen: Counts | None = None

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """``[V, M]`` win rates of `a` with Wilson intervals.

        Both seatings of a seed exchange the luck, which makes these a little too wide.
        """
        return wilson(self.points, self.n_games, confidence)

    def rates_by_seed(self, candidates: int | Some = ALL, matchups: Some = ALL) -> Floats:
        """``[V, M, S]`` win rates of `a` in the games of each seed; of one variant, ``[M, S]``."""
        return points_by_seed(self.winners[candidates][..., matchups, :, :]) / 2

    def first_seat_by_seed(self) -> Floats:
        """``[V, M, S]`` win rate of whoever moves first in the two games of each seed."""
        rate: Floats = seat_points(self.winners, 0).mean(axis=2)
        return rate

    def first_seat(self) -> Interval:
        """``[V]`` win rate of the first seat over all matchups, its interval over seeds."""
        return paired_mean(self.first_seat_by_seed().mean(axis=1))

    def drawn_share(self) -> Floats:
        """``[V]`` share of drawn games over all matchups."""
        share: Floats = (self.winners == DRAWN).mean(axis=(1, 2, 3))
        return share

    def draw_rate(self) -> Interval:
        """``[V]`` share of drawn games over all matchups.

        A Wilson interval for as many games as there are seeds, so that no draws in few games
        does not look like certainty.
        """
        return wilson(self.drawn_share() * self.n_seeds, self.n_seeds)


def seat_points(winners: Winners, seat: int) -> Floats:
    """Points of a seat from game results: 1 for a win, 0.5 for a draw, no number for a fault."""
    worth = np.array([1.0, 0.0, 0.5, np.nan] if seat == 0 else [0.0, 1.0, 0.5, np.nan])
    return worth[winners]


def points_by_seed(winners: Winners) -> Floats:
    """``[..., S]`` points, 0 to 2, of whoever sits in seat 0 of seating 0 and seat 1 of seating 1.

    Args:
        winners: ``[..., 2, S]`` results of both seatings of each seed.
    """
    return seat_points(winners[..., 0, :], 0) + seat_points(winners[..., 1, :], 1)
