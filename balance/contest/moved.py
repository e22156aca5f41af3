"""A contest in which some numbers have other values than in its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.contest.contest import Contest, Parameter
from balance.contest.readings import Readings
from balance.statistics.intervals import Flags
from sim.play.table import Gene


@dataclass(frozen=True)
class MovedContest(Contest):
    """Contest with moved numbers, which are its baseline.

    Attributes:
        unmoved: contest that plays the games.
        moved: step of each moved number from its value in `unmoved`.
        on_games: callback, called with the number of games after each batch; `None` for none.
    """

    unmoved: Contest
    moved: Mapping[Gene, int] = field(default_factory=dict)
    on_games: Callable[[int], None] | None = None

    @property
    def player_names(self) -> tuple[str, ...]:
        """Names of the players, shape ``[D]``."""
        return self.unmoved.player_names

    @property
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """Matchups as positions of players, shape ``[M]``."""
        return self.unmoved.matchups

    @property
    def n_tables(self) -> int:
        """Number of groups of players that play when every matchup is played once."""
        return self.unmoved.n_tables

    @property
    def spread(self) -> float:
        """Approximate standard deviation of a game's result, relative to that of a win or loss."""
        return self.unmoved.spread

    @property
    def n_seatings(self) -> int:
        """Number of games of a matchup that share a seed."""
        return self.unmoved.n_seatings

    @property
    def genes(self) -> tuple[Gene, ...]:
        """Numbers that experiment files may set and let a search move."""
        return self.unmoved.genes

    def parameter(self, gene: Gene) -> Parameter:
        """Return the names and the moved value of a number."""
        number = self.unmoved.parameter(gene)
        return number._replace(value=number.value + self.moved.get(gene, 0))

    def play(
        self, steps: npt.NDArray[np.integer], genes: Sequence[Gene], **options: Any
    ) -> Readings:
        """Play candidates from the moved baseline; the arguments are those of `Contest.play`."""
        every = [*dict.fromkeys([*genes, *self.moved])]
        moved = np.tile([self.moved.get(gene, 0) for gene in every], (len(steps), 1))
        moved[:, : len(genes)] += steps
        readings = self.unmoved.play(moved, every, **options)
        if self.on_games is not None:
            self.on_games(readings.n_games * readings.points.size)
        return readings

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether each number can affect each player's games, shape ``[K, D]``."""
        return self.unmoved.reach(genes)

    def matchup_name(self, matchup: Sequence[int]) -> str:
        """Return the name of a matchup in files and reports."""
        return self.unmoved.matchup_name(matchup)
