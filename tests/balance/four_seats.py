"""A contest without cards: four players at one table, of which one wins each game.

Every player has a strength in whole steps, and every seat of a game a random number; the largest
sum wins. The random numbers have Gumbel's distribution, so a player's win rate is known exactly for
any seat: the exponential of its strength as a share of all four.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance import Contest, Parameter, SeatReadings
from balance.space.search_space import SearchSpace
from sim.play.table import Gene
from sim.seeds import generator

STEP = 0.2  # of strength


@dataclass(frozen=True)
class FourSeats(Contest):
    """Four players who each take every seat once in the games of a seed."""

    strengths: tuple[float, float, float, float]

    @classmethod
    def won_by(cls, *shares: float) -> FourSeats:
        """Return the contest in which the players win given shares of all games."""
        first, second, third, fourth = np.log(shares).tolist()
        return cls((first, second, third, fourth))

    @property
    def player_names(self) -> tuple[str, ...]:
        return tuple("abcd")

    @property
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """The only table, once for each of its players."""
        return tuple(tuple((first + k) % 4 for k in range(4)) for first in range(4))

    def parameter(self, gene: Gene) -> Parameter:
        return Parameter(self.player_names[gene.owner], f"Player {gene.owner}", gene.field, 10)

    def play(
        self, steps, genes: Sequence[Gene], *, n_games, run_seed, purpose, first_game=0,
        matchups=None, **_: object,
    ) -> SeatReadings:  # fmt: skip
        firsts = np.broadcast_to(first_game, len(steps))[:, np.newaxis]
        seeds = firsts + np.arange(n_games // 4)  # [candidate, seed]
        luck = generator(run_seed, purpose).gumbel(size=(seeds.max() + 1, 4))
        strengths = np.tile(self.strengths, (len(steps), 1))
        strengths[:, [gene.owner for gene in genes]] += STEP * np.asarray(steps)
        shift = (np.arange(4)[:, np.newaxis] + np.arange(4)) % 4  # [turn of the table, player]
        sums = strengths[:, np.newaxis, np.newaxis] + luck[:, shift][seeds]
        winner = sums.argmax(axis=-1)
        seen_by = [players[0] for players in matchups or self.matchups]
        won = [[winner[..., (seat - first) % 4] == first for seat in range(4)] for first in seen_by]
        return SeatReadings.of(np.moveaxis(np.array(won, dtype=float), 2, 0))


def strengths_space(most: int = 5) -> SearchSpace:
    """Return a space in which every player's strength may move by some steps, up or down."""
    bound = np.full(4, most, np.int16)
    return SearchSpace(tuple(Gene(k, "strength") for k in range(4)), -bound, bound, np.ones(4))
