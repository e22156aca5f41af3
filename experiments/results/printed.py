"""The changed cards of a patch before and after it, and minions that become the largest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from balance import BalanceRun, Edit, FoundPatch
from balance.largest_minions import LargestMinion, largest_minions
from balance.printed_cards import ChangedCard, changed_cards
from sim import Pool


class PrintedPatch(NamedTuple):
    """Cards with a patch, for the screen, patch notes, summaries and pages.

    Attributes:
        cards: the changed cards, before and after the patch.
        largest: minions that become the largest of their cost.
    """

    cards: tuple[ChangedCard, ...] = ()
    largest: tuple[LargestMinion, ...] = ()

    @classmethod
    def of(cls, pool: Pool, patch: Sequence[Edit]) -> PrintedPatch:
        """Return the changed cards of a patch.

        Args:
            pool: the baseline cards.
            patch: the edits.
        """
        return cls(changed_cards(pool, patch), largest_minions(pool, patch))

    @classmethod
    def of_run(cls, run: FoundPatch) -> PrintedPatch:
        """Return the changed cards of a run's patch; none in games without printed cards."""
        if not isinstance(run, BalanceRun):
            return cls()
        return cls.of(run.contest.table.pool, run.patch)

    @classmethod
    def in_summary(cls, summary: Mapping[str, Any]) -> PrintedPatch:
        """Return the changed cards in a `summary.json`; none in those of earlier versions."""
        return cls(
            tuple(map(ChangedCard.from_entry, summary.get("cards", ()))),
            tuple(LargestMinion(**minion) for minion in summary.get("largest_minions", ())),
        )

    def as_entries(self) -> dict[str, Any]:
        """Return the changed cards as data of a summary."""
        return {
            "cards": [card.as_entry() for card in self.cards],
            "largest_minions": [minion.as_entry() for minion in self.largest],
        }
