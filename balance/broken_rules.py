"""Broken rules: which setting of `[tune]` a patch as a whole does not keep, and by which cards."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from balance.search_space import SearchSpace, Steps
from balance.sense import Direction, Dominance
from sim.play.table import OF_RULES


class BrokenRule(NamedTuple):
    """A rule that a patch breaks.

    Attributes:
        key: in an experiment file, as `tune.zero_sum`.
        owners: the cards by which, by their numbers; of a card that would dominate another, the
            better one first.
    """

    key: str
    owners: tuple[int, ...] = ()


def broken_rules(space: SearchSpace, genome: Steps) -> list[BrokenRule]:
    """What a ``[K]`` genome breaks of all that a space asks patches to keep.

    Args:
        space: whose constraints count; a number's own range is not among them.
        genome: the patch.
    """
    return [
        *_broken_sense(space, genome),
        *_broken_sums(space, genome),
        *_broken_sizes(space, genome),
    ]


def _broken_sense(space: SearchSpace, genome: Steps) -> list[BrokenRule]:
    found = list[BrokenRule]()
    for one in space.constraints:
        if isinstance(one, Dominance):
            found += [BrokenRule("tune.sense.dominance", pair) for pair in one.dominating(genome)]
        elif isinstance(one, Direction):
            found += [BrokenRule("tune.sense.direction", (card,)) for card in one.both_ways(genome)]
        elif one.breaches(genome[np.newaxis])[0]:
            found.append(BrokenRule(f"tune: {type(one).__name__}"))
    return found


def _broken_sums(space: SearchSpace, genome: Steps) -> list[BrokenRule]:
    sums = space.sums
    if sums is None:
        return []
    found = list[BrokenRule]()
    for row in np.flatnonzero(sums.off(genome[np.newaxis])[0]).tolist():
        name = sums.names[row] if sums.names else "sums"
        moved = space.owners[(sums.weights[row] != 0) & (genome != 0)].tolist()
        found.append(BrokenRule(f"tune.{name}", _cards(moved)))
    return found


def _broken_sizes(space: SearchSpace, genome: Steps) -> list[BrokenRule]:
    """How many cards, how much change, and how much of a card."""
    found = list[BrokenRule]()
    one = genome[np.newaxis]
    if space.most_cards < inf and space.cards_touched(one)[0] > space.most_cards:
        found.append(BrokenRule("tune.max_cards"))
    if space.most_change < inf and space.change(one)[0] > space.most_change:
        found.append(BrokenRule("tune.max_change"))
    limit = space.card_change
    if limit is not None:
        for numbers in limit.numbers_by_card:
            if np.abs(genome[numbers].astype(np.int64)).sum() > limit.most[numbers[0]]:
                found.append(BrokenRule("tune.max_card_change", (int(limit.owner[numbers[0]]),)))
    return found


def _cards(owners: list[int]) -> tuple[int, ...]:
    """Each card once, without the rules, which are none."""
    return tuple(dict.fromkeys(owner for owner in owners if owner != OF_RULES))
