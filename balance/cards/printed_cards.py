"""Printed form of the cards that a patch changes: all numbers and texts before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from balance.contest.patch import Edit, apply_patch
from sim import Card, Pool
from sim.cards.text.card_text import card_lines
from sim.cards.text.row_phrases import keyword_words


class PrintedCard(NamedTuple):
    """Numbers and text that are printed on a card.

    Attributes:
        cost: cost in mana.
        attack: attack of a minion or a weapon; `None` for other kinds.
        health: health of a minion; `None` for other kinds.
        durability: durability of a weapon; `None` for other kinds.
        text: keywords and effects in plain words; empty if the card has neither.
    """

    cost: int
    attack: int | None
    health: int | None
    durability: int | None
    text: str

    def __str__(self) -> str:
        """Return the numbers as text: `2 mana 3/2`, or `2 mana` for a card without attack."""
        second = self.durability if self.health is None else self.health
        return f"{self.cost} mana" + ("" if self.attack is None else f" {self.attack}/{second}")


class ChangedCard(NamedTuple):
    """Card that a patch changes, in its printed form before and after.

    Attributes:
        card: id of the card.
        name: display name of the card.
        kind: kind of the card, such as `minion`, `spell` or `weapon`.
        before: printed form of the baseline card.
        after: printed form of the card with the patch.
    """

    card: str
    name: str
    kind: str
    before: PrintedCard
    after: PrintedCard

    def __str__(self) -> str:
        """Return a line such as `Market Cat: 2 mana 3/2 -> 1 mana 4/2 · When played: draw a card.`.

        If the text of the card changes, the old text is also shown.
        """
        before, after = (
            " · ".join(filter(None, [str(side), side.text])) for side in (self.before, self.after)
        )
        if self.before.text == self.after.text:
            before = str(self.before)
        return f"{self.name}: {before} -> {after}"

    def as_entry(self) -> dict[str, Any]:
        """Return the attributes by name as plain data, for the run's JSON summary."""
        return {
            **self._asdict(),
            "before": self.before._asdict(),
            "after": self.after._asdict(),
        }

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any]) -> ChangedCard:
        """Return the changed card from the plain data that `as_entry` returned."""
        sides = {side: PrintedCard(**entry[side]) for side in ("before", "after")}
        return cls(**{**entry, **sides})


def changed_cards(pool: Pool, patch: Sequence[Edit]) -> tuple[ChangedCard, ...]:
    """Return the cards that a patch changes, in the order of their first edits.

    Args:
        pool: pool with the baseline cards.
        patch: edits of cards; edits of the rules are ignored.
    """
    names = {card.id: card.name for card in pool.everything}
    baseline = {card.id: card for card in pool.cards}
    cards = [edit for edit in patch if edit.card in baseline]
    patched = {card.id: card for card in apply_patch(pool, cards).cards}
    return tuple(
        ChangedCard(
            card,
            baseline[card].name,
            baseline[card].kind,
            _print_card(baseline[card], names),
            _print_card(patched[card], names),
        )
        for card in dict.fromkeys(edit.card for edit in cards)
    )


def _print_card(card: Card, names: Mapping[str, str]) -> PrintedCard:
    """Return the printed form of a card.

    Args:
        card: card to print.
        names: display names by id of all cards, for texts that mention other cards.
    """
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
