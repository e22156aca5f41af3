"""Search space of patches: numbers that may move, their ranges, and constraints on patches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, prod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from balance.space.card_groups import CardGroups
from balance.statistics.arithmetic import log10, weighted_sum
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from sim.errors import InputError, error_place
from sim.play.table import OF_RULES, Gene
from sim.short_repr import short_repr
from sim.value_error import value_error

Steps = npt.NDArray[np.int16]
"""Genomes: signed steps of each number from the baseline, shape ``[..., K]``."""

# Decimal digits of changes and sums. Rounding makes sums equal that differ only by the order of
# their additions.
_DIGITS = 9


class Constraint(Protocol):
    """Interface of a constraint on whole patches, which the baseline satisfies."""

    def breaches(self, steps: Steps) -> Counts:
        """Return the number of violations of the constraint by each genome, shape ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``.
        """

    def restricted_to(self, kept: Positions) -> Constraint:
        """Return the constraint for a space of fewer numbers, with all other numbers unchanged.

        Args:
            kept: positions of the numbers of the smaller space.
        """


@dataclass(frozen=True)
class Sums:
    """Bounds on ``R`` weighted sums of the steps of ``K`` numbers, such as buffs minus nerfs.

    The sums of the baseline, 0, are within the bounds. A permitted patch may consist of steps that
    are not permitted separately: with a sum that must be 0, a buff violates the bound until a nerf
    restores it.

    Attributes:
        weights: amount that one step up of each number adds to each sum, ``[R, K]``.
        low: lower bounds, at most 0, ``[R]``.
        high: upper bounds, at least 0, ``[R]``.
        names: keys of `[tune]` that set the bounds, ``[R]``; empty if unknown.
    """

    weights: Floats
    low: Floats
    high: Floats
    names: tuple[str, ...] = ()

    def off(self, steps: Steps) -> Floats:
        """Return the excess of each sum of each genome over its bounds, shape ``[P, R]``.

        The excess is positive above the upper bound, negative below the lower bound, otherwise 0.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        # The numbers are added in a fixed order, since a matrix product would round differently on
        # different processors. Rows of the transposed copy are contiguous, which is faster.
        columns = np.ascontiguousarray(steps.T)
        sums = np.zeros((len(self.weights), len(steps)))
        for r, k in np.argwhere(self.weights).tolist():
            sums[r] += self.weights[r, k] * columns[k]
        rounded = sums.T.round(_DIGITS)
        return np.asarray((rounded - np.clip(rounded, self.low, self.high)).round(_DIGITS))

    def breaches(self, steps: Steps) -> Counts:
        """Return the minimum number of steps that restore each sum, added up over all sums.

        Args:
            steps: genomes, shape ``[P, K]``.

        Returns:
            Number of steps, shape ``[P]``; 0 for genomes that satisfy all bounds.
        """
        return np.asarray(np.ceil(abs(self.off(steps)) / self._step).sum(axis=1), dtype=np.int64)

    def are_near(self, steps: Steps) -> Flags:
        """Return whether each genome may lie on a path of single steps to a permitted genome.

        The steps of a permitted genome can be ordered such that each sum stays within one largest
        step of the middle of its bounds. A genome outside this range is on no such path.

        Args:
            steps: genomes, shape ``[P, K]``.

        Returns:
            Flags, shape ``[P]``.
        """
        slack = np.maximum(self._step - (self.high - self.low) / 2, 0.0)
        return np.asarray((abs(self.off(steps)) <= slack).all(axis=1))

    def restricted_to(self, kept: Positions) -> Sums:
        """Return the bounds for a space of fewer numbers, with all other numbers unchanged.

        Args:
            kept: positions of the numbers of the smaller space.
        """
        return replace(self, weights=self.weights[:, kept])

    @property
    def _step(self) -> Floats:
        """Largest absolute amount that one step adds to each sum, shape ``[R]``.

        It is at least 1e-9, by which sums without numbers can be divided.
        """
        return np.asarray(abs(self.weights).max(axis=1, initial=1e-9))


@dataclass(frozen=True)
class CardChange:
    """Limit on the sum of absolute steps of all numbers of a card, for each card.

    Numbers of the rules belong to no card and are not limited.

    Attributes:
        owner: position of the card of each number, ``[K]``; `OF_RULES` for numbers of the rules.
        most: maximum number of steps of each number's card, equal for all numbers of a card,
            ``[K]``.
    """

    owner: Positions
    most: Counts

    def breaches(self, steps: Steps) -> Counts:
        """Return the number of steps beyond the limits, summed over all cards, shape ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        size = np.abs(np.ascontiguousarray(steps.T)).astype(np.int64)
        excess = np.zeros(len(steps), dtype=np.int64)
        for numbers in self.numbers_by_card:
            excess += np.maximum(size[numbers].sum(axis=0) - self.most[numbers[0]], 0)
        return excess

    def restricted_to(self, kept: Positions) -> CardChange:
        """Return the limits for a space of fewer numbers, with all other numbers unchanged.

        Args:
            kept: positions of the numbers of the smaller space.
        """
        return CardChange(self.owner[kept], self.most[kept])

    def less(self, spent: Mapping[int, int]) -> CardChange:
        """Return the limits that remain after given numbers of steps, at least 0.

        Args:
            spent: number of steps already taken, by position of the card; cards that are not listed
                keep their limit.
        """
        steps_taken = np.array([spent.get(card, 0) for card in self.owner.tolist()], dtype=np.int64)
        return replace(self, most=np.maximum(self.most - steps_taken, 0))

    @cached_property
    def numbers_by_card(self) -> list[Positions]:
        """Positions of the numbers of each card, one array per card, without numbers of rules."""
        return CardGroups.of(self.owner).numbers


@dataclass(frozen=True)
class SearchSpace:
    """Search space of patches, each a genome of steps of ``K`` numbers from the baseline, ``[K]``.

    Attributes:
        genes: numbers that may move, each a field of a card or of the rules, ``[K]``.
        low: lowest step of each number, at most 0, ``[K]``.
        high: highest step of each number, at least 0, ``[K]``.
        weights: weight of one step of each number in `change`, ``[K]``.
        card_weight: number of weighted steps that each edited card counts as in `size`.
        constraints: design rules and other constraints on whole genomes.
        sums: bounds on weighted sums of steps; `None` if no sum is bounded.
        most_cards: maximum number of edited cards; `inf` for no limit.
        most_change: maximum change of a genome; `inf` for no limit.
        card_change: limit on the steps of any one card; `None` for no limit.
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

    def __repr__(self) -> str:
        return short_repr(self, numbers=len(self.genes), cards=len(self.cards))

    @property
    def log10_size(self) -> float:
        """Decimal logarithm of the number of genomes within the ranges."""
        return log10(prod((self.high.astype(int) - self.low + 1).tolist()))

    @cached_property
    def owners(self) -> Positions:
        """Position of each number's card, or `OF_RULES` for a number of the rules, ``[K]``."""
        return np.array([gene.owner for gene in self.genes], dtype=np.intp)

    @cached_property
    def card_groups(self) -> CardGroups:
        """Numbers of the space, grouped by their cards."""
        return CardGroups.of(self.owners)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """Positions of the different cards with a number in the space, in the order of `genes`."""
        return tuple(dict.fromkeys(g.owner for g in self.genes if g.owner != OF_RULES))

    def restricted_to(self, cards: Collection[int]) -> SearchSpace:
        """Return the space with only the numbers of given cards and those of the rules."""
        owners = {*cards, OF_RULES}
        return self.with_only(gene for gene in self.genes if gene.owner in owners)

    def with_only(self, genes: Iterable[Gene]) -> SearchSpace:
        """Return the space with only given numbers, in the order of this space.

        Args:
            genes: numbers to keep; numbers that this space does not have are ignored.
        """
        wanted = {*genes}
        kept = np.array([k for k, gene in enumerate(self.genes) if gene in wanted], np.intp)
        return replace(
            self,
            genes=tuple(self.genes[k] for k in kept),
            low=self.low[kept],
            high=self.high[kept],
            weights=self.weights[kept],
            constraints=tuple(rule.restricted_to(kept) for rule in self.constraints),
            sums=None if self.sums is None else self.sums.restricted_to(kept),
            card_change=self.card_change and self.card_change.restricted_to(kept),
        )

    def check_genomes(self, steps: npt.NDArray[np.integer]) -> None:
        """Refuse genomes of another space, or with a step outside its range.

        Args:
            steps: genomes, shape ``[P, K]``.

        Raises:
            InputError: the shape or the type is wrong, or a step is outside its range.
        """
        n_genes = len(self.genes)
        if steps.ndim != 2 or steps.shape[1] != n_genes or steps.dtype.kind not in "iu":
            raise InputError(
                f"shape {steps.shape} of {steps.dtype} must be [genomes, {n_genes}] of whole "
                "numbers",
                place="genomes",
                value=steps.shape,
                limit=n_genes,
            )
        outside = (steps < self.low) | (steps > self.high)
        if outside.any():
            row, k = np.argwhere(outside)[0].tolist()
            low = int(self.low[k])
            high = int(self.high[k])
            raise InputError(
                f"{int(steps[row, k])} steps, must be {low} to {high}",
                place=f"genome {row}: {self.genes[k].field} of number {k}",
                value=int(steps[row, k]),
                limit=(low, high),
            )

    def change(self, steps: Steps) -> Floats:
        """Return the change of genomes, the weighted sum of their absolute steps, shape ``[P]``.

        It is rounded, so that the order of the additions has no effect on it.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        return np.asarray(weighted_sum(np.abs(steps), self.weights).round(_DIGITS))

    def size(self, steps: Steps) -> Floats:
        """Return the size of genomes, by which patches are compared, shape ``[P]``.

        The size is the change plus `card_weight` for each edited card.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        size = self.change(steps)
        if self.card_weight:
            size += self.card_weight * self.cards_touched(steps)
        return np.asarray(size.round(_DIGITS))

    def cards_touched(self, steps: Steps) -> Counts:
        """Return the number of edited cards of each genome, shape ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        return np.asarray(self.card_groups.touched(steps).sum(axis=0))

    def breaches(self, steps: Steps) -> Counts:
        """Return the number of violations of all constraints by each genome, shape ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``; ranges of single numbers are not checked.
        """
        breaches = self._breaches_without_sums(steps)
        return breaches if self.sums is None else breaches + self.sums.breaches(steps)

    def allows(self, steps: Steps) -> Flags:
        """Return whether each genome satisfies all constraints, shape ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``; ranges of single numbers are not checked.
        """
        return np.asarray(self.breaches(steps) == 0)

    def leads_on(self, steps: Steps) -> Flags:
        """Return whether each genome is permitted, or may lie on a path to a permitted genome.

        A genome on such a path may violate only the bounds on sums; see `Sums.are_near`.

        Args:
            steps: genomes, shape ``[P, K]``.

        Returns:
            Flags, shape ``[P]``.
        """
        near = True if self.sums is None else self.sums.are_near(steps)
        return np.asarray((self._breaches_without_sums(steps) == 0) & near)

    def meets_sums(self, steps: Steps) -> Flags:
        """Return whether each genome satisfies the bounds on sums, shape ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        if self.sums is None:
            return np.ones(len(steps), dtype=np.bool_)
        return np.asarray(self.sums.breaches(steps) == 0)

    def _breaches_without_sums(self, steps: Steps) -> Counts:
        """Return the number of violations of all constraints except the bounds on sums, ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        breaches = np.zeros(len(steps), dtype=np.int64)
        for constraint in self.constraints:
            breaches += constraint.breaches(steps)
        if self.most_cards < inf:
            breaches += np.maximum(self.cards_touched(steps) - int(self.most_cards), 0)
        if self.most_change < inf:
            # A step back reduces the change by at least the smallest weight, so this is the maximum
            # number of steps that must be taken back.
            beyond = np.maximum(self.change(steps) - self.most_change, 0.0) / self.weights.min()
            breaches += np.ceil(beyond).astype(np.int64)
        if self.card_change is not None:
            breaches += self.card_change.breaches(steps)
        return breaches


class Rules(Protocol):
    """Interface of game rules that have numbers."""

    def number(self, field: str) -> int:
        """Return the current value of the number with an identifier."""

    def with_numbers(self, numbers: Mapping[str, int]) -> object:
        """Return the rules with new values of given numbers.

        Args:
            numbers: new values by identifier; numbers that are not listed keep their values.

        Raises:
            InputError: a value is not permitted.
        """


def checked_range(rules: Rules, field: str, lowest: int, highest: int) -> int:
    """Return the baseline value of a number of the rules, after checking its range.

    Args:
        rules: rules with the number.
        field: identifier of the number.
        lowest: lower end of the range.
        highest: upper end of the range.

    Raises:
        InputError: the range does not contain the baseline value, or the rules do not permit one of
            its ends.
    """
    present = rules.number(field)
    place = f"tune.rules.{field}"
    shown = [lowest, highest]
    if not lowest <= present <= highest:
        raise value_error(place, shown, f"must contain the current value, {present}", limit=present)
    with error_place(f"{place} = {shown}"):
        for end in (lowest, highest):
            rules.with_numbers({field: end})
    return present
