"""Balancing run of a card contest: its measurement, its result, and the function that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, cast

from balance.cards.card_contest import CardContest
from balance.cards.narrowing import Narrowing
from balance.cards.power import CardPower
from balance.cards.printed_patch import PrintedPatch
from balance.contest.readings import MatchupCounts
from balance.result.result import ResultTable
from balance.run.found_patch import FoundPatch
from balance.run.result_tables import (
    MatchupRow,
    NarrowingRow,
    PowerRow,
    matchup_rows,
    narrowing_rows,
    power_rows,
)
from balance.space.search_space import SearchSpace
from sim.short_repr import short_repr


@dataclass(frozen=True)
class Measurement:
    """Measurements of the baseline before the search.

    Attributes:
        matchups: results of the baseline's matchups.
        powers: card powers in the baseline; empty unless cards are narrowed by power.
        narrowing: result of narrowing, with the search space.
        power_contest: contest with the agents for power measurements.
    """

    matchups: MatchupCounts
    powers: list[CardPower]
    narrowing: Narrowing
    power_contest: CardContest

    def __repr__(self) -> str:
        return short_repr(self, "matchups", "narrowing", powers=len(self.powers))

    @property
    def today(self) -> MatchupCounts:
        """Results of the baseline's matchups."""
        return self.matchups

    @property
    def space(self) -> SearchSpace:
        """Search space of the patch, after narrowing."""
        return self.narrowing.space

    @property
    def n_narrowed(self) -> int:
        """Number of games that narrowing has played, over all matchups."""
        return self.narrowing.n_games

    @property
    def first_side(self) -> int:
        """1 if the matchups show an advantage of the first seat, otherwise -1."""
        return self.matchups.first_side


@dataclass(frozen=True, repr=False)
class BalanceRun(FoundPatch):
    """Complete result of a balancing run of a card contest.

    Attributes:
        contest: contest with the baseline cards.
        measurement: measurements of the baseline, including narrowing.
    """

    parts: ClassVar[str] = "cards"

    contest: CardContest
    measurement: Measurement

    @property
    def certified_counts(self) -> MatchupCounts:
        """Results of the certificate's games, with the patch first and the baseline last."""
        return cast("MatchupCounts", self.certified)

    @cached_property
    def tables(self) -> Mapping[str, ResultTable]:
        """Tables of a found patch, then matchups, narrowing, and card powers if measured."""
        contest = self.contest
        measured = self.measurement
        patched = matchup_rows(contest, self.certified_counts)
        powers = power_rows(measured.power_contest, measured.powers)
        return {
            **super().tables,
            "matchups_today": ResultTable(MatchupRow, matchup_rows(contest, measured.matchups)),
            "matchups_patched": ResultTable(MatchupRow, patched),
            "narrowing": ResultTable(NarrowingRow, narrowing_rows(contest, measured.narrowing)),
            "power": ResultTable(PowerRow, powers, is_optional=True),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the entries of `summary.json` for `balance`, as plain data."""
        return {
            **super().to_dict(),
            **PrintedPatch.of(self.contest.table.pool, self.patch).as_entries(),
            "narrowing": self.measurement.narrowing.as_entry(),
        }
