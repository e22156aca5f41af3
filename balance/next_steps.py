"""Next steps: what one more step of a number, up or down, does to a demanded rate.

They are played on the luck of the edits that are there, so that a change is told by few games; and
only in matchups that the rate is of and the number can reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from balance.demands import Demands
from balance.statistics.intervals import Floats
from balance.whatif import STREAM, Edits, Exploration
from sim.play.table import Gene


class Step(NamedTuple):
    """A number, and how far it moves from where it is."""

    gene: Gene
    by: int


def changes_by_steps(
    exploration: Exploration, edits: Edits, steps: Sequence[Step], demand: Demands, n_games: int
) -> Floats:
    """``[E]`` what each step adds to a demanded rate; no number where its games never end.

    Args:
        exploration: plays, and has the games of the edits.
        edits: from which the steps lead on.
        steps: one at a time.
        demand: one.
        n_games: per matchup, equally many in every seating.
    """
    contest, base = exploration.contest, exploration.explore(edits, n_games).readings
    genes = [*dict.fromkeys([*edits, *(step.gene for step in steps)])]
    moved = np.tile(np.array([edits.get(gene, 0) for gene in genes], np.int16), (len(steps), 1))
    for row, step in zip(moved, steps, strict=True):
        row[genes.index(step.gene)] += step.by
    is_part = demand.touched(np.eye(len(contest.matchups), dtype=np.bool_))[:, 0] > 0
    reach = contest.matchup_reach([step.gene for step in steps])
    shares = np.repeat(base.shares_by_seed(), len(steps), axis=0)
    for m in np.flatnonzero(is_part & reach.any(axis=0)):
        reached = np.flatnonzero(reach[:, m])
        shares[reached, m] = contest.play(
            moved[reached],
            genes,
            n_games=n_games,
            run_seed=exploration.run_seed,
            purpose=STREAM,
            matchups=[contest.matchups[m]],
            threads=exploration.threads,
            faults="keep",
        ).shares_by_seed()[:, 0]
    stepped = type(base).of(shares)
    rate, before = (demand.of(demand.rates(one))[:, 0] for one in (stepped, base))
    return np.asarray(rate - before)
