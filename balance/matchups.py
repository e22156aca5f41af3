"""Playing the matchups of a contest, for today's cards or for many variants at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.contest import Contest
from balance.intervals import CONFIDENCE, Floats, Interval, wilson
from sim.batch import Batch, play
from sim.outcomes import Counts, Outcomes, kept
from sim.seeds import stream_seed
from sim.table import Table


@dataclass(frozen=True)
class MatchupCounts:
    """Results of ``V`` variants in ``M`` matchups, over both seatings.

    Attributes:
        n_games: games per matchup, half in each seating.
        points: ``[V, M]`` games won by player `a`, draws counted half.
        first_seat_points: ``[V, M]`` games won by whoever moved first, draws counted half.
        draws: ``[V, M]`` drawn games.
        turns: ``[V, M, TURN_BINS]`` games by length.
        outcomes: the batch's outcomes; row ``(v * M + m) * 2 + s`` is seating s (0: `a` first).
    """

    n_games: int
    points: Floats
    first_seat_points: Floats
    draws: Counts
    turns: Counts
    outcomes: Outcomes

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """``[V, M]`` win rates of `a` with Wilson intervals."""
        return wilson(self.points, self.n_games, confidence)

    def first_seat(self, confidence: float = CONFIDENCE) -> Interval:
        """``[V]`` win rate of the first seat over all matchups."""
        n_matchups = self.points.shape[1]
        return wilson(self.first_seat_points.sum(axis=1), self.n_games * n_matchups, confidence)

    def draw_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """``[V]`` share of drawn games over all matchups."""
        n_matchups = self.points.shape[1]
        return wilson(self.draws.sum(axis=1), self.n_games * n_matchups, confidence)

    def points_by_pair(self) -> Floats:
        """``[V, M, n_games / 2]`` points of `a` in the two games of each seed, 0 to 2.

        Raises:
            ValueError: the games were played without `keep="winner"`.
        """
        n_variants, n_matchups = self.points.shape
        winners = kept(self.outcomes.winners).reshape(n_variants, n_matchups, 2, -1)
        return seat_points(winners[:, :, 0], 0) + seat_points(winners[:, :, 1], 1)


def seat_points(winners: npt.NDArray[np.int8], seat: int) -> Floats:
    """Points of a seat from game results: 1 for a win, 0.5 for a draw."""
    worth = np.array([1.0, 0.0, 0.5]) if seat == 0 else np.array([0.0, 1.0, 0.5])
    return worth[winners]


def play_matchups(
    contest: Contest,
    table: Table,
    *,
    n_games: int,
    run_seed: int,
    purpose: str,
    threads: int | None = None,
    keep: str | Sequence[str] = (),
) -> MatchupCounts:
    """Play every matchup of every variant of `table`, all on the same seeds.

    Args:
        contest: the players.
        table: ``V`` variants of the contest's cards.
        n_games: games per matchup, even.
        run_seed: the run's seed.
        purpose: names the stream of game seeds, see `sim.seeds`.
        threads: threads to use; default all cores.
        keep: as in `sim.batch.play`.
    """
    n_variants, n_matchups = table.n_variants, len(contest.matchups)
    seatings = np.array([seats for a, b in contest.matchups for seats in ((a, b), (b, a))])
    n_rows = n_variants * len(seatings)
    batch = Batch(
        decks=contest.deck_rows,
        variant=np.repeat(np.arange(n_variants), len(seatings)),
        seats=np.tile(seatings, (n_variants, 1)),
        n_games=np.full(n_rows, n_games // 2),
        first_game=np.zeros(n_rows, dtype=np.int64),
        stream=stream_seed(run_seed, purpose),
    )
    outcomes = play(batch, table, contest.agents, threads=threads, keep=keep)
    points = outcomes.points.reshape(n_variants, n_matchups, 2, 2)
    return MatchupCounts(
        n_games=n_games,
        points=points[:, :, 0, 0] + points[:, :, 1, 1],
        first_seat_points=points[:, :, :, 0].sum(axis=2),
        draws=outcomes.draws.reshape(n_variants, n_matchups, 2).sum(axis=2),
        turns=outcomes.turns.reshape(n_variants, n_matchups, 2, -1).sum(axis=2),
        outcomes=outcomes,
    )
