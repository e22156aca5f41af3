"""Sense: rules that a patch of cards keeps as a whole, whatever it would do for win rates.

Those of a single number, that attack and cost do not sink to 0, are bounds of its range
(`balance.card_space`).

A card *dominates* another of its kind and cost if every deck that may hold the other may hold it,
if it has the other's text or all of that and more, and if no number of its body is lower and one is
higher. Of amounts nobody can tell which way is better, so those of the other's text must be equal.
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

from balance.search_space import Constraint, SearchSpace, Steps
from balance.statistics.intervals import Counts, Positions
from balance.tune import Sense
from sim import AMOUNTS, Card
from sim.cards.notation import ALWAYS
from sim.play.table import Gene

BETTER = {"cost": -1, "attack": 1, "health": 1, "durability": 1}
"""The direction in which a number is better; an amount may be for its card or against it."""

_BURDENS = frozenset({"cannot_attack", "minions_only", "blunt"})  # a card is better without
_BODY = ("attack", "health", "durability")
_BLOCK = 64  # pairs compared at once: few enough that a thousand genomes of them fit a cache


def rules_of_sense(
    sense: Sense, cards: Sequence[Card], space: SearchSpace
) -> tuple[Constraint, ...]:
    """The rules that are switched on.

    Args:
        sense: which are.
        cards: all that a deck may hold, by their numbers.
        space: what may move of them.
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
    """No card is bettered in one number and worsened in another.

    Attributes:
        owner: ``[K]`` the card of each number.
        better: ``[K]`` 1 or -1 for the direction in which it is better, 0 if nobody can tell.
    """

    owner: Positions
    better: Steps

    def breaches(self, steps: Steps) -> Counts:
        """``[P]`` cards that are changed both ways."""
        gain = np.ascontiguousarray(steps.T) * self.better[:, np.newaxis]
        found = np.zeros(len(steps), dtype=np.int64)
        for card in np.unique(self.owner):
            own = gain[self.owner == card]
            found += (own > 0).any(axis=0) & (own < 0).any(axis=0)
        return found

    def both_ways(self, genome: Steps) -> list[int]:
        """The cards that a ``[K]`` genome changes both ways."""
        gain = genome * self.better
        better, worse = ({*self.owner[where].tolist()} for where in (gain > 0, gain < 0))
        return sorted(better & worse)

    def restricted_to(self, kept: Positions) -> Direction:
        """The same for genomes of some of the numbers."""
        return Direction(self.owner[kept], self.better[kept])


class _Pair(NamedTuple):
    """Two cards of which the first may come to dominate the other; numbers by their place.

    Attributes:
        equal: pairs of numbers that are then equal: the costs, then amounts.
        body: pairs of numbers of which the first is then no lower, and higher in one pair.
    """

    equal: tuple[tuple[int, int], ...]
    body: tuple[tuple[int, int], ...]

    def is_possible(self, low: Sequence[int], high: Sequence[int]) -> bool:
        """Whether some move of numbers between bounds makes the first dominate the other."""
        return (
            all(high[a] >= low[b] and high[b] >= low[a] for a, b in self.equal)
            and all(high[a] >= low[b] for a, b in self.body)
            and any(high[a] > low[b] for a, b in self.body)
            and any(low[n] < high[n] for pair in self.equal + self.body for n in pair)
        )

    def is_excused(self, today: Sequence[int]) -> bool:
        """Whether the first is as good in everything today, and no dearer."""
        (own_cost, cost), *amounts = self.equal
        return (
            today[own_cost] <= today[cost]
            and all(today[a] == today[b] for a, b in amounts)
            and all(today[a] >= today[b] for a, b in self.body)
        )


@dataclass(frozen=True)
class Dominance:
    """No card comes to dominate another, unless today it is as good in everything and no dearer.

    Attributes:
        today: ``[N]`` numbers of all cards.
        low: ``[N]`` the lowest that they may become.
        high: ``[N]`` the highest.
        gene: ``[N]`` which number of a genome moves each; -1 for none.
        pairs: who may come to dominate whom.
        owner: ``[N]`` the card of each number.
    """

    today: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    gene: tuple[int, ...]
    pairs: tuple[_Pair, ...]
    owner: tuple[int, ...]

    @classmethod
    def of(cls, cards: Sequence[Card], space: SearchSpace) -> Dominance:
        """What may come of cards in a space.

        Args:
            cards: all that decks may hold, by their numbers: what no player's deck holds today may
                be in the next one.
            space: what may move of them.
        """
        numbers = [Gene(k, field) for k, card in enumerate(cards) for field in card.fields]
        places = [dict[str, int]() for _ in cards]
        for n, (owner, field) in enumerate(numbers):
            places[owner][field] = n
        today = tuple(cards[owner].number(field) for owner, field in numbers)
        moves = {gene: k for k, gene in enumerate(space.genes)}
        gene = tuple(moves.get(number, -1) for number in numbers)
        low, high = (
            tuple(now + (int(ends[k]) if k >= 0 else 0) for now, k in zip(today, gene, strict=True))
            for ends in (space.low, space.high)
        )
        pairs = tuple(
            pair
            for pair in _pairs(cards, places)
            if pair.is_possible(low, high) and not pair.is_excused(today)
        )
        return cls(today, low, high, gene, pairs, tuple(owner for owner, _ in numbers))

    def breaches(self, steps: Steps) -> Counts:
        """``[P]`` pairs of cards of which one comes to dominate the other."""
        now = np.repeat(np.array(self.today, dtype=np.int16)[:, np.newaxis], len(steps), axis=1)
        gene = np.array(self.gene, dtype=np.intp)
        now[gene >= 0] += steps.T[gene[gene >= 0]]
        found = np.zeros(len(steps), dtype=np.int64)
        for equal, body in self._blocks:
            # The bits of all differences together: negative if one is, else 0 if all are.
            dominates = reduce(or_, (now[a] - now[b] for a, b in body)) > 0
            for a, b in equal:
                dominates &= now[a] == now[b]
            found += dominates.sum(axis=0)
        return found

    def dominating(self, genome: Steps) -> list[tuple[int, int]]:
        """The cards of which one comes to dominate the other with a ``[K]`` genome, in pairs."""
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
        """Pairs of one shape together: ``[E, 2, n]`` what is equal, ``[B, 2, n]`` the bodies."""
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
        """The same for genomes of some of the numbers, while the others stay as they are."""
        place = {k: position for position, k in enumerate(kept.tolist())}
        gene = tuple(place.get(k, -1) for k in self.gene)
        low, high = (
            tuple(now if k < 0 else end for now, end, k in zip(self.today, ends, gene, strict=True))
            for ends in (self.low, self.high)
        )
        pairs = tuple(pair for pair in self.pairs if pair.is_possible(low, high))
        return replace(self, low=low, high=high, gene=gene, pairs=pairs)


def _pairs(cards: Sequence[Card], places: Sequence[Mapping[str, int]]) -> Iterator[_Pair]:
    """All pairs of cards of which one could dominate the other, as far as text goes.

    Args:
        cards: by their numbers.
        places: where the numbers of each stand, by their fields.
    """
    abilities = [_abilities(card) for card in cards]
    words = [frozenset(of_card) for of_card in abilities]
    for one, other in permutations(range(len(cards)), 2):
        mine = abilities[one]
        its = abilities[other]
        if (
            not words[other] <= words[one]
            or not _may_replace(cards[one], cards[other])
            or any(len(mine[ability]) < len(times) for ability, times in its.items())
        ):
            continue
        amounts = (
            pair
            for ability, times in its.items()
            for fields in zip(mine[ability], times, strict=False)
            for pair in zip(*fields, strict=True)
        )
        own = places[one]
        others = places[other]
        equal = ((own[a], others[b]) for a, b in (("cost", "cost"), *amounts))
        yield _Pair(tuple(equal), tuple((own[f], others[f]) for f in _BODY if f in own))


def _may_replace(one: Card, other: Card) -> bool:
    """Whether every deck may hold one card for the other, and nothing that stays tells against."""
    return (
        one.kind == other.kind
        and one.hero in ("", other.hero)
        and one.needs in (ALWAYS, other.needs)
        and one.overload <= other.overload
        and one.spell_damage >= other.spell_damage
        and _BURDENS.intersection(one.keywords) <= _BURDENS.intersection(other.keywords)
    )


def _abilities(card: Card) -> dict[str, list[tuple[str, ...]]]:
    """What a card's text does for it, and for each time that it does, the fields of its amounts.

    A row is the same with other amounts, which balancing may move, but not with another target.
    """
    found = defaultdict[str, list[tuple[str, ...]]](list)
    for word in (*card.keywords, *card.options, card.tribe and f"tribe {card.tribe}"):
        if word and word not in _BURDENS:
            found[word].append(())
    for number, row in enumerate(card.effects):
        of_row = [
            (place.key, field)
            for field, place in zip(AMOUNTS, card.amount_places, strict=False)
            if place.row == number
        ]
        text = row.model_dump_json(exclude={key for key, _ in of_row})
        found[f"{text} {card.target} {card.target_when}"].append(tuple(f for _, f in of_row))
    return dict(found)
