"""Pareto front of patches, and the hypervolume that a search dominates over time.

The estimates of the best candidates during a search are biased, and more so the more candidates the
search has evaluated. A curve of these estimates would rise by chance alone. Therefore only
candidates that were played again on fresh seeds count, each from the generation in which the search
first evaluated it.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from balance.search.evolution import places_in
from balance.search.evolutionary_search import SearchState
from balance.search.selection import Selection
from balance.space.search_space import Steps
from balance.statistics.intervals import Counts, Flags, Floats, Interval
from balance.verdict.certificate import Certificate
from balance.verdict.evaluation import Evaluator
from sim.errors import InputError, listed


def on_front(*coordinates: npt.ArrayLike) -> Flags:
    """Return whether each point is on the Pareto front of minimal coordinates, shape ``[n]``.

    A point is on the front unless another point is at least as small in all coordinates and smaller
    in one of them; equal points are both on the front.

    Args:
        *coordinates: one or more coordinates of the points, shape ``[n]`` each.

    Raises:
        InputError: the shapes differ, or a coordinate is NaN.
    """
    columns = [np.asarray(column, dtype=np.float64) for column in coordinates]
    shapes = [column.shape for column in columns]
    if columns[0].ndim != 1 or len({*shapes}) > 1 or any(np.isnan(c).any() for c in columns):
        raise InputError(
            f"shapes {listed(map(str, shapes))} must be coordinates of equally many points, none "
            "of them NaN",
            place="coordinates",
            value=shapes,
        )
    points = np.stack(columns, axis=1)
    as_good = (points[:, np.newaxis] <= points).all(axis=2)
    better = (points[:, np.newaxis] < points).any(axis=2)
    return np.asarray(~np.any(as_good & better, axis=0))


def dominated_area(x: Floats, y: Floats, corner: tuple[float, float]) -> float:
    """Return the area of the plane that points dominate, up to a reference corner.

    Both coordinates are minimised. This is the hypervolume indicator in two dimensions (Zitzler and
    Thiele 1998). The area is computed exactly with fractions and rounded once, so that additional
    points never reduce it.

    Args:
        x: first coordinates, shape ``[n]``.
        y: second coordinates, shape ``[n]``.
        corner: upper limits of both coordinates; points beyond a limit add no area.

    Reference: E. Zitzler, L. Thiele, "Multiobjective optimization using evolutionary algorithms: a
    comparative case study", PPSN V (1998).
    """
    inside = (x < corner[0]) & (y < corner[1])
    right, top = map(Fraction, corner)
    area = Fraction(0)
    # From left to right, each point below all earlier points adds a rectangle up to the corner.
    lowest = top
    for left, height in sorted(zip(x[inside].tolist(), y[inside].tolist(), strict=True)):
        if height < lowest:
            area += (right - Fraction(left)) * (lowest - Fraction(height))
            lowest = Fraction(height)
    return float(area)


def first_seen(state: SearchState, genomes: Steps) -> Counts:
    """Return the generation in which a search first evaluated each genome, shape ``[S]``.

    Genomes that the search did not evaluate, such as those of the clean-up, count as evaluated in
    the last generation.

    Args:
        state: state of the search.
        genomes: genomes to look up, shape ``[S, K]``.
    """
    where = places_in(state.seen, genomes)
    where[where < 0] = len(state.seen) - 1
    return np.searchsorted(state.history[:, -1], where, side="right").astype(np.int64)


def hypervolume_course(
    state: SearchState, selection: Selection, imbalance_pp: Interval, *, today_pp: float
) -> Interval:
    """Return the dominated share of the plane of size and imbalance after each generation.

    The plane extends from 0 to the largest size of a selected genome plus 1, and from 0 to the
    imbalance of the baseline. Shares of different runs are therefore not comparable. Genomes that
    violate a guard do not count.

    Args:
        state: final state of the search.
        selection: best candidates of the search, played again.
        imbalance_pp: imbalance of the candidates in these games, in percentage points, ``[S]``.
        today_pp: imbalance of the baseline, in percentage points.

    Returns:
        Shares from 0 to 1, shape ``[generations + 1]``. The ends of an interval are the shares that
        follow if every imbalance equals an end of its interval.
    """
    first_generations = first_seen(state, selection.genomes)
    holds = selection.scores.violation == 0
    size = selection.scores.size
    corner = (float(size.max()) + 1, today_pp)
    # A balanced baseline leaves a plane of area 0, in which all dominated areas are 0 too.
    plane = corner[0] * corner[1] or 1.0
    counted = [
        holds & (first_generations <= generation) for generation in range(len(state.history))
    ]
    # A lower imbalance gives a larger area, so the order of the interval's ends is reversed.
    bounds = (imbalance_pp.estimate, imbalance_pp.high, imbalance_pp.low)
    areas = [[dominated_area(size[k], bound[k], corner) for k in counted] for bound in bounds]
    return Interval(*np.array(areas) / plane)


def hypervolume_of(
    evaluator: Evaluator, state: SearchState, selection: Selection, certificate: Certificate
) -> Interval:
    """Return the dominated share of the plane of size and imbalance after each generation.

    Args:
        evaluator: evaluator with the demands.
        state: final state of the search.
        selection: best candidates of the search, played again.
        certificate: certificate, with the imbalance of the baseline.

    Returns:
        Shares with intervals, shape ``[generations + 1]``; see `hypervolume_course`.
    """
    demands = evaluator.demands
    played = demands.measured_imbalance_pp(selection.rates, selection.n_games)
    return hypervolume_course(
        state, selection, played, today_pp=float(certificate.before_pp.estimate)
    )
