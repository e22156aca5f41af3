"""Patches: sets of edits, for people and for files."""

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
    """One number before and after.

    Attributes:
        card: its owner (`balance.contest.Parameter`): a card's id, or `sim.ruleset.RULES`.
        name: what people call that card.
        field: what files call the number.
        before: the number today.
        after: the number in the patch.
        label: what people call the number, where that is not `field`.
        words: what people call its values from 0 on, where those are no plain numbers.
    """

    card: str
    name: str
    field: str
    before: int
    after: int
    label: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        before, after = (
            self.words[value] if self.words else value for value in (self.before, self.after)
        )
        return f"{self.name}: {self.label or self.field} {before} -> {after}"


def edit_of(parameter: Parameter, after: int) -> Edit:
    """The edit that gives a number another value."""
    owner, name, field, before, label, words = parameter
    return Edit(owner, name, field, before, after, label, words)


def patch_of(genome: Steps, space: SearchSpace, contest: Contest) -> tuple[Edit, ...]:
    """The edits of a ``[K]`` genome, in the order of the space."""
    moved = [(contest.parameter(space.genes[k]), genome[k]) for k in np.flatnonzero(genome)]
    return tuple(edit_of(number, number.value + int(step)) for number, step in moved)


def patch_notes(patch: Sequence[Edit]) -> str:
    """One line per edit, grouped by card."""
    return "".join(f"{edit}\n" for edit in patch) or "No changes.\n"


def apply_patch(pool: Pool, patch: Sequence[Edit]) -> Pool:
    """The pool with the edits of its cards made; those of the rules are left out.

    Raises:
        InputError: a card is not in the pool, has no such number, or may not have such a value; or
            two edits are of one number.
    """
    edited: dict[str, dict[str, int]] = {}
    for edit in patch:
        if edit.card == RULES:
            continue
        card = pool.cards[pool.index(edit.card)]
        known_word("number", edit.field, card.fields, f"card {card.id!r}")
        numbers = edited.setdefault(card.id, {})
        if edit.field in numbers:
            raise InputError(f"card {card.id!r}: {edit.field} is edited twice; once is enough")
        numbers[edit.field] = edit.after
    cards = tuple(
        revalidated(card.with_numbers(edited[card.id]), source="") if card.id in edited else card
        for card in pool.cards
    )
    return pool.model_copy(update={"cards": cards})


def apply_to_rules(ruleset: Ruleset, patch: Sequence[Edit]) -> Ruleset:
    """The rules with the edits of their numbers made."""
    numbers = {edit.field: edit.after for edit in patch if edit.card == RULES}
    return ruleset.with_numbers(numbers) if numbers else ruleset
