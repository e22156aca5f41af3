"""Printed cards that a patch changes, and minions that become the largest of their cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from balance.cards.largest_minions import LargestMinion, largest_minions
from balance.cards.printed_cards import ChangedCard, changed_cards
from balance.contest.patch import Edit
from sim.cards.pool import Pool


class PrintedPatch(NamedTuple):
    """Printed cards that a patch changes, for the screen, patch notes, summaries and pages.

    Attributes:
        cards: changed cards, each before and after the patch.
        largest: minions that the patch makes the largest of their cost.
    """

    cards: tuple[ChangedCard, ...] = ()
    largest: tuple[LargestMinion, ...] = ()

    @classmethod
    def of(cls, pool: Pool, patch: Sequence[Edit]) -> PrintedPatch:
        """Return the printed cards that a patch changes.

        Args:
            pool: pool with the baseline cards.
            patch: edits of the patch.
        """
        return cls(changed_cards(pool, patch), largest_minions(pool, patch))

    @classmethod
    def in_summary(cls, summary: Mapping[str, Any]) -> PrintedPatch:
        """Return the printed cards in a `summary.json`; empty if an earlier version wrote it."""
        return cls(
            tuple(map(ChangedCard.from_entry, summary.get("cards", ()))),
            tuple(LargestMinion(**minion) for minion in summary.get("largest_minions", ())),
        )

    def as_entries(self) -> dict[str, Any]:
        """Return the changed cards and the largest minions as data for `summary.json`."""
        return {
            "cards": [card.as_entry() for card in self.cards],
            "largest_minions": [minion.as_entry() for minion in self.largest],
        }
