"""Construction of the search space of a contest without cards, from the settings of `[tune]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from balance.contest.contest import Contest
from balance.contest.contest_limits import ContestLimits
from balance.space.search_space import CardChange, SearchSpace, Sums
from balance.space.tune import ALL, Way, signs_by_way
from balance.statistics.intervals import Counts
from sim.errors import InputError, known_word
from sim.play.table import Gene


def contest_space(
    contest: Contest,
    ranges: Mapping[Gene, tuple[int, int]],
    weights: Mapping[Gene, float],
    limits: ContestLimits,
) -> SearchSpace:
    """Return the search space of the numbers of a contest that may change.

    Args:
        contest: contest with the numbers.
        ranges: lowest and highest step from the baseline of each number that may change.
        weights: cost of one step of a number; 1 for numbers that are not listed.
        limits: locks, directions and limits of patches.

    Raises:
        InputError: a setting names an unknown owner or number, or no number may change.
    """
    labels = {gene: _labels(contest, gene) for gene in ranges}
    known = dict.fromkeys(label for own in labels.values() for label in own)
    for key, names in (("lock", limits.lock), ("direction", limits.direction)):
        for name in names:
            known_word(
                "number", name, [*known, *(["all"] if key == "direction" else [])], f"tune.{key}"
            )
    steps = dict[Gene, tuple[int, int]]()
    for gene, (low, high) in ranges.items():
        if not {*labels[gene]}.isdisjoint(limits.lock):
            continue
        ways = _ways_of(contest.parameter(gene).better, labels[gene], limits.direction)
        most = inf if limits.max_steps is None else limits.max_steps
        down = int(max(low, -most)) if -1 in ways else 0
        up = int(min(high, most)) if 1 in ways else 0
        if down < up:
            steps[gene] = down, up
    if not steps:
        raise InputError(
            "no number may change",
            place="tune",
            remedy="give a number a range, or remove a lock or a direction",
        )
    genes = tuple(steps)
    low_steps, high_steps = np.array([*steps.values()], dtype=np.int16).T
    space = SearchSpace(
        genes,
        low_steps,
        high_steps,
        np.array([weights.get(gene, 1.0) for gene in genes]),
        most_cards=inf if limits.max_owners is None else limits.max_owners,
        most_change=inf if limits.max_change is None else limits.max_change,
    )
    return replace(
        space,
        card_change=_owner_change(limits, space),
        sums=_zero_sum(contest, limits, space),
    )


def _labels(contest: Contest, gene: Gene) -> tuple[str, str]:
    """Return the names by which settings may address a number, the most specific one first."""
    number = contest.parameter(gene)
    return f"{number.owner}.{number.field}", number.owner


def _ways_of(better: int, labels: Sequence[str], directions: Mapping[str, Way]) -> tuple[int, ...]:
    """Return the signs of the steps that a number may take; the most specific setting decides.

    Args:
        better: direction that helps the owner; 0 if it is unknown, for which `buffs` and `nerfs`
            permit both directions.
        labels: names of the number in settings, the most specific one first.
        directions: settings of `tune.direction`.
    """
    signs = signs_by_way(better)
    for label in (*labels, ALL):
        if label in directions:
            return signs.get(directions[label], (-1, 1))
    return -1, 1


def _owner_change(limits: ContestLimits, space: SearchSpace) -> CardChange | None:
    """Return the limit on the steps of each owner; `None` if the settings have none."""
    if limits.max_owner_change is None:
        return None
    most: Counts = np.full(len(space.genes), limits.max_owner_change, np.int64)
    return CardChange(space.owners, most)


def _zero_sum(contest: Contest, limits: ContestLimits, space: SearchSpace) -> Sums | None:
    """Return the bound on the difference between buffs and nerfs; `None` without the setting.

    Raises:
        InputError: no number says which direction is better.
    """
    if limits.zero_sum is None:
        return None
    better = np.array([contest.parameter(gene).better for gene in space.genes])
    if not better.any():
        raise InputError(
            "no number says which direction helps its owner",
            place="tune.zero_sum",
            value=limits.zero_sum,
            remedy='write better = "higher" or "lower" in the declarations of numbers',
        )
    bound = np.array([limits.zero_sum])
    return Sums((better * space.weights)[np.newaxis], -bound, bound, ("zero_sum",))
