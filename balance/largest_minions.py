"""Largest minions: those that a patch makes the largest of their cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from balance.patch import Edit, apply_patch
from balance.sense import BETTER
from sim import Card, Pool


class LargestMinion(NamedTuple):
    """A minion that a patch betters, and that has more attack and health than others of its cost.

    Attributes:
        card: its id.
        name: what people call it.
        cost: with the patch, as the following.
        attack: its own.
        health: its own.
        next_name: the next largest minion of that cost; `None` where there is no other.
        next_attack: of that one.
        next_health: of that one.
    """

    card: str
    name: str
    cost: int
    attack: int
    health: int
    next_name: str | None
    next_attack: int | None
    next_health: int | None

    def __str__(self) -> str:
        """In a line, such as `Market Cat ends as the largest 1-cost minion: 5/2, ...`."""
        body = f"{self.attack}/{self.health}"
        if self.next_name is None:
            return f"{self.name} ends as the only {self.cost}-cost minion: {body}"
        return (
            f"{self.name} ends as the largest {self.cost}-cost minion: {body}, next largest "
            f"{self.next_attack}/{self.next_health} ({self.next_name})"
        )

    def as_entry(self) -> dict[str, Any]:
        """Plain data, as summaries hold it."""
        return self._asdict()


def largest_minions(pool: Pool, patch: Sequence[Edit]) -> tuple[LargestMinion, ...]:
    """The minions that a patch betters into the largest of their cost, in its order.

    Largest is who has strictly more attack and health together than any other minion of the pool
    that costs as much. A card that was the largest of that cost already is not among them, nor one
    that is so only because others have been made smaller or dearer.

    Args:
        pool: today's cards, all that decks may hold.
        patch: edits of them, and perhaps of the rules.
    """
    today = {card.id: card for card in pool.cards}
    edits = [edit for edit in patch if edit.card in today]
    patched = {card.id: card for card in apply_patch(pool, edits).cards}
    bettered = {
        edit.card for edit in edits if (edit.after - edit.before) * BETTER.get(edit.field, 0) > 0
    }
    found = list[LargestMinion]()
    for card_id in dict.fromkeys(edit.card for edit in edits):
        card = patched[card_id]
        if card_id not in bettered or card.kind != "minion":
            continue
        before = today[card_id]
        others = _others(card, patched.values())
        was_largest = before.cost == card.cost and _is_largest(
            before, _others(before, today.values())
        )
        if _is_largest(card, others) and not was_largest:
            found.append(_row(card, others))
    return tuple(found)


def _size(card: Card) -> int:
    return card.attack + card.health


def _others(card: Card, cards: Iterable[Card]) -> list[Card]:
    """The other minions of a card's cost."""
    return [
        one for one in cards if one.kind == "minion" and one.cost == card.cost and one.id != card.id
    ]


def _is_largest(card: Card, others: Sequence[Card]) -> bool:
    return all(_size(card) > _size(one) for one in others)


def _row(card: Card, others: Sequence[Card]) -> LargestMinion:
    if not others:
        return LargestMinion(
            card.id, card.name, card.cost, card.attack, card.health, None, None, None
        )
    following = max(others, key=_size)
    return LargestMinion(
        card.id,
        card.name,
        card.cost,
        card.attack,
        card.health,
        following.name,
        following.attack,
        following.health,
    )
