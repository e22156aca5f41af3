"""The front of change and imbalance, and how much of their plane a search has conquered.

A search's own estimates are lucky, and the luckier the longer it looks, so a curve drawn from
them would rise by luck alone. Here only genomes that were played again on other seeds count, each
from the generation in which the search first saw it.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from balance.evolution import places_in
from balance.found_patch import FoundPatch
from balance.search import SearchState
from balance.search_space import Steps
from balance.selection import Selection
from balance.statistics.intervals import Counts, Flags, Floats, Interval
from sim.errors import InputError


def on_front(x: Floats, y: Floats) -> Flags:
    """``[n]`` whether no other point is as good in both coordinates and better in one.

    Raises:
        InputError: these are no coordinates of as many points, or one is no number.
    """
    x = np.asarray(x, dtype=np.float64)
    y = np.asarray(y, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or np.isnan(x).any() or np.isnan(y).any():
        raise InputError(
            f"x of shape {x.shape}, y of shape {y.shape}; must be coordinates of as many points, "
            "none of them NaN"
        )
    as_good = (x[:, np.newaxis] <= x) & (y[:, np.newaxis] <= y)
    better = (x[:, np.newaxis] < x) | (y[:, np.newaxis] < y)
    return np.asarray(~np.any(as_good & better, axis=0))


def dominated_area(x: Floats, y: Floats, corner: tuple[float, float]) -> float:
    """Area of what is no better than some point and no worse than `corner`, both to be small.

    The exact hypervolume indicator in two dimensions (Zitzler and Thiele, 1998), rounded once, so
    that more points never come to less.

    Args:
        x: ``[n]`` first coordinates.
        y: ``[n]`` second coordinates.
        corner: the reference point; points beyond it add nothing.
    """
    inside = (x < corner[0]) & (y < corner[1])
    right, top = map(Fraction, corner)
    area = Fraction(0)
    lowest = top
    for left, height in sorted(zip(x[inside].tolist(), y[inside].tolist(), strict=True)):
        if height < lowest:
            area += (right - Fraction(left)) * (lowest - Fraction(height))
            lowest = Fraction(height)
    return float(area)


def first_seen(state: SearchState, genomes: Steps) -> Counts:
    """``[S]`` the generation in which a search first saw each of some genomes.

    What it did not see itself (`balance.cleanup`) counts as the last's.
    """
    where = places_in(state.seen, genomes)
    where[where < 0] = len(state.seen) - 1
    return np.searchsorted(state.history[:, -1], where, side="right").astype(np.int64)


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
    whole = corner[0] * corner[1] or 1.0  # where there is nothing to dominate, the area is 0
    known = [holds & (born <= generation) for generation in range(len(state.history))]
    # The lower the imbalance, the larger the area.
    bounds = (imbalance_pp.estimate, imbalance_pp.high, imbalance_pp.low)
    areas = [[dominated_area(change[k], bound[k], corner) for k in known] for bound in bounds]
    return Interval(*np.array(areas) / whole)


def hypervolume_of(run: FoundPatch) -> Interval:
    """``[generations + 1]`` what the genomes played again dominate, as the search found them."""
    selection = run.selection
    certificate = run.certificate
    demands = run.evaluator.demands
    rates = selection.points / selection.n_games
    played = demands.imbalance_pp(
        demands.estimate(rates, selection.n_games, demands.joint_confidence)
    )
    return hypervolume_course(
        run.state, selection, played, today_pp=float(certificate.before_pp.estimate)
    )
