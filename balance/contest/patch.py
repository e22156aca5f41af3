"""Patches, which are sequences of edits of cards and rules: display and application."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from balance.contest.contest import Contest, Parameter
from balance.space.search_space import SearchSpace, Steps
from sim.cards.pool import Pool
from sim.errors import InputError, known_word
from sim.files.validation import revalidated
from sim.ruleset import RULES, Ruleset


class Edit(NamedTuple):
    """Edit of one number of a card or of the rules.

    Attributes:
        card: owner of the number: a card's id, or `sim.ruleset.RULES`.
        name: display name of the owner.
        field: identifier of the number in files.
        before: baseline value.
        after: value in the patch.
        label: display name of the number; empty if it equals `field`.
        words: display names of the values 0, 1, ...; empty if values are shown as numbers.
    """

    card: str
    name: str
    field: str
    before: int
    after: int
    label: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the edit as text, such as `Market Cat: cost 2 -> 1`."""
        before, after = (
            self.words[value] if self.words else value for value in (self.before, self.after)
        )
        colon = ":" if self.words else ""
        return f"{self.name}: {self.label or self.field}{colon} {before} -> {after}"

    def as_entry(self) -> dict[str, str | int]:
        """Return owner, number and values as data for `summary.json`."""
        return {"card": self.card, "field": self.field, "from": self.before, "to": self.after}


def edit_of(parameter: Parameter, after: int) -> Edit:
    """Return the edit that changes a number from its baseline value to another value."""
    owner, name, field, before, label, words = parameter
    return Edit(owner, name, field, before, after, label, words)


def patch_of(genome: Steps, space: SearchSpace, contest: Contest) -> tuple[Edit, ...]:
    """Return the edits of a genome, in the order of the search space.

    Args:
        genome: patch as steps from the baseline, shape ``[K]``.
        space: search space with the numbers.
        contest: contest with the names and the baseline values of the numbers.
    """
    moved = [(contest.parameter(space.genes[k]), genome[k]) for k in np.flatnonzero(genome)]
    return tuple(edit_of(number, number.value + int(step)) for number, step in moved)


def patch_notes(patch: Sequence[Edit]) -> str:
    """Return the edits of a patch as text, one line per edit; `No changes.` for an empty patch."""
    return "".join(f"{edit}\n" for edit in patch) or "No changes.\n"


def apply_patch(pool: Pool, patch: Sequence[Edit]) -> Pool:
    """Return a pool with the edits of cards applied; edits of the rules are ignored.

    Raises:
        InputError: a card is not in the pool, does not have the number or does not permit the
            value; or two edits change the same number.

    Example:
        >>> from sim import load_pool
        >>> patch = [Edit("ember_whelp", "Ember Whelp", "cost", before=2, after=3)]
        >>> apply_patch(load_pool("core"), patch).card("ember_whelp").cost
        3
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
    """Return a ruleset with the edits of the rules applied; edits of cards are ignored."""
    numbers = {edit.field: edit.after for edit in patch if edit.card == RULES}
    return ruleset.with_numbers(numbers) if numbers else ruleset
