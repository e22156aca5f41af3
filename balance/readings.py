"""Readings: what candidates came to in games, seed by seed, with any number of seats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from balance.statistics.intervals import CONFIDENCE, Floats, Interval, rate_over_seeds

Counts = npt.NDArray[np.int64]
Some = slice | npt.NDArray[np.intp]
AnyReadings = TypeVar("AnyReadings", bound="Readings")

ALL = slice(None)


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

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """``[V, M]`` rates with their intervals, over seeds."""
        return rate_over_seeds(self.rates_by_seed(), confidence)

    def drawn_share(self) -> Floats | None:
        """``[V]`` share of drawn games over all matchups, or `None` where nobody watched."""
        return None

    def first_seat_by_seed(self) -> Floats | None:
        """``[V, M, S]`` rate of the first of two seats; `None` for more, or if nobody watched."""
        return None

    def take(self: AnyReadings, candidates: Some) -> AnyReadings:
        """The readings of some of the candidates."""
        taken = {name: array[candidates] for name, array in _arrays(self).items()}
        positions = np.arange(len(self.points))[candidates].tolist()
        taken["faults"] = {k: self.faults[v] for k, v in enumerate(positions) if v in self.faults}
        return replace(self, **taken)

    def joined(self: AnyReadings, more: AnyReadings) -> AnyReadings:
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
        """Readings that know nothing but who had which share of the points."""
        n_games = shares.shape[-2] * shares.shape[-1]
        return cls(n_games=n_games, points=shares.sum(axis=(-2, -1)), shares=shares)

    def rates_by_seed(self, candidates: int | Some = ALL, matchups: Some = ALL) -> Floats:
        """``[V, M, S]`` rates in the games of each seed; of one candidate, ``[M, S]``."""
        rates: Floats = self.shares[candidates][..., matchups, :, :].mean(axis=-2)
        return rates
