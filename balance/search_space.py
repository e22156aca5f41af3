"""Search space: the numbers that may move, their ranges, and the constraints on whole patches."""

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
"""Genomes: signed steps of each number from the baseline, ``[..., K]``."""

_DIGITS = 9  # of changes and sums: equal weights must give equal sums in any order of addition


class Constraint(Protocol):
    """Constraint on whole patches beyond the numbers' ranges; the baseline satisfies it."""

    def breaches(self, steps: Steps) -> Counts:
        """Return how many times each of ``[P, K]`` genomes violates the constraint, ``[P]``."""

    def restricted_to(self, kept: Positions) -> Constraint:
        """Return the constraint for genomes of some of the numbers, with the others fixed."""


@dataclass(frozen=True)
class Sums:
    """Bounds on ``R`` weighted sums of the steps of ``K`` numbers, such as buffs minus nerfs.

    The baseline's sums, 0, are within the bounds. A permitted patch may consist of steps that are
    not permitted alone: with a sum bound to zero, a buff violates the bound until a nerf restores
    it.

    Attributes:
        weights: amount that one step up of each number adds, ``[R, K]``.
        low: lower bounds, at most 0, ``[R]``.
        high: upper bounds, at least 0, ``[R]``.
        names: keys of `[tune]` that set the bounds, ``[R]``; empty if unknown.
    """

    weights: Floats
    low: Floats
    high: Floats
    names: tuple[str, ...] = ()

    def off(self, steps: Steps) -> Floats:
        """Return how far the sums of genomes are above their bounds, or below (< 0), ``[P, R]``."""
        # Added number by number in a fixed order: a matrix product would round differently on
        # different processors. Rows of the transposed copy are contiguous, which is faster.
        columns = np.ascontiguousarray(steps.T)
        sums = np.zeros((len(self.weights), len(steps)))
        for r, k in np.argwhere(self.weights).tolist():
            sums[r] += self.weights[r, k] * columns[k]
        rounded = sums.T.round(_DIGITS)
        return np.asarray((rounded - np.clip(rounded, self.low, self.high)).round(_DIGITS))

    def breaches(self, steps: Steps) -> Counts:
        """Return the least number of steps that would restore all sums of each genome, ``[P]``."""
        return np.asarray(np.ceil(abs(self.off(steps)) / self._step).sum(axis=1), dtype=np.int64)

    def are_near(self, steps: Steps) -> Flags:
        """Return whether each genome may lie on a path to one that satisfies all bounds, ``[P]``.

        The steps of a permitted genome can be ordered so that no bound is exceeded by more than one
        step on the way: after a step beyond the middle comes a step back.
        """
        slack = np.maximum(self._step - (self.high - self.low) / 2, 0.0)
        return np.asarray((abs(self.off(steps)) <= slack).all(axis=1))

    def restricted_to(self, kept: Positions) -> Sums:
        """Return the bounds for genomes of some of the numbers, with the others fixed."""
        return replace(self, weights=self.weights[:, kept])

    @property
    def _step(self) -> Floats:
        """Largest amount that one step adds to each sum, ``[R]``; tiny if no number counts."""
        return np.asarray(abs(self.weights).max(axis=1, initial=1e-9))


@dataclass(frozen=True)
class CardChange:
    """Limit on the unweighted steps, up and down, of all numbers of one card together.

    Numbers of the rules belong to no card and are not limited.

    Attributes:
        owner: card of each number, ``[K]``.
        most: most steps of that card, equal for all of its numbers, ``[K]``.
    """

    owner: Positions
    most: Counts

    def breaches(self, steps: Steps) -> Counts:
        """Return the steps of each genome beyond the limit, summed over all cards, ``[P]``."""
        size = np.abs(np.ascontiguousarray(steps.T)).astype(np.int64)
        excess = np.zeros(len(steps), dtype=np.int64)
        for numbers in self.numbers_by_card:
            excess += np.maximum(size[numbers].sum(axis=0) - self.most[numbers[0]], 0)
        return excess

    def restricted_to(self, kept: Positions) -> CardChange:
        """Return the limit for genomes of some of the numbers, with the others fixed."""
        return CardChange(self.owner[kept], self.most[kept])

    def less(self, spent: Mapping[int, int]) -> CardChange:
        """Return the limit that remains after some steps of some cards.

        Args:
            spent: number of steps already taken, by card.
        """
        steps_taken = np.array([spent.get(card, 0) for card in self.owner.tolist()], dtype=np.int64)
        return replace(self, most=np.maximum(self.most - steps_taken, 0))

    @cached_property
    def numbers_by_card(self) -> list[Positions]:
        """Positions of the numbers of each card."""
        cards = np.unique(self.owner[self.owner != OF_RULES])
        return [np.flatnonzero(self.owner == card) for card in cards]


@dataclass(frozen=True)
class SearchSpace:
    """Space of ``K`` numbers; a genome is their steps from the baseline, ``[K]``.

    Attributes:
        genes: the numbers.
        low: lowest step of each number, at most 0, ``[K]``.
        high: highest step of each number, at least 0, ``[K]``.
        weights: weight of one step of each number in `change`, ``[K]``.
        card_weight: weight of each edited card in `change`, in addition to its steps.
        constraints: constraints on whole genomes.
        sums: bounds on weighted sums of steps, if any.
        most_cards: most cards that a genome may edit.
        most_change: largest permitted change of a genome.
        card_change: limit on the steps of any one card, if any.
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
        """Decimal logarithm of the number of genomes within the ranges."""
        return log10(prod((self.high.astype(int) - self.low + 1).tolist()))

    @cached_property
    def owners(self) -> Positions:
        """Card of each number, or `OF_RULES`, ``[K]``."""
        return np.array([gene.owner for gene in self.genes], dtype=np.intp)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """Cards with a number in the space, each once."""
        return tuple(dict.fromkeys(g.owner for g in self.genes if g.owner != OF_RULES))

    def restricted_to(self, cards: Collection[int]) -> SearchSpace:
        """Return the space with only the numbers of some cards and of the rules."""
        owners = {*cards, OF_RULES}
        return self.with_only(gene for gene in self.genes if gene.owner in owners)

    def with_only(self, genes: Iterable[Gene]) -> SearchSpace:
        """Return the space with only some of its numbers."""
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
            InputError: names the shape, or the number with its step and range.
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
        """Return the change of genomes, ``[P]``: weighted absolute steps, plus edited cards.

        The result is rounded, so that genomes of equal change compare as equal whatever the order
        of the additions.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        change = weighted_sum(np.abs(steps), self.weights)
        if self.card_weight:
            change += self.card_weight * self.cards_touched(steps)
        return np.asarray(change.round(_DIGITS))

    def cards_touched(self, steps: Steps) -> Counts:
        """Return the number of edited cards of each genome, ``[P]``."""
        touched = [(steps[:, self.owners == card] != 0).any(axis=1) for card in self.cards]
        return sum(touched, np.zeros(len(steps), dtype=np.int64))

    def breaches(self, steps: Steps) -> Counts:
        """Return how many times genomes, ``[P, K]``, violate the constraints, ``[P]``."""
        breaches = self._breaches_without_sums(steps)
        return breaches if self.sums is None else breaches + self.sums.breaches(steps)

    def allows(self, steps: Steps) -> Flags:
        """Return whether genomes, ``[P, K]``, satisfy all constraints, ``[P]``."""
        return np.asarray(self.breaches(steps) == 0)

    def leads_on(self, steps: Steps) -> Flags:
        """Return whether each genome is permitted or on a possible path to a permitted one."""
        near = True if self.sums is None else self.sums.are_near(steps)
        return np.asarray((self._breaches_without_sums(steps) == 0) & near)

    def _breaches_without_sums(self, steps: Steps) -> Counts:
        """Return how many times genomes violate the constraints other than the bounds on sums."""
        breaches = np.zeros(len(steps), dtype=np.int64)
        for constraint in self.constraints:
            breaches += constraint.breaches(steps)
        if self.most_cards < inf:
            breaches += np.maximum(self.cards_touched(steps) - int(self.most_cards), 0)
        if self.most_change < inf:
            # Each step back lowers the change by at least the smallest weight, so this is the most
            # steps that may have to be taken back.
            beyond = np.maximum(self.change(steps) - self.most_change, 0.0) / self.weights.min()
            breaches += np.ceil(beyond).astype(np.int64)
        if self.card_change is not None:
            breaches += self.card_change.breaches(steps)
        return breaches


class Rules(Protocol):
    """Interface of game rules that have numbers."""

    def number(self, field: str) -> int:
        """Return the current value of a number."""

    def with_numbers(self, numbers: Mapping[str, int]) -> object:
        """Return the rules with other values of some numbers.

        Raises:
            InputError: a value is not permitted.
        """


def checked_range(rules: Rules, field: str, lowest: int, highest: int) -> int:
    """Return the baseline value of a number of the rules, after checking its range.

    Args:
        rules: the rules.
        field: the number.
        lowest: lower end of the range.
        highest: upper end of the range.

    Raises:
        InputError: the range does not contain the value, or the rules do not permit one of its
            ends.
    """
    present = rules.number(field)
    place = f"tune.rules.{field}"
    shown = [lowest, highest]
    if not lowest <= present <= highest:
        raise InputError(
            f"{shown} must contain the current value, {present}",
            place=place,
            value=shown,
            limit=present,
            separator=" = ",
        )
    with error_place(f"{place} = {shown}"):
        for end in (lowest, highest):
            rules.with_numbers({field: end})
    return present
