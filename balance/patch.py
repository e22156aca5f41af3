"""Patches: sets of edits, for people and for files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from balance.search_space import SearchSpace, Steps
from sim.cards.card import Card
from sim.cards.pool import Pool


class Edit(NamedTuple):
    """One number of one card, before and after.

    Attributes:
        card: id.
        name: what people call the card.
        field: one of `sim.cards.card.FIELDS`.
        before: the number today.
        after: the number in the patch.
        label: what people call the number, where that is not `field` (`sim.cards.card.Card.label`).
    """

    card: str
    name: str
    field: str
    before: int
    after: int
    label: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.label or self.field} {self.before} -> {self.after}"


def edit_of(card: Card, field: str, after: int) -> Edit:
    """The edit of one of a card's numbers, labelled where the field's name says little."""
    label = card.label(field)
    shown = "" if label == field else label
    return Edit(card.id, card.name, field, card.number(field), after, shown)


def patch_of(genome: Steps, space: SearchSpace, pool: Pool) -> tuple[Edit, ...]:
    """The edits of a ``[K]`` genome, in pool order."""
    edits = []
    for gene, step in zip(space.genes, genome.tolist(), strict=True):
        if step:
            card = pool.cards[gene.card]
            edits.append(edit_of(card, gene.field, card.number(gene.field) + step))
    return tuple(edits)


def patch_notes(patch: Sequence[Edit]) -> str:
    """One line per edit, grouped by card."""
    return "".join(f"{edit}\n" for edit in patch) or "No changes.\n"


def apply_patch(pool: Pool, patch: Sequence[Edit]) -> Pool:
    """The pool with the edits made."""
    edited = {edit.card: {} for edit in patch}  # type: dict[str, dict[str, int]]
    for edit in patch:
        edited[edit.card][edit.field] = edit.after
    cards = tuple(
        card.with_numbers(edited[card.id]) if card.id in edited else card for card in pool.cards
    )
    return pool.model_copy(update={"cards": cards})
