"""Patches: sequences of edits of cards and rules, their display, and their application."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from balance.contest import Contest, Parameter
from balance.search_space import SearchSpace, Steps
from sim.cards.pool import Pool
from sim.errors import InputError, known_word
from sim.files.validation import revalidated
from sim.ruleset import RULES, Ruleset


class Edit(NamedTuple):
    """An edit of one number.

    Attributes:
        card: owner of the number (`balance.contest.Parameter`): a card's id, or
            `sim.ruleset.RULES`.
        name: display name of the owner.
        field: identifier of the number in files.
        before: baseline value.
        after: value in the patch.
        label: display name of the number, if it differs from `field`.
        words: display names of the values from 0 on, if they are not shown as plain numbers.
    """

    card: str
    name: str
    field: str
    before: int
    after: int
    label: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the edit as `Market Cat: cost 2 -> 1`."""
        before, after = (
            self.words[value] if self.words else value for value in (self.before, self.after)
        )
        return f"{self.name}: {self.label or self.field} {before} -> {after}"


def edit_of(parameter: Parameter, after: int) -> Edit:
    """Return the edit that changes a number to another value."""
    owner, name, field, before, label, words = parameter
    return Edit(owner, name, field, before, after, label, words)


def patch_of(genome: Steps, space: SearchSpace, contest: Contest) -> tuple[Edit, ...]:
    """Return the edits of a ``[K]`` genome, in the order of the space."""
    moved = [(contest.parameter(space.genes[k]), genome[k]) for k in np.flatnonzero(genome)]
    return tuple(edit_of(number, number.value + int(step)) for number, step in moved)


def patch_notes(patch: Sequence[Edit]) -> str:
    """Return one line per edit, grouped by card; a sentence if there is none."""
    return "".join(f"{edit}\n" for edit in patch) or "No changes.\n"


def apply_patch(pool: Pool, patch: Sequence[Edit]) -> Pool:
    """Return the pool with the edits of its cards applied; edits of the rules are ignored.

    Raises:
        InputError: a card is not in the pool, lacks the number or does not permit the value; or two
            edits are of the same number.
    """
    edited: dict[str, dict[str, int]] = {}
    for edit in patch:
        if edit.card == RULES:
            continue
        card = pool.cards[pool.index(edit.card)]
        known_word("number", edit.field, card.fields, f"card {card.id!r}")
        numbers = edited.setdefault(card.id, {})
        if edit.field in numbers:
            raise InputError(
                f"{edit.field} is edited twice",
                place=f"card {card.id!r}",
                value=edit.field,
                remedy="keep one of the edits",
            )
        numbers[edit.field] = edit.after
    cards = tuple(
        revalidated(card.with_numbers(edited[card.id]), source="") if card.id in edited else card
        for card in pool.cards
    )
    return pool.model_copy(update={"cards": cards})


def apply_to_rules(ruleset: Ruleset, patch: Sequence[Edit]) -> Ruleset:
    """Return the ruleset with the edits of its numbers applied."""
    numbers = {edit.field: edit.after for edit in patch if edit.card == RULES}
    return ruleset.with_numbers(numbers) if numbers else ruleset
