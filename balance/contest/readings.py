"""Results of candidates in games, by seed, for any number of seats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, Self

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
from sim.short_repr import short_repr
from sim.value_error import value_error

Winners = npt.NDArray[np.int8]
"""Results of games: position of the seat that won, 2 for a draw, 3 for a fault."""

Some = slice | Positions
"""Selection of entries along one axis of an array."""

ALL = slice(None)
"""Selection of all entries along an axis."""

# Tolerance for shares: as sums of floats they may lie outside the range from 0 to 1 by rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Readings(ABC):
    """Results of ``V`` candidates in ``M`` matchups.

    The rate of a matchup is the share of the points that its first player gets, over games in which
    every seating occurs equally often. The games of one of the ``S`` seeds share its randomness for
    all candidates, matchups and seatings.

    Attributes:
        n_games: games per matchup, over all seatings.
        points: points of the first player, summed over games, ``[V, M]``; a game won counts 1.
        turns: number of games by length, ``[V, M, TURN_BINS]``; `None` if lengths are not measured.
        faults: errors of the candidates with games that never end, by position of the candidate;
            the points of these candidates are 0.
    """

    _by_seed: ClassVar[str]
    """Name of the attribute with the results of each game; its last two axes are ``[R, S]``."""

    n_games: int
    points: Floats
    turns: Counts | None = None
    faults: dict[int, Exception] = field(default_factory=dict)

    def __repr__(self) -> str:
        return short_repr(self, "n_games", rates=self.rates, faults=len(self.faults))

    @property
    def rates(self) -> Floats:
        """Rates of the matchups, shape ``[V, M]``; 0 for candidates with faults."""
        return self.points / self.n_games

    @property
    def n_seatings(self) -> int:
        """Number of games of each seed in a matchup, one per seating, ``R``."""
        return int(getattr(self, self._by_seed).shape[-2])

    @property
    def n_seeds(self) -> int:
        """Number of seeds of a matchup's games, ``S``."""
        return int(getattr(self, self._by_seed).shape[-1])

    @abstractmethod
    def rates_by_seed(self, candidates: int | Some = ALL, matchups: Some = ALL) -> Floats:
        """Return the rates in the games of each seed, shape ``[V, M, S]``.

        Args:
            candidates: candidates to select; a single position removes the first axis.
            matchups: matchups to select.
        """

    @abstractmethod
    def shares_by_seed(self) -> Floats:
        """Return the first player's share of the points of each game, shape ``[V, M, R, S]``."""

    @property
    def repeats(self) -> Floats:
        """Number of games of each matchup for each game that the readings count, ``[M]``."""
        return np.ones(self.points.shape[1])

    @property
    def parts(self) -> tuple[Part, ...]:
        """Readings by which guards are judged separately; by default these readings as a whole."""
        return (Part(self),)

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the rates of the matchups with intervals over seeds, shape ``[V, M]``."""
        return rate_over_seeds(self.rates_by_seed(), confidence)

    def drawn_share(self) -> Floats | None:
        """Return the share of drawn games over all matchups, shape ``[V]``.

        `None`, the default, means that draws are not measured.
        """
        return None

    def first_seat_by_seed(self) -> Floats | None:
        """Return the first seat's rate in the games of each seed, shape ``[V, M, S]``.

        `None`, the default, means that the game has more than two seats, or that the rate is not
        measured.
        """
        return None

    def first_seat_over_matchups(self) -> Floats:
        """Return the first seat's rate by seed over all matchups, shape ``[V, S]``.

        Raises:
            ValueError: the game has more than two seats, or the rate is not measured.
        """
        first = self.first_seat_by_seed()
        if first is None:
            raise ValueError("these games do not measure the first of two seats")
        return np.asarray(first.mean(axis=1))

    @property
    def first_side(self) -> int:
        """Sign of the first seat's advantage: -1 if its mean rate is below 50 %, otherwise 1.

        The sign is also 1 if the rate of the first seat is not measured.
        """
        first = self.first_seat_by_seed()
        return 1 if first is None or first.mean() >= 0.5 else -1

    def require_matchups(self, n_matchups: int) -> None:
        """Refuse readings with another number of matchups than a contest has.

        Raises:
            InputError: the number of matchups is not `n_matchups`.
        """
        n_played = self.points.shape[1]
        if n_played != n_matchups:
            raise InputError(
                f"games of {n_played} matchups, but the contest has {n_matchups}",
                value=n_played,
                limit=n_matchups,
            )

    def require_candidate(self, candidate: int) -> None:
        """Refuse a position that is not that of a candidate.

        Raises:
            InputError: the position is negative, too large, or not a whole number.
        """
        n_candidates = len(self.points)
        if isinstance(candidate, bool) or candidate not in range(n_candidates):
            raise value_error(
                "variant", candidate, f"must be 0 to {n_candidates - 1}", limit=n_candidates - 1
            )

    def take(self, candidates: Some) -> Self:
        """Return the readings of selected candidates, with faults renumbered."""
        selected = {name: array[candidates] for name, array in _arrays(self).items()}
        positions = np.arange(len(self.points))[candidates].tolist()
        selected["faults"] = {
            k: self.faults[v] for k, v in enumerate(positions) if v in self.faults
        }
        return replace(self, **selected)

    def joined(self, more: Self) -> Self:
        """Return the readings of these games together with games on further seeds.

        Args:
            more: readings of the same candidates and matchups on other seeds.

        Raises:
            ValueError: one of the readings has faults.
        """
        if self.faults or more.faults:
            raise ValueError("readings with candidates that could not be played cannot be joined")
        joint: dict[str, Any] = {"n_games": self.n_games + more.n_games}
        for name, array in _arrays(self).items():
            other = getattr(more, name)
            is_by_seed = name == self._by_seed
            joint[name] = np.concatenate([array, other], axis=-1) if is_by_seed else array + other
        return replace(self, **joint)

    def followed_by(self, more: Self) -> Self:
        """Return the readings of these candidates, then of others on the same seeds.

        Args:
            more: readings of other candidates in the same matchups.
        """
        others = _arrays(more)
        joint: dict[str, Any] = {
            name: np.concatenate([array, others[name]]) for name, array in _arrays(self).items()
        }
        joint["faults"] = self.faults | {
            len(self.points) + k: fault for k, fault in more.faults.items()
        }
        return replace(self, **joint)


class Part(NamedTuple):
    """Part of readings by which guards are judged separately, such as the games of one pilot.

    Attributes:
        readings: readings of the part.
        repeats: number of games of the part for each game that the whole readings count.
    """

    readings: Readings
    repeats: int = 1


def _arrays(readings: Readings) -> dict[str, Any]:
    """Return all arrays of readings by attribute name; their first axis is the candidate."""
    values = {field.name: getattr(readings, field.name) for field in fields(readings)}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


@dataclass(frozen=True, kw_only=True, repr=False)
class SeatReadings(Readings):
    """Readings of games with any number of seats.

    Attributes:
        shares: first player's share of the points of each game, ``[V, M, R, S]``.
    """

    _by_seed: ClassVar[str] = "shares"

    shares: Floats

    @classmethod
    def of(cls, shares: Floats) -> SeatReadings:
        """Return readings of games of which only the shares of points are known.

        Args:
            shares: first player's share of the points of each game, ``[V, M, R, S]``.

        Raises:
            InputError: the array does not have four axes or is empty, or a share is NaN or not
                between 0 and 1.
        """
        array = np.asarray(shares)
        if array.ndim != 4 or array.size == 0:
            raise InputError(
                f"shape {array.shape} must be [candidates, matchups, seatings, seeds], with at "
                "least one of each",
                place="shares",
                value=array.shape,
                limit=4,
            )
        if not (array.min() >= -_ROUNDING and array.max() <= 1 + _ROUNDING):
            raise InputError(
                f"{array.min()} to {array.max()} must be shares of a game's points, 0 to 1",
                place="shares",
                value=(float(array.min()), float(array.max())),
                limit=(0, 1),
                remedy="use `with_faults` for candidates that could not be played",
            )
        return cls.with_faults(shares)

    @classmethod
    def with_faults(cls, shares: Floats) -> SeatReadings:
        """Return readings from unchecked shares, which may be NaN.

        Args:
            shares: first player's share of the points of each game, ``[V, M, R, S]``; NaN for
                candidates that could not be played.
        """
        n_games = shares.shape[-2] * shares.shape[-1]
        return cls(n_games=n_games, points=shares.sum(axis=(-2, -1)), shares=shares)

    def rates_by_seed(self, candidates: int | Some = ALL, matchups: Some = ALL) -> Floats:
        """Return the rates in the games of each seed, shape ``[V, M, S]``.

        Args:
            candidates: candidates to select; a single position removes the first axis.
            matchups: matchups to select.
        """
        return np.asarray(self.shares[candidates][..., matchups, :, :].mean(axis=-2))

    def shares_by_seed(self) -> Floats:
        """Return the first player's share of the points of each game, shape ``[V, M, R, S]``."""
        return self.shares


@dataclass(frozen=True, kw_only=True, repr=False)
class PairReadings(Readings):
    """Results of ``V`` variants in ``M`` matchups of players `a` and `b`, over both seatings.

    The games of a seed are correlated, so intervals of quantities that depend on several games of a
    seed are computed over the ``S = n_games / 2`` seeds.

    Attributes:
        winners: result of each game, ``[V, M, 2, S]``: position of the seat that won, 2 for a draw,
            3 for a fault; `a` has seat 0 in seating 0 and seat 1 in seating 1.
    """

    _by_seed: ClassVar[str] = "winners"

    winners: Winners

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the win rates of `a` with Wilson intervals, shape ``[V, M]``.

        The intervals are slightly too wide, since they ignore that the two games of a seed share
        its randomness, which partly cancels out.
        """
        return wilson(self.points, self.n_games, confidence)

    def rates_by_seed(self, candidates: int | Some = ALL, matchups: Some = ALL) -> Floats:
        """Return the win rates of `a` in the two games of each seed, shape ``[V, M, S]``.

        Args:
            candidates: variants to select; a single position removes the first axis.
            matchups: matchups to select.
        """
        return points_by_seed(self.winners[candidates][..., matchups, :, :]) / 2

    def shares_by_seed(self) -> Floats:
        """Return the points of `a` in each game, 0 to 1, shape ``[V, M, 2, S]``."""
        return np.stack([seat_points(self.winners[:, :, seat], seat) for seat in (0, 1)], axis=2)

    def first_seat_by_seed(self) -> Floats:
        """Return the win rate of the first seat in the games of each seed, shape ``[V, M, S]``."""
        return np.asarray(seat_points(self.winners, 0).mean(axis=2))

    def first_seat(self) -> Interval:
        """Return the first seat's win rate over all matchups, with intervals, shape ``[V]``."""
        return paired_mean(self.first_seat_by_seed().mean(axis=1))

    def drawn_share(self) -> Floats:
        """Return the share of drawn games over all matchups, shape ``[V]``."""
        return np.asarray((self.winners == DRAWN).mean(axis=(1, 2, 3)))

    def draw_rate(self) -> Interval:
        """Return the share of drawn games over all matchups, with intervals, shape ``[V]``.

        Wilson intervals are computed as if each seed were one game. They are conservative, and have
        a positive width even if no game was drawn.
        """
        return wilson(self.drawn_share() * self.n_seeds, self.n_seeds)


@dataclass(frozen=True, kw_only=True, repr=False)
class MatchupCounts(PairReadings):
    """Results of ``V`` variants in ``M`` matchups of decks, with counts of lengths and cards.

    Attributes:
        turns: number of games by length, ``[V, M, TURN_BINS]``.
        life: final life of `a` and of `b`, summed over the games, ``[V, M, 2]``; `None` if it was
            not kept.
        seen: numbers of events of each card (`sim.play.outcomes.Outcomes`), with the axes
            ``[V, M, 2, seat, result, slot, code]``; `None` if they were not kept.
    """

    turns: Counts
    life: Counts | None = None
    seen: Counts | None = None


def seat_points(winners: Winners, seat: int) -> Floats:
    """Return the points of a seat in each game: 1 for a win, 0 for a loss, 0.5 for a draw.

    A game that ended by a fault has NaN points.

    Args:
        winners: results of games, shape ``[...]``.
        seat: position of the seat, 0 or 1.

    Returns:
        Points, shape ``[...]``.
    """
    points = np.array([1.0, 0.0, 0.5, np.nan] if seat == 0 else [0.0, 1.0, 0.5, np.nan])
    return points[winners]


def points_by_seed(winners: Winners) -> Floats:
    """Return the points of the first player in the two games of each seed, from 0 to 2.

    Args:
        winners: results of both seatings of each seed, ``[..., 2, S]``; the first player has seat 0
            in seating 0 and seat 1 in seating 1.

    Returns:
        Points by seed, shape ``[..., S]``; NaN if one of the games ended by a fault.
    """
    return seat_points(winners[..., 0, :], 0) + seat_points(winners[..., 1, :], 1)
