"""Detection of minions that a patch makes the largest of their cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from balance.contest.patch import Edit, apply_patch
from balance.space.design_rules import BETTER
from sim import Card, Pool


class LargestMinion(NamedTuple):
    """Minion that a patch improves and that becomes the largest of its cost.

    Attributes:
        card: id of the card.
        name: display name of the card.
        cost: mana cost with the patch.
        attack: attack with the patch.
        health: health with the patch.
        next_name: display name of the next largest minion of the same cost; `None`, as the next two
            attributes, if the pool has no other minion of that cost.
        next_attack: attack of the next largest minion with the patch.
        next_health: health of the next largest minion with the patch.
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
        """Return a clause such as `Market Cat ends as the largest 1-cost minion: 5/2, ...`.

        The clause says `the only` instead of `the largest` if no other minion has this cost.
        """
        body = f"{self.attack}/{self.health}"
        if self.next_name is None:
            return f"{self.name} ends as the only {self.cost}-cost minion: {body}"
        return (
            f"{self.name} ends as the largest {self.cost}-cost minion: {body}, next largest "
            f"{self.next_attack}/{self.next_health} ({self.next_name})"
        )

    def as_entry(self) -> dict[str, Any]:
        """Return the attributes by name, for the run's JSON summary."""
        return self._asdict()


def largest_minions(pool: Pool, patch: Sequence[Edit]) -> tuple[LargestMinion, ...]:
    """Return the minions that a patch improves and thereby makes the largest of their cost.

    A minion is the largest if its attack plus health exceeds that of every other minion of the pool
    with the same cost. Two kinds of minions are left out: those that were the largest of the same
    cost before, and those that no edit improves, which became the largest because others changed.

    Args:
        pool: pool with the baseline cards.
        patch: edits of cards; edits of the rules are ignored.

    Returns:
        The minions, in the order of their first edits.
    """
    baseline = {card.id: card for card in pool.cards}
    edits = [edit for edit in patch if edit.card in baseline]
    patched = {card.id: card for card in apply_patch(pool, edits).cards}
    improved = {
        edit.card for edit in edits if (edit.after - edit.before) * BETTER.get(edit.field, 0) > 0
    }
    largest = list[LargestMinion]()
    for card_id in dict.fromkeys(edit.card for edit in edits):
        card = patched[card_id]
        if card_id not in improved or card.kind != "minion":
            continue
        before = baseline[card_id]
        others = _other_minions(card, patched.values())
        was_largest = before.cost == card.cost and _is_largest(
            before, _other_minions(before, baseline.values())
        )
        if _is_largest(card, others) and not was_largest:
            largest.append(_describe_largest(card, others))
    return tuple(largest)


def _size(card: Card) -> int:
    """Return the size of a minion: its attack plus its health."""
    return card.attack + card.health


def _other_minions(card: Card, cards: Iterable[Card]) -> list[Card]:
    """Return all minions in `cards` with the same cost as a card, except the card itself."""
    return [
        other
        for other in cards
        if other.kind == "minion" and other.cost == card.cost and other.id != card.id
    ]


def _is_largest(card: Card, others: Sequence[Card]) -> bool:
    """Return whether a minion is strictly larger than all others; True if `others` is empty."""
    return all(_size(card) > _size(other) for other in others)


def _describe_largest(card: Card, others: Sequence[Card]) -> LargestMinion:
    """Return the description of a largest minion, compared with the next largest if there is one.

    Args:
        card: largest minion, with the patch.
        others: other minions of the same cost, with the patch.
    """
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
