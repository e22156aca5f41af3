"""Playing the matchups of a contest, for today's cards or for many variants at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from balance.card_contest import CardContest
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, paired_mean, wilson
from sim.engine.layout import DRAWN
from sim.errors import CardFault
from sim.play.batch import Batch, play
from sim.play.outcomes import Counts, Outcomes, kept
from sim.play.table import Table
from sim.seeds import stream_seed


@dataclass(frozen=True)
class MatchupCounts:
    """Results of ``V`` variants in ``M`` matchups, over both seatings.

    All games of one index share a seed, whatever the variant, matchup and seating. So a seat's
    luck repeats within an index, and intervals over several of them are taken over the
    ``S = n_games / 2`` indices.

    Attributes:
        n_games: games per matchup, half in each seating.
        points: ``[V, M]`` games won by player `a`, draws counted half.
        turns: ``[V, M, TURN_BINS]`` games by length.
        winners: ``[V, M, 2, S]`` result of each game: the seat that won, or 2 for a draw;
            seating 0 has `a` first.
        outcomes: the batch's outcomes; row ``(v * M + m) * 2 + s`` is seating s.
    """

    n_games: int
    points: Floats
    turns: Counts
    winners: npt.NDArray[np.int8]
    outcomes: Outcomes

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """``[V, M]`` win rates of `a` with Wilson intervals.

        Both seatings of an index exchange the luck, which makes these a little too wide.
        """
        return wilson(self.points, self.n_games, confidence)

    def points_by_seed(self, variant: int | slice = slice(None)) -> Floats:
        """``[V, M, S]`` points of `a` in the two games of each seed, 0 to 2, or one variant's."""
        return points_by_seed(self.winners[variant])

    def first_seat_by_seed(self) -> Floats:
        """``[V, M, S]`` win rate of whoever moves first in the two games of each seed."""
        rate: Floats = seat_points(self.winners, 0).mean(axis=2)
        return rate

    def first_seat(self) -> Interval:
        """``[V]`` win rate of the first seat over all matchups, its interval over seeds."""
        return paired_mean(self.first_seat_by_seed().mean(axis=1))

    @property
    def faults(self) -> dict[int, CardFault]:
        """By variant, what stopped its first game that a card's texts stopped."""
        rows_each = len(self.outcomes.totals) // len(self.points)
        rows = sorted(self.outcomes.faults, reverse=True)
        return {row // rows_each: self.outcomes.faults[row] for row in rows}

    def draw_rate(self) -> Interval:
        """``[V]`` share of drawn games over all matchups.

        A Wilson interval for as many games as there are seeds, so that no draws in few games
        does not look like certainty.
        """
        share = (self.winners == DRAWN).mean(axis=(1, 2, 3))
        n_seeds = self.winners.shape[-1]
        return wilson(share * n_seeds, n_seeds)


def seat_points(winners: npt.NDArray[np.int8], seat: int) -> Floats:
    """Points of a seat from game results: 1 for a win, 0.5 for a draw, no number for a fault."""
    worth = np.array([1.0, 0.0, 0.5, np.nan] if seat == 0 else [0.0, 1.0, 0.5, np.nan])
    return worth[winners]


def points_by_seed(winners: npt.NDArray[np.int8]) -> Floats:
    """``[..., S]`` points, 0 to 2, of whoever sits in seat 0 of seating 0 and seat 1 of seating 1.

    Args:
        winners: ``[..., 2, S]`` results of both seatings of each seed.
    """
    return seat_points(winners[..., 0, :], 0) + seat_points(winners[..., 1, :], 1)


def play_matchups(
    contest: CardContest,
    table: Table,
    *,
    n_games: int,
    run_seed: int,
    purpose: str,
    first_seed: int = 0,
    threads: int | None = None,
    keep_cards: bool = False,
    faults: Literal["raise", "keep"] = "raise",
) -> MatchupCounts:
    """Play every matchup of every variant of `table`, all on the same seeds.

    Args:
        contest: the players.
        table: ``V`` variants of the contest's cards.
        n_games: games per matchup, even.
        run_seed: the run's seed.
        purpose: names the stream of game seeds, see `sim.seeds`.
        first_seed: position of the first one in the stream.
        threads: threads to use; default all cores.
        keep_cards: also count what became of each deck slot.
        faults: what becomes of a variant whose card texts never end (`sim.play.batch.play`); if it
            is kept, its points are 0 and its readings no numbers.
    """
    n_variants, n_matchups = table.n_variants, len(contest.matchups)
    seatings = np.array([seats for a, b in contest.matchups for seats in ((a, b), (b, a))])
    n_rows = n_variants * len(seatings)
    batch = Batch(
        decks=contest.deck_rows,
        variant=np.repeat(np.arange(n_variants), len(seatings)),
        seats=np.tile(seatings, (n_variants, 1)),
        n_games=np.full(n_rows, n_games // 2),
        first_game=np.full(n_rows, first_seed, dtype=np.int64),
        stream=stream_seed(run_seed, purpose),
    )
    keep = ("winner", "cards") if keep_cards else ("winner",)
    outcomes = play(batch, table, contest.agents, threads=threads, keep=keep, faults=faults)
    points = outcomes.points.reshape(n_variants, n_matchups, 2, 2)
    return MatchupCounts(
        n_games=n_games,
        points=points[:, :, 0, 0] + points[:, :, 1, 1],
        turns=outcomes.turns.reshape(n_variants, n_matchups, 2, -1).sum(axis=2),
        winners=kept(outcomes.winners).reshape(n_variants, n_matchups, 2, -1),
        outcomes=outcomes,
    )
