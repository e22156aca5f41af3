"""Changes of win rates between two sets of observed games, such as two patches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.cards.card_contest import Matchup
from balance.observed.observed_matchups import ObservedMatchups
from balance.statistics.intervals import (
    CONFIDENCE,
    Flags,
    Floats,
    Interval,
    difference_of_shares,
    wilson,
)


class ObservedChanges(NamedTuple):
    """Changes of the win rates of the ``M`` pairs with games in both sets.

    Attributes:
        pairs: pairs of players, in lexicographic order.
        before: win rate of the first-named player before, shape [M].
        after: win rate of the first-named player after, shape [M].
        change: after minus before, with 95 % intervals for each pair alone, shape [M].
        joint: the same changes with intervals that all contain the true changes at 95 %, shape [M].
        n_before: number of games before, shape [M].
        n_after: number of games after, shape [M].
    """

    pairs: tuple[Matchup, ...]
    before: Interval
    after: Interval
    change: Interval
    joint: Interval
    n_before: Floats
    n_after: Floats

    @property
    def differs_alone(self) -> Flags:
        """Whether the interval of a pair alone excludes 0, shape [M].

        Of pairs without a change, about one in twenty has such an interval by chance.
        """
        return excludes_zero(self.change)

    @property
    def differs(self) -> Flags:
        """Whether the joint interval excludes 0, shape [M].

        If no pair changed, the probability that this is true of any pair is at most 5 %.
        """
        return excludes_zero(self.joint)


def changes_between(before: ObservedMatchups, after: ObservedMatchups) -> ObservedChanges:
    """Return the changes of all pairs with games in both sets.

    Intervals are Newcombe's for independent samples. The joint intervals have the level 1 - 0.05 /
    M each (Bonferroni), so that all hold together at 95 %.

    Args:
        before: earlier games.
        after: later games of the same players, in the same order.
    """
    in_both = {*before.pairs} & {*after.pairs}
    pairs = tuple(sorted(in_both))
    rows, columns = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    joint_level = 1 - (1 - CONFIDENCE) / max(len(pairs), 1)
    samples = [(some.points[rows, columns], some.games[rows, columns]) for some in (before, after)]
    alone, joint = (
        [wilson(*sample, level) for sample in samples] for level in (CONFIDENCE, joint_level)
    )
    return ObservedChanges(
        pairs=pairs,
        before=alone[0],
        after=alone[1],
        change=difference_of_shares(alone[1], alone[0]),
        joint=difference_of_shares(joint[1], joint[0]),
        n_before=samples[0][1],
        n_after=samples[1][1],
    )


def excludes_zero(interval: Interval) -> Flags:
    """Return whether each interval lies wholly above or below 0."""
    return np.asarray((interval.low > 0) | (interval.high < 0))
