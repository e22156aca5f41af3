"""The result of a clean-up: how far it came, and what was found of each smaller patch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from balance.search_space import Steps
from balance.shortfall import Shortfall
from balance.statistics.intervals import Floats, Interval

Outcome = Literal["not tried", "broken", "too near", "never ends", "has room"]
"""What was found of a smaller patch: nothing, since games ran out before it was decided; that it
breaks a limit; that it reads inside all of them, but lacks room; that its games never end; or that
it has room, and so takes the recommended one's place."""


class SmallerPatch(NamedTuple):
    """A patch with an edit less than the recommended one, and what was found of it.

    Attributes:
        genome: ``[K]``.
        outcome: what was found.
        n_games: per matchup, by which it was decided, or that it had when games ran out.
        imbalance_pp: in these games, with its interval for all demands together; `None` of none.
        rates: ``[N]`` the demanded rates in them, likewise.
        shortfalls: what keeps it from a certificate, what is broken first.
    """

    genome: Steps
    outcome: Outcome
    n_games: int = 0
    imbalance_pp: Interval | None = None
    rates: Floats | None = None
    shortfalls: tuple[Shortfall, ...] = ()


State = Literal["complete", "out of games", "not begun"]


@dataclass(frozen=True)
class CleanUp:
    """What it took to take back what could be, and how far it came.

    Attributes:
        state: whether all patches with an edit less were tried; or games ran out before; or none
            was, since the recommended patch has no room itself.
        n_replaced: how many smaller patches took the recommended one's place, one by one.
        smaller: the patches with an edit less than what is left.
        n_games: all games, of all matchups together.
        most_games: that it might have taken.
        n_few: games per matchup of each smaller patch, at least.
        n_many: games per matchup of each that might have room.
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
        """Whether every patch with an edit less was tried, and none has room."""
        return self.state == "complete"

    @property
    def n_smaller(self) -> int:
        """Patches with an edit less than what is left."""
        return len(self.smaller)

    @property
    def n_tried(self) -> int:
        """Those of them that were decided."""
        return sum(one.outcome != "not tried" for one in self.smaller)

    @property
    def too_near(self) -> tuple[SmallerPatch, ...]:
        """Those that read inside every limit, but lack room: more games may yet certify them."""
        return tuple(one for one in self.smaller if one.outcome == "too near")

    @property
    def n_games_left(self) -> int:
        """Games that it might have taken besides."""
        return max(self.most_games - self.n_games, 0)
