"""Games with results fixed by a test, exact in any number of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance import Evaluator, MatchupCounts
from balance.space.search_space import Steps
from sim.engine.layout import DRAWN
from tests.balance.contests import _evaluator_settings, _meeting, counts_of, free_space


class VariantShares(NamedTuple):
    """Shares of a variant's games: of the first players, of the first seat, and of draws."""

    rates: Sequence[float]
    first_seat: float
    draw_rate: float
    turns: int


@dataclass(frozen=True)
class ReportedGames(Evaluator):
    """Evaluator with exact shares in any number of games, and independent games within a seed.

    Attributes:
        variants: shares of the patch and of the baseline.
    """

    variants: tuple[VariantShares, ...] = ()

    def play(self, genomes: Steps, *, n_games: int, **_: object) -> MatchupCounts:
        winners = np.array(
            [
                [_winners(shares, rate, n_games // 2) for rate in shares.rates]
                for shares in self.variants
            ]
        )
        points = n_games * np.array([shares.rates for shares in self.variants])
        counts = counts_of(points, n_games, turns=[shares.turns for shares in self.variants])
        return replace(counts, winners=winners)


def _winners(shares: VariantShares, rate: float, n_seeds: int) -> npt.NDArray[np.int8]:
    """Return the winners of a matchup, ``[2, n_seeds]``; both seatings draw equally often."""
    won = rate - shares.draw_rate / 2 + np.array([1, -1]) * (shares.first_seat - 0.5)  # by seating
    n_won, n_drawn = (np.round(share * n_seeds).astype(int) for share in (won, shares.draw_rate))
    games = np.tile(np.array([[1], [0]], dtype=np.int8), n_seeds)
    for seating in (0, 1):
        games[seating, : n_won[seating]] = seating
        games[seating, n_won[seating] : n_won[seating] + n_drawn] = DRAWN
    games[1] = np.random.default_rng(1).permutation(games[1])
    return games


def reported_games(
    rates: Sequence[float],
    *,
    first_seat: Sequence[float] = (0.5, 0.5),
    draw_rate: Sequence[float] = (0.0, 0.0),
    turns: Sequence[int] = (20, 20),
    **more: object,
) -> ReportedGames:
    """Return an evaluator of a patch with given rates and of an even baseline."""
    n_matchups = len(rates)
    variants = tuple(map(VariantShares, (rates, [0.5] * n_matchups), first_seat, draw_rate, turns))
    settings = _evaluator_settings(n_matchups, **more)
    return ReportedGames(_meeting(n_matchups), free_space([-2], [2]), **settings, variants=variants)
