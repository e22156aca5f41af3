"""The space of a search: the numbers that may move, and how far."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, prod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from balance.statistics.arithmetic import log10, weighted_sum
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from sim.errors import InputError, error_place
from sim.play.table import OF_RULES, Gene

Steps = npt.NDArray[np.int16]
_DIGITS = 9  # of a change, and of a sum


class Constraint(Protocol):
    """What a patch has to keep besides the range of each number. Today's numbers keep it."""

    def breaches(self, steps: Steps) -> Counts:
        """``[P]`` how often ``[P, K]`` genomes break it; 0 where it is kept."""

    def restricted_to(self, kept: Positions) -> Constraint:
        """The same for genomes of some of the numbers, while the others stay as they are."""


@dataclass(frozen=True)
class Sums:
    """``R`` weighted sums of steps of ``[K]`` numbers that stay within bounds, as buffs less nerfs.

    Today's, 0, lie within. A patch that keeps them may have to be made of steps that do not: the
    first buff of a zero sum breaks it, and only a nerf mends it.

    Attributes:
        weights: ``[R, K]`` what a step up of each number adds.
        low: ``[R]`` 0 or below.
        high: ``[R]`` 0 or above.
        names: ``[R]`` the keys of `[tune]` that ask for them; of none where nobody knows.
    """

    weights: Floats
    low: Floats
    high: Floats
    names: tuple[str, ...] = ()

    def off(self, steps: Steps) -> Floats:
        """``[P, R]`` how far sums of ``[P, K]`` genomes are above their bounds, or below (< 0)."""
        columns = np.ascontiguousarray(steps.T)
        sums = np.zeros((len(self.weights), len(steps)))
        for r, k in np.argwhere(self.weights).tolist():
            sums[r] += self.weights[r, k] * columns[k]
        found = sums.T.round(_DIGITS)
        return np.asarray((found - np.clip(found, self.low, self.high)).round(_DIGITS))

    def breaches(self, steps: Steps) -> Counts:
        """``[P]`` how many steps it takes at least to mend all sums."""
        return np.asarray(np.ceil(abs(self.off(steps)) / self._step).sum(axis=1), dtype=np.int64)

    def are_near(self, steps: Steps) -> Flags:
        """``[P]`` whether ``[P, K]`` genomes may be on the way to others that keep all sums.

        The steps of a genome that keeps a sum can be ordered so that on the way it is never out of
        bounds by more than a step: after one that leads beyond the middle comes one back.
        """
        slack = np.maximum(self._step - (self.high - self.low) / 2, 0.0)
        return np.asarray((abs(self.off(steps)) <= slack).all(axis=1))

    def restricted_to(self, kept: Positions) -> Sums:
        """The same for genomes of some of the numbers, while the others stay as they are."""
        return replace(self, weights=self.weights[:, kept])

    @property
    def _step(self) -> Floats:
        """``[R]`` the most that one step adds to each, or anything where none does."""
        return np.asarray(abs(self.weights).max(axis=1, initial=1e-9))


@dataclass(frozen=True)
class CardChange:
    """The most steps of all numbers of one card together, up and down, whatever they weigh.

    Numbers of the rules are no card's, and have no such limit.

    Attributes:
        owner: ``[K]`` the card of each number.
        most: ``[K]`` the most steps of that card, the same for all of its numbers.
    """

    owner: Positions
    most: Counts

    def breaches(self, steps: Steps) -> Counts:
        """``[P]`` how many steps of ``[P, K]`` genomes are too many, all cards together."""
        size = np.abs(np.ascontiguousarray(steps.T)).astype(np.int64)
        found = np.zeros(len(steps), dtype=np.int64)
        for numbers in self.numbers_by_card:
            found += np.maximum(size[numbers].sum(axis=0) - self.most[numbers[0]], 0)
        return found

    def restricted_to(self, kept: Positions) -> CardChange:
        """The same for genomes of some of the numbers, while the others stay as they are."""
        return CardChange(self.owner[kept], self.most[kept])

    def less(self, spent: Mapping[int, int]) -> CardChange:
        """What is left where some cards have taken steps already, by card."""
        taken = np.array([spent.get(card, 0) for card in self.owner.tolist()], dtype=np.int64)
        return replace(self, most=np.maximum(self.most - taken, 0))

    @cached_property
    def numbers_by_card(self) -> list[Positions]:
        """The places of the numbers of each card."""
        cards = np.unique(self.owner[self.owner != OF_RULES])
        return [np.flatnonzero(self.owner == card) for card in cards]


@dataclass(frozen=True)
class SearchSpace:
    """``K`` genes; a genome is ``[K]`` steps from today's numbers.

    Attributes:
        genes: the numbers.
        low: ``[K]`` lowest step of each, 0 or below.
        high: ``[K]`` highest step, 0 or above.
        weights: ``[K]`` what one step counts in `change`.
        card_weight: what a card with an edit counts there besides.
        constraints: what a genome has to keep as a whole.
        sums: likewise sums of its steps, if any.
        most_cards: that a genome may edit.
        most_change: that a genome may come to.
        card_change: the most steps of any one card, if that is limited.
    """

    genes: tuple[Gene, ...]
    low: Steps
    high: Steps
    weights: Floats
    card_weight: float = 0.0
    constraints: tuple[Constraint, ...] = ()
    sums: Sums | None = None
    most_cards: float = inf
    most_change: float = inf
    card_change: CardChange | None = None

    @property
    def log10_size(self) -> float:
        """How many genomes there are, as a power of ten."""
        return log10(prod((self.high.astype(int) - self.low + 1).tolist()))

    @cached_property
    def owners(self) -> Positions:
        """``[K]`` whose each number is."""
        return np.array([gene.owner for gene in self.genes], dtype=np.intp)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards that some gene moves; the rules are none."""
        return tuple(dict.fromkeys(g.owner for g in self.genes if g.owner != OF_RULES))

    def restricted_to(self, cards: Collection[int]) -> SearchSpace:
        """The same space with only the genes of `cards` and the rules."""
        owners = {*cards, OF_RULES}
        return self.with_only(gene for gene in self.genes if gene.owner in owners)

    def with_only(self, genes: Iterable[Gene]) -> SearchSpace:
        """The same space with only some of its genes."""
        wanted = {*genes}
        kept = np.array([k for k, gene in enumerate(self.genes) if gene in wanted], np.intp)
        return replace(
            self,
            genes=tuple(self.genes[k] for k in kept),
            low=self.low[kept],
            high=self.high[kept],
            weights=self.weights[kept],
            constraints=tuple(one.restricted_to(kept) for one in self.constraints),
            sums=None if self.sums is None else self.sums.restricted_to(kept),
            card_change=self.card_change and self.card_change.restricted_to(kept),
        )

    def check_genomes(self, steps: npt.NDArray[np.integer]) -> None:
        """Refuse genomes of another space, or with a step beyond its ends.

        Args:
            steps: ``[P, K]``.

        Raises:
            InputError: names the shape, or the number, its step and the limits.
        """
        n_genes = len(self.genes)
        if steps.ndim != 2 or steps.shape[1] != n_genes or steps.dtype.kind not in "iu":
            raise InputError(
                f"genomes of shape {steps.shape}, type {steps.dtype}; must be whole numbers, "
                f"{n_genes} for each genome"
            )
        outside = (steps < self.low) | (steps > self.high)
        if outside.any():
            row, k = np.argwhere(outside)[0].tolist()
            raise InputError(
                f"genome {row}: {self.genes[k].field} of number {k}: {int(steps[row, k])} steps, "
                f"must be {int(self.low[k])} to {int(self.high[k])}"
            )

    def change(self, steps: Steps) -> Floats:
        """``[P]`` weighted sum of absolute steps of ``[P, K]`` genomes, and of cards touched.

        Rounded, so that what weights make equal is equal in whatever order it is added up.
        """
        change = weighted_sum(np.abs(steps), self.weights)
        if self.card_weight:
            change += self.card_weight * self.cards_touched(steps)
        return np.asarray(change.round(_DIGITS))

    def cards_touched(self, steps: Steps) -> Counts:
        """``[P]`` number of cards with an edit."""
        touched = [(steps[:, self.owners == card] != 0).any(axis=1) for card in self.cards]
        return sum(touched, np.zeros(len(steps), dtype=np.int64))

    def breaches(self, steps: Steps) -> Counts:
        """``[P]`` how often ``[P, K]`` genomes break what they have to keep."""
        found = self._breaches_besides_sums(steps)
        return found if self.sums is None else found + self.sums.breaches(steps)

    def allows(self, steps: Steps) -> Flags:
        """``[P]`` whether ``[P, K]`` genomes keep all that they have to keep."""
        return np.asarray(self.breaches(steps) == 0)

    def leads_on(self, steps: Steps) -> Flags:
        """``[P]`` whether ``[P, K]`` genomes are allowed, or may be on the way to one that is."""
        near = True if self.sums is None else self.sums.are_near(steps)
        return np.asarray((self._breaches_besides_sums(steps) == 0) & near)

    def _breaches_besides_sums(self, steps: Steps) -> Counts:
        found = np.zeros(len(steps), dtype=np.int64)
        for one in self.constraints:
            found += one.breaches(steps)
        if self.most_cards < inf:
            found += np.maximum(self.cards_touched(steps) - int(self.most_cards), 0)
        if self.most_change < inf:
            beyond = np.maximum(self.change(steps) - self.most_change, 0.0) / self.weights.min()
            found += np.ceil(beyond).astype(np.int64)
        if self.card_change is not None:
            found += self.card_change.breaches(steps)
        return found


class Rules(Protocol):
    """Rules that have numbers."""

    def number(self, field: str) -> int:
        """The present value of a number."""

    def with_numbers(self, numbers: Mapping[str, int]) -> object:
        """The same rules with other values of some numbers, or an `InputError` if they are none."""


def checked_range(rules: Rules, field: str, lowest: int, highest: int) -> int:
    """Today's value of a number of the rules, which may move from the lowest to the highest.

    Raises:
        InputError: these are no ends of a range around it.
    """
    present = rules.number(field)
    place = f"tune.rules.{field} = {[lowest, highest]}"
    if not lowest <= present <= highest:
        raise InputError(f"{place} must contain the present value, {present}")
    with error_place(place):
        for end in (lowest, highest):
            rules.with_numbers({field: end})
    return present
