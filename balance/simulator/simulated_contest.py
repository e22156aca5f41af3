"""Contest of games that a simulator plays: a function or a program of another author."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.contest.contest import Contest, FirstGame, Parameter
from balance.contest.contest_limits import ContestLimits
from balance.contest.contest_space import contest_space
from balance.contest.readings import PairReadings, Readings, SeatReadings, points_by_seed
from balance.simulator.parameters import Parameters
from balance.simulator.results import lengths_of, shares_of, winners_of
from balance.space.search_space import SearchSpace
from balance.statistics.intervals import Flags, Floats, Positions
from sim.errors import InputError
from sim.play.outcomes import DRAWN
from sim.play.table import Gene
from sim.seeds import numbers_of, stream_seed
from sim.short_repr import short_repr
from sim.simulator.block import Block, Played
from sim.simulator.simulator import Simulator

_FAULT = DRAWN + 1  # result of a game that could not be played, as in `PairReadings.winners`

Rate = Literal["wins", "points"]
"""Kind of rate: the share of games won, with draws as half, or the share of points."""


class _Place(NamedTuple):
    """Place of a matchup in the games of the players who meet.

    Attributes:
        table: position of the group of players.
        seat: seat of the matchup's first player in the first seating.
    """

    table: int
    seat: int


@dataclass(frozen=True)
class SimulatedContest(Contest):
    """Contest between players of a simulator.

    Every group of as many players as a game has seats meets, once in each rotation of the seats.

    Attributes:
        simulator: plays the games.
        parameters: parameters of the simulator, with the names of the players.
        rate: kind of rate; `points` needs a simulator that reports them.
        on_games: callback, called with the number of games after each block; `None` for none.
    """

    simulator: Simulator
    parameters: Parameters
    rate: Rate = "wins"
    on_games: Callable[[int], None] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Refuse fewer players than a game has seats.

        Raises:
            InputError: too few players are named.
        """
        n_seats = self.simulator.n_seats
        if len(set(self.player_names)) < n_seats:
            raise InputError(
                f"{len(set(self.player_names))} different names for a game of {n_seats} seats",
                place="players",
                value=self.player_names,
                limit=n_seats,
                remedy=f"name at least {n_seats} players",
            )

    def __repr__(self) -> str:
        return short_repr(self, players=list(self.player_names), numbers=len(self.genes))

    @property
    def player_names(self) -> tuple[str, ...]:
        """Names of the players, shape ``[D]``."""
        return self.parameters.players

    @cached_property
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """Matchups as positions of players, shape ``[M]``.

        Every pair of players is one matchup. A group of three or more players is listed once for
        each of them, this player first.
        """
        groups = combinations(range(len(self.player_names)), self.simulator.n_seats)
        return tuple(
            rotated
            for group in groups
            for rotated in (_rotations(group) if len(group) > 2 else [group])
        )

    @property
    def n_tables(self) -> int:
        """Number of groups of players that meet."""
        n_seats = self.simulator.n_seats
        return len(self.matchups) // (1 if n_seats == 2 else n_seats)

    @property
    def genes(self) -> tuple[Gene, ...]:
        """All parameters, in the order of their declarations."""
        return tuple(self.parameters.names)

    def parameter(self, gene: Gene) -> Parameter:
        """Return the names, the scale and the baseline position of a parameter."""
        return self.parameters.by_gene[gene]

    def space(self, limits: ContestLimits | None = None) -> SearchSpace:
        """Return the search space of the parameters with a range.

        Args:
            limits: locks, directions and limits of patches; `None` for none.

        Raises:
            InputError: no parameter may change, or a setting names an unknown one.
        """
        parameters = self.parameters
        limits = limits or ContestLimits()
        return contest_space(self, parameters.ranges, parameters.weights, limits)

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether each parameter can affect each player's games, shape ``[K, D]``."""
        return self.parameters.reach(genes)

    def plays_alike(self, other: Contest) -> Flags:
        """Return whether each matchup has the same games in another contest, shape ``[M]``."""
        same = isinstance(other, SimulatedContest) and (
            self.simulator.identity == other.simulator.identity
            and self.parameters == other.parameters
            and self.rate == other.rate
        )
        return np.full(len(self.matchups), same)

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
        """Play candidates, all on the same seeds; see `Contest.play`.

        Equal games of several candidates, which differ only in parameters that cannot affect the
        players, are played once.

        Raises:
            InputError: the simulator fails, or refuses the parameters of a candidate and `faults`
                is `"raise"`.
        """
        matchups = self.matchups if matchups is None else tuple(map(tuple, matchups))
        n_games = self.checked_games(n_games)
        n_seeds = n_games // self.n_seatings
        first = np.broadcast_to(np.asarray(first_game, dtype=np.int64), len(steps))
        stream = stream_seed(run_seed, purpose)
        seeds = [numbers_of(stream, start + np.arange(n_seeds)) for start in first]
        tables, places = _seated(matchups)
        plan = _Plan()
        reach = self.reach(genes)
        for candidate, moved in enumerate(steps):
            for players in tables:
                own = np.asarray(reach[:, list(players)].any(axis=1))
                values = self.parameters.values(
                    {gene: int(moved[k]) for k, gene in enumerate(genes) if own[k]}
                )
                for seating in range(self.n_seatings):
                    seats = players[-seating:] + players[:-seating]
                    names = tuple(self.player_names[player] for player in seats)
                    plan.add(Block(values, names, seeds[candidate]), int(first[candidate]))
        played = plan.carry_out(self.simulator, self.on_games)
        shape = (len(steps), len(tables), self.n_seatings)
        blocks = np.array(plan.positions, dtype=np.int64).reshape(shape)
        refused = _refused(played, blocks)
        if refused and faults == "raise":
            raise refused[min(refused)]
        return self._readings(played, blocks, places, n_seeds, refused)

    def _readings(
        self,
        played: Sequence[Played],
        blocks: Positions,
        places: Sequence[_Place],
        n_seeds: int,
        refused: dict[int, Exception],
    ) -> Readings:
        """Return the results of blocks as readings of the matchups.

        Args:
            played: results of the different blocks.
            blocks: position of the block of each candidate, table and seating, ``[V, T, R]``.
            places: place of each matchup, ``[M]``.
            n_seeds: games of each block, ``S``.
            refused: error of each candidate that the simulator refuses.
        """
        tables = [place.table for place in places]
        own = blocks[:, tables]
        turns = lengths_of(played, blocks)
        common: dict[str, Any] = {
            "n_games": n_seeds * self.n_seatings,
            "turns": None if turns is None else turns[:, tables],
            "faults": refused,
        }
        # A block may serve many candidates and matchups, so each is read once.
        if self.n_seatings == 2 and self.rate == "wins":
            fault = np.full(n_seeds, _FAULT, dtype=np.int8)
            by_block = [fault if block.infeasible else winners_of(block) for block in played]
            winners = np.array(by_block, dtype=np.int8).reshape(len(played), n_seeds)[own]
            winners[list(refused)] = _FAULT
            points = np.nan_to_num(points_by_seed(winners)).sum(axis=-1)
            return PairReadings(points=points, winners=winners, **common)
        by_block_and_seat = [self._shares(block, n_seeds) for block in played]
        by_seat = np.array(by_block_and_seat).reshape(len(played), self.n_seatings, n_seeds)
        # Each further seating moves every player on by one seat.
        first_seats = np.array([place.seat for place in places])
        seats = (first_seats[:, np.newaxis] + np.arange(self.n_seatings)) % self.n_seatings
        shares = by_seat[own, seats]
        shares[list(refused)] = 0.0
        return SeatReadings(points=shares.sum(axis=(-2, -1)), shares=shares, **common)

    def _shares(self, block: Played, n_seeds: int) -> Floats:
        """Return the share of each seat in the games of a block, ``[R, S]``; 0 if refused."""
        if block.infeasible:
            return np.zeros((self.n_seatings, n_seeds))
        return np.array(
            [shares_of(block, seat, self.n_seatings, self.rate) for seat in range(self.n_seatings)]
        )


class _Plan:
    """Blocks to play, each different one once, in the order in which they were added.

    Attributes:
        positions: position of each added block among the different ones.
    """

    def __init__(self) -> None:
        self.positions = list[int]()
        self._blocks = list[Block]()
        self._known = dict[object, int]()

    def add(self, block: Block, first_game: int) -> None:
        """Add a block, unless an equal one was added before.

        Args:
            block: games to play.
            first_game: position of the block's first seed in the stream.
        """
        key = (tuple(block.numbers.items()), block.players, first_game)
        position = self._known.setdefault(key, len(self._blocks))
        if position == len(self._blocks):
            self._blocks.append(block)
        self.positions.append(position)

    def carry_out(
        self, simulator: Simulator, on_games: Callable[[int], None] | None
    ) -> list[Played]:
        """Play the different blocks, and return their results in order."""
        results = dict[int, Played]()
        for position, played in simulator.play(self._blocks):
            results[position] = played
            if on_games is not None:
                on_games(self._blocks[position].n_games)
        return [results[position] for position in range(len(self._blocks))]


def _rotations(group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return a group of players once for each of them, in the same cyclic order."""
    return [group[k:] + group[:k] for k in range(len(group))]


def _seated(
    matchups: Sequence[tuple[int, ...]],
) -> tuple[list[tuple[int, ...]], list[_Place]]:
    """Return the groups of players that meet in some matchups, and each matchup's place."""
    tables = dict[frozenset[int], tuple[int, ...]]()
    for players in matchups:
        tables.setdefault(frozenset(players), players)
    order = list(tables)
    places = [
        _Place(order.index(frozenset(players)), tables[frozenset(players)].index(players[0]))
        for players in matchups
    ]
    return list(tables.values()), places


def _refused(played: Sequence[Played], blocks: Positions) -> dict[int, Exception]:
    """Return the error of each candidate with parameters that the simulator refuses."""
    refused = dict[int, Exception]()
    for candidate, own in enumerate(blocks):
        reasons = (played[block].infeasible for block in own.flat)
        if reason := next(filter(None, reasons), ""):
            refused[candidate] = InputError(f"the simulator refuses these numbers: {reason}")
    return refused
