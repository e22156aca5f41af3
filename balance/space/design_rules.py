"""Design rules (file word `sense`): constraints that exclude patches which players would reject.

Rules on single numbers, such as that attack and cost do not fall to 0, narrow the numbers' ranges
(`balance.cards.card_space`).

A card *dominates* another card of the same kind and cost under three conditions: every deck that
may contain the other card may contain this one; its text contains the other text; and no number of
its body (attack, health, durability) is lower, and one is higher. The direction that improves an
amount in a text is unknown, so the amounts of the other text must be equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import permutations
from operator import or_
from typing import NamedTuple

import numpy as np

from balance.space.card_groups import CardGroups
from balance.space.search_space import Constraint, SearchSpace, Steps
from balance.space.tune import Sense
from balance.statistics.intervals import Counts, Positions
from sim import AMOUNTS, Card
from sim.cards.notation import ALWAYS
from sim.play.table import Gene
from sim.short_repr import short_repr

BETTER = {"cost": -1, "attack": 1, "health": 1, "durability": 1}
"""Direction in which each number of a body improves its card; amounts of effects have none."""

_BURDENS = frozenset({"cannot_attack", "minions_only", "blunt"})
"""Keywords that make a card worse."""

_BODY = ("attack", "health", "durability")
# Number of pairs compared at once, so that the arrays of 1,000 genomes fit into a processor's
# cache.
_BLOCK = 64


def rules_of_sense(
    sense: Sense, cards: Sequence[Card], space: SearchSpace
) -> tuple[Constraint, ...]:
    """Return the constraints on whole patches of the design rules that are switched on.

    Args:
        sense: switches of the design rules.
        cards: all cards that decks may contain, by position in the pool.
        space: search space without these constraints.
    """
    rules = list[Constraint]()
    if sense.direction:
        better = [BETTER.get(gene.field, 0) for gene in space.genes]
        rules.append(Direction(space.owners, np.array(better, np.int16)))
    if sense.dominance:
        rules.append(Dominance.of(cards, space))
    return tuple(rules)


@dataclass(frozen=True)
class Direction:
    """Design rule: no card is improved in one number and weakened in another.

    Attributes:
        owner: position of the card of each number, ``[K]``.
        better: direction in which each number improves its card, 1 or -1, ``[K]``; 0 if unknown,
            which exempts the number from the rule.
    """

    owner: Positions
    better: Steps

    def __repr__(self) -> str:
        return short_repr(self, numbers=len(self.owner))

    def breaches(self, steps: Steps) -> Counts:
        """Return the number of cards that each genome improves and weakens, shape ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        gain = steps * self.better
        is_better = self._groups.largest(gain) > 0
        is_worse = self._groups.largest(-gain) > 0
        return np.asarray((is_better & is_worse).sum(axis=0))

    @cached_property
    def _groups(self) -> CardGroups:
        """Numbers of the space, grouped by their cards."""
        return CardGroups.of(self.owner)

    def cards_changed_both_ways(self, genome: Steps) -> list[int]:
        """Return the positions of the cards that a genome improves and weakens.

        Args:
            genome: genome, shape ``[K]``.
        """
        gain = genome * self.better
        better, worse = ({*self.owner[where].tolist()} for where in (gain > 0, gain < 0))
        return sorted(better & worse)

    def restricted_to(self, kept: Positions) -> Direction:
        """Return the rule for a space of fewer numbers, with all other numbers unchanged.

        Args:
            kept: positions of the numbers of the smaller space.
        """
        return Direction(self.owner[kept], self.better[kept])


class _Pair(NamedTuple):
    """Two cards of which the first could dominate the second after a patch.

    Each pair consists of a number of the first card and a number of the second, as positions in
    `Dominance.today`.

    Attributes:
        equal: pairs of numbers that dominance requires to be equal: the costs first, then amounts.
        body: pairs of numbers of the bodies. Dominance requires that the first number is lower in
            no pair, and higher in at least one.
    """

    equal: tuple[tuple[int, int], ...]
    body: tuple[tuple[int, int], ...]

    def is_possible(self, low: Sequence[int], high: Sequence[int]) -> bool:
        """Return whether the first card can dominate the second within the ranges of the numbers.

        The result is False if none of the numbers can move.

        Args:
            low: lowest value of each number, ``[N]``.
            high: highest value of each number, ``[N]``.
        """
        return (
            all(high[a] >= low[b] and high[b] >= low[a] for a, b in self.equal)
            and all(high[a] >= low[b] for a, b in self.body)
            and any(high[a] > low[b] for a, b in self.body)
            and any(low[n] < high[n] for pair in self.equal + self.body for n in pair)
        )

    def is_excused(self, values: Sequence[int]) -> bool:
        """Return whether the first card is as good as the second, with equal amounts of effects.

        Args:
            values: baseline values of all numbers, ``[N]``.
        """
        (own_cost, cost), *amounts = self.equal
        return (
            values[own_cost] <= values[cost]
            and all(values[a] == values[b] for a, b in amounts)
            and all(values[a] >= values[b] for a, b in self.body)
        )


@dataclass(frozen=True)
class Dominance:
    """Design rule: no card dominates another unless it is already as good in the baseline.

    Attributes:
        today: baseline values of the ``N`` numbers of all cards, ``[N]``.
        low: lowest value of each number, ``[N]``.
        high: highest value of each number, ``[N]``.
        gene: position of each number in a genome, ``[N]``; -1 if the number cannot move.
        pairs: pairs of cards of which the first could dominate the second.
        owner: position of the card of each number, ``[N]``.
    """

    today: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    gene: tuple[int, ...]
    pairs: tuple[_Pair, ...]
    owner: tuple[int, ...]

    def __repr__(self) -> str:
        return short_repr(self, numbers=len(self.owner), pairs=len(self.pairs))

    @classmethod
    def of(cls, cards: Sequence[Card], space: SearchSpace) -> Dominance:
        """Return the rule for the cards of a pool and the numbers of a search space.

        Args:
            cards: all cards that decks may contain, by position in the pool, including those that
                no current deck contains.
            space: search space with the ranges of the numbers that may move.
        """
        numbers = [Gene(k, field) for k, card in enumerate(cards) for field in card.fields]
        positions = [dict[str, int]() for _ in cards]
        for n, (owner, field) in enumerate(numbers):
            positions[owner][field] = n
        today = tuple(cards[owner].number(field) for owner, field in numbers)
        moves = {gene: k for k, gene in enumerate(space.genes)}
        gene = tuple(moves.get(number, -1) for number in numbers)
        low, high = (
            tuple(now + (int(ends[k]) if k >= 0 else 0) for now, k in zip(today, gene, strict=True))
            for ends in (space.low, space.high)
        )
        pairs = tuple(
            pair
            for pair in _pairs(cards, positions)
            if pair.is_possible(low, high) and not pair.is_excused(today)
        )
        return cls(today, low, high, gene, pairs, tuple(owner for owner, _ in numbers))

    def breaches(self, steps: Steps) -> Counts:
        """Return the number of pairs in which the first card dominates the second, shape ``[P]``.

        Args:
            steps: genomes, shape ``[P, K]``.
        """
        now = np.repeat(np.array(self.today, dtype=np.int16)[:, np.newaxis], len(steps), axis=1)
        gene = np.array(self.gene, dtype=np.intp)
        now[gene >= 0] += steps.T[gene[gene >= 0]]
        breaches = np.zeros(len(steps), dtype=np.int64)
        for equal, body in self._blocks:
            # The bitwise OR of all differences is negative if any difference is negative, and 0
            # only if all are 0. It is therefore positive exactly if no number is lower and one is
            # higher. This compares a whole block without a temporary array per condition.
            dominates = reduce(or_, (now[a] - now[b] for a, b in body)) > 0
            for a, b in equal:
                dominates &= now[a] == now[b]
            breaches += dominates.sum(axis=0)
        return breaches

    def dominated_pairs(self, genome: Steps) -> list[tuple[int, int]]:
        """Return the pairs of cards of which the first dominates the second after a patch.

        Args:
            genome: patch as steps from the baseline, shape ``[K]``.

        Returns:
            Pairs of positions of cards in the pool.
        """
        now = [
            today + (int(genome[k]) if k >= 0 else 0)
            for today, k in zip(self.today, self.gene, strict=True)
        ]
        return [
            (self.owner[pair.equal[0][0]], self.owner[pair.equal[0][1]])
            for pair in self.pairs
            if all(now[a] == now[b] for a, b in pair.equal)
            and all(now[a] >= now[b] for a, b in pair.body)
            and any(now[a] > now[b] for a, b in pair.body)
        ]

    @cached_property
    def _blocks(self) -> list[tuple[Positions, Positions]]:
        """Blocks of ``n`` pairs of the same shape: equal numbers, ``[E, 2, n]``, and bodies.

        Bodies have the shape ``[B, 2, n]``. Pairs of a block are compared with a single array
        operation per number.
        """
        shapes = defaultdict[tuple[int, int], list[_Pair]](list)
        for pair in self.pairs:
            shapes[len(pair.equal), len(pair.body)].append(pair)
        blocks = [
            zip(*alike[first : first + _BLOCK], strict=True)
            for alike in shapes.values()
            for first in range(0, len(alike), _BLOCK)
        ]
        return [
            (np.moveaxis(np.array(equal), 0, -1), np.moveaxis(np.array(body), 0, -1))
            for equal, body in blocks
        ]

    def restricted_to(self, kept: Positions) -> Dominance:
        """Return the rule for a space of fewer numbers, with all other numbers unchanged.

        Args:
            kept: positions of the numbers of the smaller space.
        """
        position_of = {k: position for position, k in enumerate(kept.tolist())}
        gene = tuple(position_of.get(k, -1) for k in self.gene)
        low, high = (
            tuple(now if k < 0 else end for now, end, k in zip(self.today, ends, gene, strict=True))
            for ends in (self.low, self.high)
        )
        pairs = tuple(pair for pair in self.pairs if pair.is_possible(low, high))
        return replace(self, low=low, high=high, gene=gene, pairs=pairs)


def _pairs(cards: Sequence[Card], places: Sequence[Mapping[str, int]]) -> Iterator[_Pair]:
    """Yield all pairs of cards of which the first could dominate the second with other numbers.

    Args:
        cards: cards by position in the pool.
        places: for each card, the positions of its numbers in `Dominance.today`, by field.
    """
    abilities = [_abilities(card) for card in cards]
    words = [frozenset(of_card) for of_card in abilities]
    for first, second in permutations(range(len(cards)), 2):
        first_abilities = abilities[first]
        second_abilities = abilities[second]
        # The cheap test of sets of abilities comes first, since it excludes most pairs.
        if (
            not words[second] <= words[first]
            or not _may_replace(cards[first], cards[second])
            or any(
                len(first_abilities[ability]) < len(times)
                for ability, times in second_abilities.items()
            )
        ):
            continue
        amounts = (
            pair
            for ability, times in second_abilities.items()
            for fields in zip(first_abilities[ability], times, strict=False)
            for pair in zip(*fields, strict=True)
        )
        own = places[first]
        others = places[second]
        equal = ((own[a], others[b]) for a, b in (("cost", "cost"), *amounts))
        yield _Pair(tuple(equal), tuple((own[f], others[f]) for f in _BODY if f in own))


def _may_replace(card: Card, other: Card) -> bool:
    """Return whether a card may replace another in every deck without a worse fixed property.

    Fixed properties are those that balancing does not change: requirements, overload, spell damage,
    and keywords that make a card worse.
    """
    return (
        card.kind == other.kind
        and card.hero in ("", other.hero)
        and card.needs in (ALWAYS, other.needs)
        and card.overload <= other.overload
        and card.spell_damage >= other.spell_damage
        and _BURDENS.intersection(card.keywords) <= _BURDENS.intersection(other.keywords)
    )


def _abilities(card: Card) -> dict[str, list[tuple[str, ...]]]:
    """Return the abilities of a card's text: keywords, options, tribe, and rows of effects.

    Rows that differ only by their amounts are the same ability, since balancing may change amounts;
    rows with different targets are different abilities. Keywords that make a card worse are left
    out.

    Returns:
        For each ability, the amount fields of each of its occurrences in the text.
    """
    abilities = defaultdict[str, list[tuple[str, ...]]](list)
    for word in (*card.keywords, *card.options, card.tribe and f"tribe {card.tribe}"):
        if word and word not in _BURDENS:
            abilities[word].append(())
    for number, row in enumerate(card.effects):
        of_row = [
            (place.key, field)
            for field, place in zip(AMOUNTS, card.amount_places, strict=False)
            if place.row == number
        ]
        text = row.model_dump_json(exclude={key for key, _ in of_row})
        abilities[f"{text} {card.target} {card.target_when}"].append(tuple(f for _, f in of_row))
    return dict(abilities)
