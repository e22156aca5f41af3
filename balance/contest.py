"""The contest: what the science asks of whatever is to be balanced, be it cards or not."""

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

GAMES_MAX = 100_000_000  # per matchup: hours of games, and an interval of 0.01 pp
LEAST_SEEDS = 2  # one seed shows no spread, so it has no interval


def games_in(n_seatings: int) -> Any:
    """What a number of games per matchup must be, equally many in each of so many seatings."""
    return Field(ge=LEAST_SEEDS * n_seatings, le=GAMES_MAX, multiple_of=n_seatings)


@cache
def _n_games_in(n_seatings: int) -> Arguments:
    return Arguments(n_games=Annotated[int, games_in(n_seatings)])


class Parameter(NamedTuple):
    """A number that a search may move, as files and people know it.

    Attributes:
        owner: what files call the thing that has it, such as a card's id.
        name: what people call that thing.
        field: what files call the number.
        value: today's.
        label: what people call the number, where that is not `field`.
        words: what people call its values from 0 on, where those are no plain numbers.
    """

    owner: str
    name: str
    field: str
    value: int
    label: str = ""
    words: tuple[str, ...] = ()


class Contest(ABC):
    """Players, who of them meets whom, and numbers that decide who wins."""

    @property
    @abstractmethod
    def player_names(self) -> tuple[str, ...]:
        """What files and reports call the players."""

    @property
    @abstractmethod
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """``[M]`` who meets whom: positions of two or more players.

        The rate of a matchup is the first one's; a table whose every player matters is listed
        once for each of them.
        """

    @property
    def n_tables(self) -> int:
        """How many games there are when every matchup is played once; a table's are the same."""
        return len(self.matchups)

    @property
    def spread(self) -> float:
        """The standard deviation of what a game gives, about, in those of a game won or lost."""
        return 1.0

    @property
    def n_seatings(self) -> int:
        """How many games of a matchup share a seed; by default everybody sits in every seat once.

        Games are always played in multiples of it.
        """
        return len(self.matchups[0])

    def checked_games(self, n_games: int) -> int:
        """A number of games per matchup, if intervals can be taken over so many.

        Raises:
            InputError: it is no multiple of `n_seatings`, or too small or too large; or there is
                nobody to play.
        """
        if not self.matchups:
            raise InputError("matchups: none to play; a contest needs at least two players")
        fitting = _n_games_in(self.n_seatings).fitting("games", {"n_games": n_games})
        return int(fitting["n_games"])

    @abstractmethod
    def parameter(self, gene: Gene) -> Parameter:
        """A number's names and today's value."""

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
            steps: ``[V, K]`` how far each candidate's numbers are from today's.
            genes: ``[K]`` the numbers.
            n_games: games per matchup, equally many in every seating.
            run_seed: the run's seed.
            purpose: names the stream of game seeds, see `sim.seeds`.
            first_game: position in the stream of the first seed, or ``[V]`` of each candidate's.
            matchups: which to play; default all of `matchups`.
            threads: threads to use; default all cores.
            faults: whether a candidate that cannot be played to the end is refused, or noted.
        """

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """``[K, D]`` whether a number can matter to a player; each of them may, if in doubt."""
        return np.ones((len(genes), len(self.player_names)), dtype=np.bool_)

    def matchup_reach(self, genes: Sequence[Gene]) -> Flags:
        """``[K, M]`` whether a number can matter in a matchup."""
        reach = self.reach(genes)
        return np.stack([reach[:, list(players)].any(axis=1) for players in self.matchups], axis=1)

    def plays_alike(self, other: Contest) -> Flags:
        """``[M]`` whether all games of a matchup are those of another contest's; no, if in doubt.

        Args:
            other: has the same matchups.
        """
        return np.full(len(self.matchups), self is other)

    def matchup_name(self, matchup: Sequence[int]) -> str:
        """How experiment files and reports write a matchup."""
        return " vs ".join(self.player_names[player] for player in matchup)

    @property
    def matchup_names(self) -> tuple[str, ...]:
        """``[M]`` what files and reports call the matchups."""
        return tuple(map(self.matchup_name, self.matchups))

    def require_opponents(self) -> None:
        """Refuse a contest in which nobody has anybody to play.

        Raises:
            InputError: there is only one player.
        """
        if len(self.player_names) < 2:
            only = self.player_names[0]
            raise InputError(f"player: only {only!r}; matchups need at least 2 players")
