"""A patch as it will be printed: its cards before and after, and those that end as the largest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from balance import BalanceRun, Edit, FoundPatch
from balance.largest_minions import LargestMinion, largest_minions
from balance.printed_cards import ChangedCard, changed_cards
from sim import Pool


class PrintedPatch(NamedTuple):
    """What a patch makes of cards, for the screen, patch notes, summaries and pages.

    Attributes:
        cards: those that it changes.
        largest: minions that it makes the largest of their cost.
    """

    cards: tuple[ChangedCard, ...] = ()
    largest: tuple[LargestMinion, ...] = ()

    @classmethod
    def of(cls, pool: Pool, patch: Sequence[Edit]) -> PrintedPatch:
        """That of a patch of a pool."""
        return cls(changed_cards(pool, patch), largest_minions(pool, patch))

    @classmethod
    def of_run(cls, run: FoundPatch) -> PrintedPatch:
        """That of a found patch; empty in games without cards that are printed."""
        if not isinstance(run, BalanceRun):
            return cls()
        return cls.of(run.contest.table.pool, run.patch)

    @classmethod
    def in_summary(cls, summary: Mapping[str, Any]) -> PrintedPatch:
        """That of a finished run; empty where an earlier version kept none."""
        return cls(
            tuple(map(ChangedCard.from_entry, summary.get("cards", ()))),
            tuple(LargestMinion(**one) for one in summary.get("largest_minions", ())),
        )

    def as_entries(self) -> dict[str, Any]:
        """What summaries hold of it."""
        return {
            "cards": [one.as_entry() for one in self.cards],
            "largest_minions": [one.as_entry() for one in self.largest],
        }
