"""Interface between the balancing methods and a game of any kind, with or without cards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from balance.contest.readings import Readings
from balance.contest.scale import WHOLE, Scale
from balance.statistics.intervals import Flags, Floats
from sim.arguments import Arguments
from sim.errors import InputError
from sim.play.table import Gene

FirstGame = int | npt.NDArray[np.integer]
"""Position of the first seed in a stream: one for all candidates, or one per candidate, ``[V]``."""

# Maximum number of games per matchup, which take hours and give intervals of ±0.01 pp.
GAMES_MAX = 100_000_000
# Minimum number of seeds: a single seed has no variance, so no interval can be computed.
LEAST_SEEDS = 2


def games_in(n_seatings: int) -> Any:
    """Return the pydantic constraints of a number of games per matchup.

    Args:
        n_seatings: number of seatings of a matchup; each gets equally many games.
    """
    return Field(ge=LEAST_SEEDS * n_seatings, le=GAMES_MAX, multiple_of=n_seatings)


@cache
def _n_games_in(n_seatings: int) -> Arguments:
    """Return the check of an argument `n_games` for a contest with a number of seatings."""
    return Arguments(n_games=Annotated[int, games_in(n_seatings)])


class Parameter(NamedTuple):
    """A number that a search may move, with its names in files and in reports.

    Attributes:
        owner: identifier of the owner of the number in files, such as a card's id.
        name: display name of the owner.
        field: identifier of the number in files.
        value: position of the baseline value on the scale; on the usual scale of whole numbers, the
            value itself.
        label: display name of the number; empty if it equals `field`.
        words: display names of the values 0, 1, ...; empty if values are shown as numbers.
        scale: values of the positions.
        better: 1 if a higher value helps the owner, -1 if a lower value does, 0 if unknown.
    """

    owner: str
    name: str
    field: str
    value: int
    label: str = ""
    words: tuple[str, ...] = ()
    scale: Scale = WHOLE
    better: int = 0


class Contest(ABC):
    """Interface of a game to be balanced: players, matchups, and numbers that affect who wins."""

    @property
    @abstractmethod
    def player_names(self) -> tuple[str, ...]:
        """Names of the players in files and reports, shape ``[D]``."""

    @property
    @abstractmethod
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """Matchups as positions of two or more players, shape ``[M]``.

        The rate of a matchup is the rate of its first player. A group of players is listed once for
        each player with a demanded rate, each time with this player first.
        """

    @property
    def n_tables(self) -> int:
        """Number of groups of players that play when every matchup is played once.

        The number is below that of the matchups if several matchups list the same group.
        """
        return len(self.matchups)

    def all_games(self, n_counted: int) -> int:
        """Return the number of games behind a number of games that counts each matchup alike.

        Args:
            n_counted: number of games, over all matchups.
        """
        return n_counted * self.n_tables // len(self.matchups)

    @property
    def spread(self) -> float:
        """Approximate standard deviation of a game's result, relative to that of a win or loss."""
        return 1.0

    @property
    def n_seatings(self) -> int:
        """Number of games of a matchup that share a seed, one per seating.

        By default the number of seatings is the number of players of a matchup. Numbers of games
        are multiples of it.
        """
        return len(self.matchups[0])

    def checked_games(self, n_games: int) -> int:
        """Return a number of games per matchup after checking that intervals can be computed.

        Args:
            n_games: games per matchup.

        Raises:
            InputError: the number is not a multiple of `n_seatings`, or outside its limits; or the
                contest has no matchup.
        """
        if not self.matchups:
            raise InputError(
                "none to play", place="matchups", limit=2, remedy="name at least two players"
            )
        fitting = _n_games_in(self.n_seatings).check("games", {"n_games": n_games})
        return int(fitting["n_games"])

    @property
    def genes(self) -> tuple[Gene, ...]:
        """Numbers that experiment files may set and let a search move, in the order of reports.

        None by default, for games with tables of their own for their numbers.
        """
        return ()

    @abstractmethod
    def parameter(self, gene: Gene) -> Parameter:
        """Return the names and the baseline value of a number that a search may move."""

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
        faults: Literal["raise", "keep"] = "raise",
    ) -> Readings:
        """Play candidates, all on the same seeds.

        Args:
            steps: difference of each candidate's numbers from the baseline, shape ``[V, K]``.
            genes: numbers that the columns of `steps` change, shape ``[K]``.
            n_games: games per matchup, a multiple of the number of seatings.
            run_seed: seed of the run.
            purpose: name of the stream of game seeds; see `sim.seeds`.
            first_game: position of the first seed in the stream, or one per candidate, ``[V]``.
            matchups: matchups to play; default all matchups of the contest.
            faults: whether a candidate with endless games is refused (`raise`) or recorded
                (`keep`).
        """

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether each number can affect each player's games, shape ``[K, D]``.

        The default is True everywhere, for games in which the effects of numbers are unknown.
        """
        return np.ones((len(genes), len(self.player_names)), dtype=np.bool_)

    def matchup_reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether each number can affect the games of each matchup, shape ``[K, M]``."""
        reach = self.reach(genes)
        return np.stack([reach[:, list(players)].any(axis=1) for players in self.matchups], axis=1)

    @property
    def leaders(self) -> tuple[int | None, ...]:
        """Position of an earlier matchup that edits change nearly alike, or `None`, shape ``[M]``.

        An example is the same matchup in the hands of a pilot with cheaper games. A model estimates
        only the differences from it. By default no matchup has one.
        """
        return (None,) * len(self.matchups)

    @property
    def game_shares(self) -> Floats:
        """Games of each matchup for each game that stages count, ``[M]``; one by default."""
        return np.ones(len(self.matchups))

    @property
    def first_seat_rates(self) -> Mapping[int, tuple[int, ...]]:
        """Positions of matchups without games of their own, each with those of other matchups.

        Their rate is the mean rate of the first seat over these other matchups. None by default.
        """
        return {}

    def plays_alike(self, other: Contest) -> Flags:
        """Return whether each matchup has the same games in another contest, shape ``[M]``.

        The default is False for any other object, since its games are unknown.

        Args:
            other: contest with the same matchups.
        """
        return np.full(len(self.matchups), self is other)

    def matchup_name(self, matchup: Sequence[int]) -> str:
        """Return the name of a matchup in files and reports, such as `aggro vs control`."""
        return " vs ".join(self.player_names[player] for player in matchup)

    @property
    def matchup_names(self) -> tuple[str, ...]:
        """Names of the matchups in files and reports, shape ``[M]``."""
        return tuple(map(self.matchup_name, self.matchups))

    def sides(self, name: str) -> tuple[str, str]:
        """Return the names of the two sides of a demand.

        Args:
            name: name of the demand, such as `Aggro vs Control` or `Aggro vs the field`.

        Returns:
            The names before and after `vs`. If the demand is on the share of a player at a table
            of more than two seats, they are the whole name and an empty string.
        """
        for matchup in self.matchups:
            if name == self.matchup_name(matchup):
                return self.side_names(matchup)
        a, _, b = name.rpartition(" vs ")
        return a, b

    def side_names(self, matchup: Sequence[int]) -> tuple[str, str]:
        """Return the names of the two sides of a matchup; see `sides`."""
        if len(matchup) > 2:
            return self.matchup_name(matchup), ""
        a, b = (self.player_names[player] for player in matchup)
        return a, b

    def require_opponents(self) -> None:
        """Refuse a contest with fewer than two players.

        Raises:
            InputError: the contest has only one player.
        """
        if len(self.player_names) < 2:
            only = self.player_names[0]
            raise InputError(
                f"only {only!r} is given",
                place="player",
                value=only,
                limit=2,
                remedy="give at least 2 players, since a matchup needs two",
            )
