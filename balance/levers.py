"""Levers: how far one step of one number moves each matchup."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from balance.contest import Contest
from balance.search_space import SearchSpace
from balance.statistics.intervals import Interval, paired_mean


@dataclass(frozen=True)
class Levers:
    """Change of win rate per step up, for ``K`` numbers and ``M`` matchups.

    Attributes:
        n_games: games per matchup for each direction of each number.
        slope: ``[K, M]`` change of `a`'s win rate per step, from one step down to one step up
            where both are allowed, with the paired interval.
    """

    n_games: int
    slope: Interval


def measure_levers(
    contest: Contest,
    space: SearchSpace,
    *,
    n_games: int,
    run_seed: int,
    threads: int | None = None,
) -> Levers:
    """Move every number one step up and one step down, alone, on paired seeds.

    Args:
        contest: who meets whom.
        space: the numbers.
        n_games: games per matchup and variant, even.
        run_seed: the run's seed; games are those of the purpose `lever`.
        threads: threads to use; default all cores.

    Raises:
        CardFault: the games with today's numbers never end. A step with which they do not is as if
            it were not allowed.
    """
    n_genes = len(space.genes)
    down = np.where(space.low < 0, -1, 0)
    up = np.where(space.high > 0, 1, 0)
    steps = np.concatenate([np.diag(down), np.diag(up)])
    play = partial(
        contest.play,
        genes=space.genes,
        n_games=n_games,
        run_seed=run_seed,
        purpose="lever",
        threads=threads,
    )
    readings = play(steps, faults="keep")
    if readings.faults:
        steps[list(readings.faults)] = 0
        readings = play(steps)
    length = np.maximum(steps[n_genes:].sum(axis=1) - steps[:n_genes].sum(axis=1), 1)
    slopes = []
    for k in range(n_genes):  # one at a time: all at once would need gigabytes
        gained = readings.rates_by_seed(n_genes + k) - readings.rates_by_seed(k)
        slopes.append(paired_mean(gained / length[k]))
    return Levers(n_games, Interval(*map(np.stack, zip(*slopes, strict=True))))
