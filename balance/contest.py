"""The contest: the interface between the balancing methods and a game, be it of cards or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from balance.readings import Readings
from balance.statistics.intervals import Flags
from sim.arguments import Arguments
from sim.errors import InputError
from sim.play.table import Gene

FirstGame = int | npt.NDArray[np.integer]
"""Position of the first seed in a stream, for all candidates or for each, ``[V]``."""

GAMES_MAX = 100_000_000  # per matchup: hours of play, for intervals of ±0.01 pp
LEAST_SEEDS = 2  # a single seed has no variance, so no interval can be computed


def games_in(n_seatings: int) -> Any:
    """Return the pydantic constraints of a number of games per matchup.

    Args:
        n_seatings: number of seatings of a matchup; each gets equally many games.
    """
    return Field(ge=LEAST_SEEDS * n_seatings, le=GAMES_MAX, multiple_of=n_seatings)


@cache
def _n_games_in(n_seatings: int) -> Arguments:
    """Return the check of the argument `n_games` for a number of seatings."""
    return Arguments(n_games=Annotated[int, games_in(n_seatings)])


class Parameter(NamedTuple):
    """A number that a search may move, with its names in files and in reports.

    Attributes:
        owner: identifier of the thing that has the number, such as a card's id.
        name: display name of that thing.
        field: identifier of the number in files.
        value: baseline value.
        label: display name of the number, if it differs from `field`.
        words: display names of the values from 0 on, if they are not shown as plain numbers.
    """

    owner: str
    name: str
    field: str
    value: int
    label: str = ""
    words: tuple[str, ...] = ()


class Contest(ABC):
    """Interface of a game to be balanced: players, matchups, and numbers that affect who wins."""

    @property
    @abstractmethod
    def player_names(self) -> tuple[str, ...]:
        """Names of the players in files and reports."""

    @property
    @abstractmethod
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """Matchups as positions of two or more players, ``[M]``.

        The rate of a matchup is the rate of its first player. A table of several players that all
        matter is listed once for each of them.
        """

    @property
    def n_tables(self) -> int:
        """Number of different tables that play when every matchup is played once."""
        return len(self.matchups)

    @property
    def spread(self) -> float:
        """Approximate standard deviation of one game's result, relative to a game won or lost."""
        return 1.0

    @property
    def n_seatings(self) -> int:
        """Number of games of a matchup that share a seed, one per seating.

        By default every player takes every seat once. Games are always played in multiples of it.
        """
        return len(self.matchups[0])

    def checked_games(self, n_games: int) -> int:
        """Return a number of games per matchup, if intervals can be computed from so many.

        Args:
            n_games: games per matchup.

        Raises:
            InputError: it is not a multiple of `n_seatings`, or too small or too large; or there is
                no matchup.
        """
        if not self.matchups:
            raise InputError(
                "none to play", place="matchups", limit=2, remedy="name at least two players"
            )
        fitting = _n_games_in(self.n_seatings).check("games", {"n_games": n_games})
        return int(fitting["n_games"])

    @abstractmethod
    def parameter(self, gene: Gene) -> Parameter:
        """Return the names and the baseline value of a number."""

    @abstractmethod
    def play(
        self,
        steps: npt.NDArray[np.integer],
        genes: Sequence[Gene],
        *,
        n_games: int,
        run_seed: int,
        purpose: str,
        first_game: FirstGame = 0,
        matchups: Sequence[tuple[int, ...]] | None = None,
        threads: int | None = None,
        faults: Literal["raise", "keep"] = "raise",
    ) -> Readings:
        """Play candidates, all on the same seeds.

        Args:
            steps: distance of each candidate's numbers from the baseline, shape ``[V, K]``.
            genes: the numbers, ``[K]``.
            n_games: games per matchup, equally many in every seating.
            run_seed: seed of the run.
            purpose: name of the stream of game seeds; see `sim.seeds`.
            first_game: position of the first seed in the stream, or one per candidate, ``[V]``.
            matchups: matchups to play; default all of `matchups`.
            threads: number of threads; default all cores.
            faults: whether a candidate with endless games is refused (`raise`) or recorded
                (`keep`).
        """

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether a number can affect a player's games, ``[K, D]``; true if unknown."""
        return np.ones((len(genes), len(self.player_names)), dtype=np.bool_)

    def matchup_reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether a number can affect the games of a matchup, ``[K, M]``."""
        reach = self.reach(genes)
        return np.stack([reach[:, list(players)].any(axis=1) for players in self.matchups], axis=1)

    def plays_alike(self, other: Contest) -> Flags:
        """Return whether each matchup's games equal another contest's, ``[M]``; false if unknown.

        Args:
            other: contest with the same matchups.
        """
        return np.full(len(self.matchups), self is other)

    def matchup_name(self, matchup: Sequence[int]) -> str:
        """Return the name of a matchup in experiment files and reports."""
        return " vs ".join(self.player_names[player] for player in matchup)

    @property
    def matchup_names(self) -> tuple[str, ...]:
        """Names of the matchups in files and reports, ``[M]``."""
        return tuple(map(self.matchup_name, self.matchups))

    def require_opponents(self) -> None:
        """Refuse a contest with fewer than two players.

        Raises:
            InputError: there is only one player.
        """
        if len(self.player_names) < 2:
            only = self.player_names[0]
            raise InputError(
                f"only {only!r}",
                place="player",
                value=only,
                limit=2,
                remedy="matchups need at least 2 players",
            )
