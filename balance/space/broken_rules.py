"""Check of a whole patch against the rules of `[tune]`, with the cards that violate each rule."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from balance.space.design_rules import Direction, Dominance
from balance.space.search_space import SearchSpace, Steps
from sim.play.table import OF_RULES


class BrokenRule(NamedTuple):
    """Rule of `[tune]` that a patch violates.

    Attributes:
        key: key of the rule in an experiment file, such as `tune.zero_sum`.
        owners: positions in the pool of the cards that violate the rule, empty for rules on the
            whole patch; for `tune.sense.dominance` the dominating card comes first.
    """

    key: str
    owners: tuple[int, ...] = ()


def broken_rules(space: SearchSpace, genome: Steps) -> list[BrokenRule]:
    """Return all rules of a search space that a genome violates, except ranges of single numbers.

    Args:
        space: search space with the rules.
        genome: patch as steps from the baseline numbers, shape ``[K]``.
    """
    return [
        *_broken_sense(space, genome),
        *_broken_sums(space, genome),
        *_broken_sizes(space, genome),
    ]


def _broken_sense(space: SearchSpace, genome: Steps) -> list[BrokenRule]:
    """Return the violated design rules (`tune.sense`) with their cards, and other constraints."""
    broken = list[BrokenRule]()
    for rule in space.constraints:
        if isinstance(rule, Dominance):
            broken += [
                BrokenRule("tune.sense.dominance", pair) for pair in rule.dominated_pairs(genome)
            ]
        elif isinstance(rule, Direction):
            broken += [
                BrokenRule("tune.sense.direction", (card,))
                for card in rule.cards_changed_both_ways(genome)
            ]
        elif rule.breaches(genome[np.newaxis])[0]:
            broken.append(BrokenRule(f"tune: {type(rule).__name__}"))
    return broken


def _broken_sums(space: SearchSpace, genome: Steps) -> list[BrokenRule]:
    """Return the violated bounds on weighted sums of steps, such as `tune.zero_sum`."""
    sums = space.sums
    if sums is None:
        return []
    broken = list[BrokenRule]()
    for row in np.flatnonzero(sums.off(genome[np.newaxis])[0]).tolist():
        name = sums.names[row] if sums.names else "sums"
        moved = space.owners[(sums.weights[row] != 0) & (genome != 0)].tolist()
        broken.append(BrokenRule(f"tune.{name}", _distinct_cards(moved)))
    return broken


def _broken_sizes(space: SearchSpace, genome: Steps) -> list[BrokenRule]:
    """Return the violated limits on edited cards, total change, and change of one card."""
    broken = list[BrokenRule]()
    genomes = genome[np.newaxis]
    if space.most_cards < inf and space.cards_touched(genomes)[0] > space.most_cards:
        broken.append(BrokenRule("tune.max_cards"))
    if space.most_change < inf and space.change(genomes)[0] > space.most_change:
        broken.append(BrokenRule("tune.max_change"))
    limit = space.card_change
    if limit is not None:
        for numbers in limit.numbers_by_card:
            # The steps are converted to int64, since a sum of int16 steps may overflow.
            if np.abs(genome[numbers].astype(np.int64)).sum() > limit.most[numbers[0]]:
                broken.append(BrokenRule("tune.max_card_change", (int(limit.owner[numbers[0]]),)))
    return broken


def _distinct_cards(owners: list[int]) -> tuple[int, ...]:
    """Return the distinct owners that are cards, in order; the ruleset is left out."""
    return tuple(dict.fromkeys(owner for owner in owners if owner != OF_RULES))
