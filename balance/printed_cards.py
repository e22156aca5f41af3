"""Printed cards: the cards that a patch changes, with all their numbers before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from balance.patch import Edit, apply_patch
from sim import Card, Pool
from sim.cards.text.card_text import card_lines
from sim.cards.text.row_phrases import keyword_words


class PrintedCard(NamedTuple):
    """What stands on a card.

    Attributes:
        cost: in mana.
        attack: of a minion or a weapon.
        health: of a minion.
        durability: of a weapon.
        text: keywords and effects in plain words; empty if it has none.
    """

    cost: int
    attack: int | None
    health: int | None
    durability: int | None
    text: str

    def __str__(self) -> str:
        """Its numbers, such as `2 mana 3/2`."""
        second = self.durability if self.health is None else self.health
        return f"{self.cost} mana" + ("" if self.attack is None else f" {self.attack}/{second}")


class ChangedCard(NamedTuple):
    """A card that a patch changes.

    Attributes:
        card: its id.
        name: what people call it.
        kind: such as `minion`, `spell` or `weapon`.
        before: as it is today.
        after: with the patch.
    """

    card: str
    name: str
    kind: str
    before: PrintedCard
    after: PrintedCard

    def __str__(self) -> str:
        """One line: `Market Cat: 2 mana 3/2 -> 1 mana 4/2 · When played: draw a card.`."""
        before, after = (
            " · ".join(filter(None, [str(side), side.text])) for side in (self.before, self.after)
        )
        if self.before.text == self.after.text:
            before = str(self.before)
        return f"{self.name}: {before} -> {after}"

    def as_entry(self) -> dict[str, Any]:
        """Plain data, as summaries hold it."""
        return {
            **self._asdict(),
            "before": self.before._asdict(),
            "after": self.after._asdict(),
        }

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any]) -> ChangedCard:
        """The row that was kept as plain data."""
        sides = {side: PrintedCard(**entry[side]) for side in ("before", "after")}
        return cls(**{**entry, **sides})


def changed_cards(pool: Pool, patch: Sequence[Edit]) -> tuple[ChangedCard, ...]:
    """The cards that a patch changes, in its order; numbers of the rules are on no card.

    Args:
        pool: today's cards.
        patch: edits of them, and perhaps of the rules.
    """
    names = {card.id: card.name for card in pool.everything}
    today = {card.id: card for card in pool.cards}
    cards = [edit for edit in patch if edit.card in today]
    patched = {card.id: card for card in apply_patch(pool, cards).cards}
    return tuple(
        ChangedCard(
            card,
            today[card].name,
            today[card].kind,
            _printed(today[card], names),
            _printed(patched[card], names),
        )
        for card in dict.fromkeys(edit.card for edit in cards)
    )


def _printed(card: Card, names: Mapping[str, str]) -> PrintedCard:
    """A card as it is printed."""
    keywords = ", ".join(map(keyword_words, card.keywords))
    lines = [f"{keywords[0].upper()}{keywords[1:]}."] if keywords else []
    lines += card_lines(card.model_copy(update={"keywords": ()}), names)
    shown = {field: card.number(field) for field in card.printed}
    return PrintedCard(
        shown["cost"],
        shown.get("attack"),
        shown.get("health"),
        shown.get("durability"),
        " ".join(lines),
    )
