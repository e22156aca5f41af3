"""Result of the clean-up (backward elimination): cost, progress, and outcome of each trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from balance.space.search_space import Steps
from balance.statistics.intervals import Floats, Interval
from balance.verdict.shortfall import Shortfall

Outcome = Literal["not tried", "broken", "too near", "never ends", "has room"]
"""Outcome of the trial of a reduced patch.

- `not tried`: the clean-up ended before the trial was decided.
- `broken`: the patch breaks a limit.
- `too near`: the patch satisfies every limit, but without the margin that a certificate needs.
- `never ends`: games of the patch never end.
- `has room`: the patch satisfies every limit with that margin.
"""


class SmallerPatch(NamedTuple):
    """Reduced patch, in which an edit of the recommended patch is smaller or absent, and its trial.

    Attributes:
        genome: reduced patch as steps from the baseline, shape ``[K]``.
        outcome: outcome of the trial.
        n_games: number of games per matchup from which the outcome and the rates are computed; 0 if
            the patch was not played.
        imbalance_pp: imbalance in these games, in percentage points, with its simultaneous 95 %
            interval; `None` if the patch was not played or its games never end.
        rates: demanded rates in these games, ``[N]``; `None` if the patch was not played or its
            games never end.
        shortfalls: limits that the patch breaks or satisfies without margin, broken limits first.
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
    """Cost and progress of a clean-up (backward elimination).

    Attributes:
        state: `complete` if every reduced patch was tried; `out of games` if games ran out before
            that; `not begun` if the recommended patch itself lacks the margin for a certificate.
        n_replaced: number of times that a reduced patch replaced the recommended patch.
        smaller: reduced patches of the final recommendation, with their trials.
        n_games: number of games played, over all matchups.
        most_games: maximum number of games that the clean-up was permitted, over all matchups.
        n_few: games per matchup of the first, short trial of each reduced patch.
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
        """Whether every reduced patch was tried and lacks the margin for a certificate."""
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
        """Reduced patches that satisfy every limit, but without margin.

        With more games per matchup they might be certified.
        """
        return tuple(patch for patch in self.smaller if patch.outcome == "too near")

    @property
    def n_games_left(self) -> int:
        """Number of permitted games that the clean-up did not play, over all matchups."""
        return max(self.most_games - self.n_games, 0)
