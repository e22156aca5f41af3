"""Result of the clean-up (backward elimination): its progress, and each reduced patch's outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from balance.search_space import Steps
from balance.shortfall import Shortfall
from balance.statistics.intervals import Floats, Interval

Outcome = Literal["not tried", "broken", "too near", "never ends", "has room"]
"""Outcome of a reduced patch: games ran out before it was decided (`not tried`); it breaks a limit
(`broken`); it satisfies every limit, but not by the margin that a certificate needs (`too near`);
its games never end (`never ends`); or it has that margin, and replaces the recommended patch
(`has room`).
"""


class SmallerPatch(NamedTuple):
    """A reduced patch, with one edit less than the recommended one, and its outcome.

    Attributes:
        genome: patch as steps from the baseline, shape ``[K]``.
        outcome: outcome of the trial.
        n_games: games per matchup that decided the outcome, or that were played before games ran
            out.
        imbalance_pp: imbalance in these games, with its simultaneous interval; `None` without
            games.
        rates: demanded rates in these games, ``[N]``; `None` without games.
        shortfalls: reasons that keep it from a certificate, broken limits first.
    """

    genome: Steps
    outcome: Outcome
    n_games: int = 0
    imbalance_pp: Interval | None = None
    rates: Floats | None = None
    shortfalls: tuple[Shortfall, ...] = ()


State = Literal["complete", "out of games", "not begun"]
"""Progress of the clean-up; see `CleanUp.state`."""


@dataclass(frozen=True)
class CleanUp:
    """Cost and progress of a clean-up.

    Attributes:
        state: `complete` if every reduced patch was tried; `out of games` if games ran out before;
            `not begun` if the recommended patch itself lacks the margin for a certificate.
        n_replaced: number of times that a reduced patch replaced the recommended one.
        smaller: the reduced patches of the final recommendation.
        n_games: games played, over all matchups.
        most_games: games that could have been played, over all matchups.
        n_few: games per matchup of the first trial of each reduced patch.
        n_many: games per matchup of the second trial, for patches that may have enough margin.
    """

    state: State
    n_replaced: int
    smaller: tuple[SmallerPatch, ...]
    n_games: int
    most_games: int
    n_few: int
    n_many: int

    @property
    def is_complete(self) -> bool:
        """Whether every reduced patch was tried, and none has enough margin."""
        return self.state == "complete"

    @property
    def n_smaller(self) -> int:
        """Number of reduced patches of the final recommendation."""
        return len(self.smaller)

    @property
    def n_tried(self) -> int:
        """Number of reduced patches with a decided outcome."""
        return sum(patch.outcome != "not tried" for patch in self.smaller)

    @property
    def too_near(self) -> tuple[SmallerPatch, ...]:
        """Reduced patches inside every limit that lack margin: more games might certify them."""
        return tuple(patch for patch in self.smaller if patch.outcome == "too near")

    @property
    def n_games_left(self) -> int:
        """Games that the clean-up was allowed to play but did not, over all matchups."""
        return max(self.most_games - self.n_games, 0)
