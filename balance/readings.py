"""Readings: what candidates came to in games, seed by seed, with any number of seats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from balance.statistics.intervals import (
    CONFIDENCE,
    Counts,
    Floats,
    Interval,
    Positions,
    paired_mean,
    rate_over_seeds,
    wilson,
)
from sim.errors import InputError
from sim.play.outcomes import DRAWN

Winners = npt.NDArray[np.int8]
Some = slice | Positions

ALL = slice(None)
_ROUNDING = 1e-9  # by which what is added up of shares may be beyond 0 or 1


@dataclass(frozen=True, kw_only=True)
class Readings(ABC):
    """Results of ``V`` candidates in ``M`` matchups.

    A rate is that of a matchup's first-named player: the share of the points that go to it, of
    games in every seating, equally many in each. All games of one of the ``S`` seeds share it,
    whatever the candidate, matchup and seating.

    Attributes:
        n_games: games per matchup, all seatings together.
        points: ``[V, M]`` points of the first-named player; a won game is one, a shared one less.
        turns: ``[V, M, TURN_BINS]`` games by length, or `None` where nobody watched.
        faults: by candidate, why it could not be played to the end; its points are 0.
    """

    _by_seed: ClassVar[str]  # the array whose last axis is the seeds

    n_games: int
    points: Floats
    turns: Counts | None = None
    faults: dict[int, Exception] = field(default_factory=dict)

    @property
    def rates(self) -> Floats:
        """``[V, M]`` rates."""
        return self.points / self.n_games

    @property
    def n_seatings(self) -> int:
        """``R`` games of each seed in a matchup."""
        return int(getattr(self, self._by_seed).shape[-2])

    @property
    def n_seeds(self) -> int:
        """``S``."""
        return int(getattr(self, self._by_seed).shape[-1])

    @abstractmethod
    def rates_by_seed(self, candidates: int | Some = ALL, matchups: Some = ALL) -> Floats:
        """``[V, M, S]`` rates in the games of each seed; of one candidate, ``[M, S]``."""

    @abstractmethod
    def shares_by_seed(self) -> Floats:
        """``[V, M, R, S]`` share of each game's points that goes to the first-named player."""

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """``[V, M]`` rates with their intervals, over seeds."""
        return rate_over_seeds(self.rates_by_seed(), confidence)

    def drawn_share(self) -> Floats | None:
        """``[V]`` share of drawn games over all matchups, or `None` where nobody watched."""
        return None

    def first_seat_by_seed(self) -> Floats | None:
        """``[V, M, S]`` rate of the first of two seats; `None` for more, or if nobody watched."""
        return None

    def first_seat_over_matchups(self) -> Floats:
        """``[V, S]`` rate of the first of two seats, over all matchups.

        Raises:
            ValueError: there are more seats, or nobody watched.
        """
        first = self.first_seat_by_seed()
        if first is None:
            raise ValueError("these games tell nothing of the first of two seats")
        return np.asarray(first.mean(axis=1))

    @property
    def first_side(self) -> int:
        """1 if the first of two seats has the advantage or nobody knows, -1 if the second has."""
        first = self.first_seat_by_seed()
        return 1 if first is None or first.mean() >= 0.5 else -1

    def require_matchups(self, n_matchups: int) -> None:
        """Refuse readings of another contest.

        Raises:
            InputError: they are of another number of matchups.
        """
        here = self.points.shape[1]
        if here != n_matchups:
            raise InputError(f"games of {here} matchups; the contest has {n_matchups}")

    def require_candidate(self, candidate: int) -> None:
        """Refuse a position among the candidates at which there is none.

        Raises:
            InputError: names it and the largest.
        """
        n_candidates = len(self.points)
        if isinstance(candidate, bool) or candidate not in range(n_candidates):
            raise InputError(f"variant = {candidate!r} must be 0 to {n_candidates - 1}")

    def take(self, candidates: Some) -> Self:
        """The readings of some of the candidates."""
        taken = {name: array[candidates] for name, array in _arrays(self).items()}
        positions = np.arange(len(self.points))[candidates].tolist()
        taken["faults"] = {k: self.faults[v] for k, v in enumerate(positions) if v in self.faults}
        return replace(self, **taken)

    def joined(self, more: Self) -> Self:
        """These games and those of further seeds, as if they had been played at once.

        Raises:
            ValueError: a candidate could not be played, so it has no games to add to.
        """
        if self.faults or more.faults:
            raise ValueError("games of candidates that could not be played cannot be joined")
        both: dict[str, Any] = {"n_games": self.n_games + more.n_games}
        for name, array in _arrays(self).items():
            other = getattr(more, name)
            joins = name == self._by_seed
            both[name] = np.concatenate([array, other], axis=-1) if joins else array + other
        return replace(self, **both)


def _arrays(readings: Readings) -> dict[str, Any]:
    """All arrays that were kept; the first axis of each is the candidates."""
    values = {one.name: getattr(readings, one.name) for one in fields(readings)}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


@dataclass(frozen=True, kw_only=True)
class SeatReadings(Readings):
    """Readings of games with any number of seats.

    Attributes:
        shares: ``[V, M, R, S]`` share of each game's points that goes to the first-named player,
            in each of the ``R`` seatings of each seed.
    """

    _by_seed: ClassVar[str] = "shares"

    shares: Floats

    @classmethod
    def of(cls, shares: Floats) -> SeatReadings:
        """Readings that know nothing but who had which share of the points.

        Raises:
            InputError: these are no ``[V, M, R, S]`` shares from 0 to 1.
        """
        given = np.asarray(shares)
        if given.ndim != 4 or given.size == 0:
            raise InputError(
                f"shares of shape {given.shape}; must be [candidates, matchups, seatings, seeds], "
                "at least one of each"
            )
        if not (given.min() >= -_ROUNDING and given.max() <= 1 + _ROUNDING):
            raise InputError(
                f"shares from {given.min()} to {given.max()}; each must be a share of a game's "
                "points, 0 to 1; `with_faults` takes candidates that could not be played"
            )
        return cls.with_faults(shares)

    @classmethod
    def with_faults(cls, shares: Floats) -> SeatReadings:
        """The same of shares that are no numbers where candidates could not be played."""
        n_games = shares.shape[-2] * shares.shape[-1]
        return cls(n_games=n_games, points=shares.sum(axis=(-2, -1)), shares=shares)

    def rates_by_seed(self, candidates: int | Some = ALL, matchups: Some = ALL) -> Floats:
        """``[V, M, S]`` rates in the games of each seed; of one candidate, ``[M, S]``."""
        return np.asarray(self.shares[candidates][..., matchups, :, :].mean(axis=-2))

    def shares_by_seed(self) -> Floats:
        """``[V, M, R, S]`` `shares`."""
        return self.shares


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

    def shares_by_seed(self) -> Floats:
        """``[V, M, 2, S]`` points of `a` in each game."""
        return np.stack([seat_points(self.winners[:, :, seat], seat) for seat in (0, 1)], axis=2)

    def first_seat_by_seed(self) -> Floats:
        """``[V, M, S]`` win rate of whoever moves first in the two games of each seed."""
        return np.asarray(seat_points(self.winners, 0).mean(axis=2))

    def first_seat(self) -> Interval:
        """``[V]`` win rate of the first seat over all matchups, its interval over seeds."""
        return paired_mean(self.first_seat_by_seed().mean(axis=1))

    def drawn_share(self) -> Floats:
        """``[V]`` share of drawn games over all matchups."""
        return np.asarray((self.winners == DRAWN).mean(axis=(1, 2, 3)))

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
