"""Results of a panel of pilots, of which cheap ones play several games for each one counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from balance.contest.readings import Part, SeatReadings, Some
from balance.statistics.intervals import Floats

FIRST_SEAT = -1
"""Column of a pilot that stands for the first seat's rate over the pilot's matchups."""

Column = tuple[int, int]
"""Position of a pilot's part, and of a matchup in it, or `FIRST_SEAT`."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PanelReadings(SeatReadings):
    """Readings of several pilots, as if each had played one game for each game counted.

    A pilot with ``q`` repeats plays ``q`` seeds for each seed of these readings, and its share of
    the points in that seed is the mean over them. All rates thus have the same number of seeds,
    those of cheap pilots with a smaller variance.

    Attributes:
        played: games of each pilot with its repeats.
        columns: origin of each rate, shape ``[M]``.
    """

    played: tuple[Part, ...]
    columns: tuple[Column, ...]

    @classmethod
    def of_parts(cls, played: Sequence[Part], columns: Sequence[Column]) -> PanelReadings:
        """Return the readings that combine the games of several pilots.

        Args:
            played: games of each pilot with its repeats.
            columns: origin of each rate, shape ``[M]``.
        """
        of_matchups = {part: _shares_of(played[part]) for part in {part for part, _ in columns}}
        shares = np.stack(
            [
                _first_seat_shares_of(played[part])
                if column == FIRST_SEAT
                else of_matchups[part][:, column]
                for part, column in columns
            ],
            axis=1,
        )
        faults = {v: fault for part in played for v, fault in part.readings.faults.items()}
        points = shares.sum(axis=(-2, -1))
        points[list(faults)] = 0.0  # a pilot without faults has points, which others lack
        n_games = shares.shape[-2] * shares.shape[-1]
        return cls(
            n_games=n_games,
            points=points,
            shares=shares,
            faults=faults,
            played=tuple(played),
            columns=tuple(columns),
        )

    @property
    def parts(self) -> tuple[Part, ...]:
        """Games of each pilot, by which guards are judged separately."""
        return self.played

    @property
    def repeats(self) -> Floats:
        """Independent games behind each rate for each game that the readings count, ``[M]``."""
        return np.array([repeats_of(self.played[part], column) for part, column in self.columns])

    def first_seat_by_seed(self) -> Floats:
        """Return the first seat's rate in the games of each seed, shape ``[V, M, S]``.

        The matchups are those of all pilots, whether they are among the rates or not.
        """
        return np.concatenate([_first_seats_of(part) for part in self.played], axis=1)

    def take(self, candidates: Some) -> Self:
        """Return the readings of selected candidates, with faults renumbered."""
        return self._with_parts(part.readings.take(candidates) for part in self.played)

    def joined(self, more: Self) -> Self:
        """Return the readings of these games together with games on further seeds."""
        pairs = zip(self.played, more.played, strict=True)
        return self._with_parts(part.readings.joined(other.readings) for part, other in pairs)

    def followed_by(self, more: Self) -> Self:
        """Return the readings of these candidates, then of others on the same seeds."""
        pairs = zip(self.played, more.played, strict=True)
        return self._with_parts(part.readings.followed_by(other.readings) for part, other in pairs)

    def _with_parts(self, readings: Any) -> Self:
        """Return readings of the same pilots and rates from other games.

        Args:
            readings: games of each pilot.
        """
        parts = zip(readings, self.played, strict=True)
        played = [Part(games, part.repeats) for games, part in parts]
        return type(self).of_parts(played, self.columns)  # type: ignore[return-value]


def repeats_of(part: Part, column: int) -> float:
    """Return the number of independent games behind a rate for each game that readings count.

    Args:
        part: games of a pilot with its repeats.
        column: position of a matchup, or `FIRST_SEAT`.
    """
    if column != FIRST_SEAT:
        return float(part.repeats)
    return part.repeats * independent_games(part.readings.points.shape[1])


def independent_games(n_matchups: int) -> float:
    """Return the number of independent games behind a game per matchup of the first seat's rate.

    The rate is a mean over all matchups. Its randomness does not cancel out between the seatings of
    a seed, which doubles its variance.

    Args:
        n_matchups: number of matchups of a pilot.
    """
    return n_matchups / 2


def _shares_of(part: Part) -> Floats:
    """Return the shares of a pilot's matchups, shape ``[V, M, R, S]``."""
    return _block_means(part.readings.shares_by_seed(), part.repeats)


def _first_seat_shares_of(part: Part) -> Floats:
    """Return the first seat's rate over a pilot's matchups for each seating, ``[V, R, S]``."""
    of_seeds = _first_seats_of(part).mean(axis=1)
    return np.repeat(of_seeds[:, np.newaxis], part.readings.n_seatings, axis=1)


def _first_seats_of(part: Part) -> Floats:
    """Return the first seat's rates of a pilot's matchups, shape ``[V, M, S]``.

    Raises:
        ValueError: the games do not measure them.
    """
    first = part.readings.first_seat_by_seed()
    if first is None:
        raise ValueError("these games do not measure the first of two seats")
    return _block_means(first, part.repeats)


def _block_means(by_seed: Floats, repeats: int) -> Floats:
    """Return the means over blocks of successive seeds, shape ``[..., S]``.

    Args:
        by_seed: values by seed, shape ``[..., repeats * S]``.
        repeats: number of seeds of a block.
    """
    *others, n_seeds = by_seed.shape
    return np.asarray(by_seed.reshape(*others, n_seeds // repeats, repeats).mean(axis=-1))
