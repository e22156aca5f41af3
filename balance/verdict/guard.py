"""What a guard must offer: a limit on one side effect of a patch, and how games measure it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from balance.contest.readings import Readings
from balance.settings.tables import Guards
from balance.statistics.intervals import Flags, Floats, Interval, z_score
from balance.verdict.risk import Look


@dataclass(frozen=True)
class GuardGames:
    """Games of a patch and of the baseline on the same seeds, by which guards are judged.

    Attributes:
        patched: games of the patch, one variant.
        today: games of the baseline, one variant.
        no_edits: whether the patch has no edits, so that no quantity can change.
    """

    patched: Readings
    today: Readings
    no_edits: bool = False

    @classmethod
    def of(cls, patched: Readings, today: Readings, *, no_edits: bool = False) -> GuardGames:
        """Return the games of a patch and of the baseline, selected from readings of more variants.

        Args:
            patched: readings with the patch as first variant.
            today: readings with the baseline as last variant.
            no_edits: whether the patch has no edits.
        """
        return cls(patched.take(slice(1)), today.take(slice(-1, None)), no_edits)

    def parts(self) -> Iterator[GuardGames]:
        """Yield the games by which each guard is judged separately (`Readings.parts`)."""
        for patched, today in zip(self.patched.parts, self.today.parts, strict=True):
            yield replace(self, patched=patched.readings, today=today.readings)


@dataclass(frozen=True)
class SelectionGames:
    """Games of a selection, and the certificate for which they must leave a margin.

    Attributes:
        played: games of ``P`` genomes and, as the last variant, of the baseline.
        is_today: whether a genome has no edits, ``[P]``.
        look: last look of the certificate.
        likely: required probability that a guard is verified.
    """

    played: Readings
    is_today: Flags
    look: Look
    likely: float

    def parts(self) -> Iterator[SelectionGames]:
        """Yield the games by which each guard is judged separately (`Readings.parts`)."""
        for part in self.played.parts:
            look = self.look._replace(n_games=part.repeats * self.look.n_games)
            yield replace(self, played=part.readings, look=look)

    @property
    def n_certified(self) -> int:
        """Number of seeds of the certificate."""
        return self.look.n_games // self.played.n_seatings

    @property
    def per_trial(self) -> float:
        """Margin for the difference of two estimates, in standard deviations of a single seed."""
        n_selected = self.played.n_games // self.played.n_seatings
        return z_score(2 * self.likely - 1) * sqrt(1 / self.n_certified + 1 / n_selected)


class GuardMeasurement(NamedTuple):
    """Measured quantity and limited value of one guard in the games of a certificate.

    Attributes:
        before: measured quantity of the baseline with its 95 % interval.
        after: the same quantity with the patch, on the same seeds.
        low: smallest permitted value of `after`.
        high: largest permitted value of `after`.
        estimate: measured value that is compared with the limit.
        bound: upper confidence bound on that value.
    """

    before: Interval
    after: Interval
    low: float
    high: float
    estimate: float
    bound: float


class Guard(ABC):
    """A limit on one side effect of a patch.

    A guard reads a quantity of the games, such as the share of draws, and limits a value that is
    computed from it, such as the growth of the quantity over the baseline.

    Attributes:
        name: key of the guard in `[guards]`, which is also its field in `Guards`.
        unit: unit of the limited value, in tables: `share`, `relative` or `pp`.
        reading_unit: unit of the quantity, in tables.
        limit_step: step to which suggested limits are rounded up, in the unit of the limit.
        highest_limit: upper bound of the guard's field in `Guards`.
        can_be_negative: whether the limited value can be negative.
    """

    name: ClassVar[str]
    unit: ClassVar[str]
    reading_unit: ClassVar[str]
    limit_step: ClassVar[float]
    highest_limit: ClassVar[float]
    can_be_negative: ClassVar[bool] = False

    def limit(self, guards: Guards) -> float:
        """Return the limit of this guard."""
        return float(getattr(guards, self.name))

    @abstractmethod
    def read(self, games: Readings) -> Floats | None:
        """Return the measured quantity of ``V`` variants, ``[V]`` or by seed ``[V, S]``.

        `None` means that the games do not measure the quantity. Variants with games that never end
        have no lengths and no points, and may get any number.
        """

    @abstractmethod
    def value(self, now: Floats, today: Floats) -> Floats:
        """Return the estimated value that is compared with the limit, ``[V]``.

        Args:
            now: measured quantity of ``V`` variants.
            today: measured quantity of the baseline on the same seeds, one variant.
        """

    def standard_error(self, now: Floats, today: Floats) -> Floats:
        """Return the standard error of the value by which a search may exceed the limit, ``[V]``.

        The default is 0.

        Args:
            now: measured quantity of ``V`` variants.
            today: measured quantity of the baseline on the same seeds, one variant.
        """
        del today
        return np.zeros(len(now))

    def rare_event_error(self, now: Floats, n_games: int) -> Floats:
        """Return the standard error for which a search by a model allows in few games, ``[V]``.

        The default is 0. Guards on the share of a rare event return more, because few games must
        not exclude a genome for such an event.

        Args:
            now: measured quantity of ``V`` variants.
            n_games: games per matchup from which it is computed.
        """
        del n_games
        return np.zeros(len(now))

    @abstractmethod
    def value_with_room(self, limit: float, games: SelectionGames) -> Floats | None:
        """Return the value that is limited, increased by the margin that it needs, ``[P]``.

        `None` means that the games do not measure the quantity. The margin covers the distance from
        the certificate's estimate to its upper bound at the last look, and the sampling errors of
        selection and certificate.

        Args:
            limit: limit of the guard.
            games: games of the selection.
        """

    @abstractmethod
    def measure(
        self, limit: float, games: GuardGames, error: float, *, first_side: int
    ) -> GuardMeasurement | None:
        """Return the value and its upper confidence bound from the games of a certificate.

        `None` means that the games do not measure the quantity.

        Args:
            limit: limit of the guard.
            games: games of the patch and of the baseline.
            error: probability of verifying a guard with a true value equal to its limit.
            first_side: 1 if other games show an advantage of the first seat, otherwise -1.
        """
