"""The hypervolume: how much of the plane of change and imbalance a search has conquered.

A search's own estimates are lucky, and the luckier the longer it looks, so a curve drawn from
them would rise by luck alone. Here only genomes that were played again on other seeds count, each
from the generation in which the search first saw it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from balance.pipeline import BalanceRun
from balance.search import SearchState
from balance.search_space import Steps
from balance.selection import Selection
from balance.statistics.intervals import Floats, Interval, wilson
from balance.statistics.pareto import dominated_area


def first_seen(state: SearchState, genomes: Steps) -> npt.NDArray[np.int64]:
    """``[S]`` the generation in which a search first saw each of some genomes that it saw."""
    position = {genome.tobytes(): k for k, genome in enumerate(state.seen)}
    where = [position[genome.tobytes()] for genome in genomes]
    n_seen = state.history[:, -1]
    return np.searchsorted(n_seen, where, side="right").astype(np.int64)


def hypervolume_course(
    state: SearchState, selection: Selection, imbalance_pp: Interval, *, today_pp: float
) -> Interval:
    """``[generations + 1]`` share of the plane that the genomes seen so far dominate, in [0, 1].

    The plane reaches from no change and no imbalance to today's imbalance and one step beyond the
    largest change of a genome that was played again, so shares of several runs do not compare.
    Genomes that break a guard do not count. The bounds are what the share would be if every
    imbalance were at that end of its interval.

    Args:
        state: the finished search.
        selection: its best genomes, played again.
        imbalance_pp: ``[S]`` their imbalance in those games.
        today_pp: imbalance of today's cards.
    """
    born = first_seen(state, selection.genomes)
    holds = selection.scores.violation == 0
    change = selection.scores.change
    corner = (float(change.max()) + 1, today_pp)
    whole = corner[0] * corner[1]

    def course(imbalance: Floats) -> Floats:
        """Of one of the bounds."""
        areas = np.zeros(len(state.history))
        if whole > 0:
            for generation in range(len(areas)):
                known = holds & (born <= generation)
                areas[generation] = dominated_area(change[known], imbalance[known], corner) / whole
        return areas

    # The lower the imbalance, the larger the area.
    return Interval(
        course(imbalance_pp.estimate), course(imbalance_pp.high), course(imbalance_pp.low)
    )


def hypervolume_of(run: BalanceRun) -> Interval:
    """``[generations + 1]`` what the genomes played again dominate, as the search found them."""
    selection, certificate, demands = run.selection, run.certificate, run.evaluator.demands
    rates = wilson(selection.points, selection.n_games, certificate.confidence)
    today = demands.imbalance_pp(certificate.before)
    return hypervolume_course(
        run.state,
        selection,
        demands.imbalance_pp(rates),
        today_pp=float(today.estimate),
    )
