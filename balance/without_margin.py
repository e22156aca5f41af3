"""Smaller patches without margin: inside every limit, but not by enough for a likely certificate.

The recommended patch is the smallest one with enough margin. A smaller patch that is measured
inside every limit may be balanced as well, but its certificate would need more games to be likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

import numpy as np

from balance.clean_up_result import CleanUp
from balance.evaluation import Evaluator
from balance.room import rooms_pp
from balance.search_space import Steps
from balance.selection import Selection
from balance.settings import Games
from balance.statistics.intervals import Floats, Interval

_MOST_TIMES = 1_000  # largest factor on the games that is reported; more are out of reach


class WithoutMargin(NamedTuple):
    """The smallest patch that is inside every limit but lacks the margin for a certificate.

    Attributes:
        genome: patch as steps from the baseline, shape ``[K]``.
        change: size of the patch.
        cards_touched: number of edited cards.
        imbalance_pp: imbalance in games that did not select it, with its simultaneous interval.
        n_games: games per matchup behind the imbalance.
        n_patches: number of such patches with less change than the recommended one.
        times_games: factor on the games of selection and certificate that would give it enough
            margin if its true rates are the measured ones; `None` if a guard lacks margin, or if
            the factor is too large.
    """

    genome: Steps
    change: float
    cards_touched: int
    imbalance_pp: Interval
    n_games: int
    n_patches: int
    times_games: int | None


class _Seen(NamedTuple):
    """A patch that is measured inside every limit.

    Attributes:
        genome: patch as steps from the baseline, shape ``[K]``.
        imbalance_pp: imbalance with its simultaneous interval.
        n_games: games per matchup behind the imbalance.
        guards_lack: whether a guard lacks margin.
        part: least share of its needed margin that a rate has.
    """

    genome: Steps
    imbalance_pp: Interval
    n_games: int
    guards_lack: bool
    part: float


def smallest_without_margin(
    evaluator: Evaluator, selection: Selection, cleanup: CleanUp, games: Games
) -> WithoutMargin | None:
    """Return the smallest patch without margin, if any has less change than the recommended one.

    Args:
        evaluator: knows demands and space.
        selection: candidates that were played again.
        cleanup: result of the clean-up, with the reduced patches.
        games: games per matchup of each stage.
    """
    recommended = float(selection.scores.change[selection.recommended])
    space = evaluator.space
    patches = (
        *_selection_patches(evaluator, selection, games),
        *_cleanup_patches(evaluator, cleanup, games),
    )
    # The clean-up's games of a patch replace those of the selection, which may have chosen it.
    seen = {
        bytes(patch.genome): patch
        for patch in patches
        if float(space.change(patch.genome[np.newaxis])[0]) < recommended
    }
    if not seen:
        return None
    best = min(
        seen.values(),
        key=lambda patch: (
            float(space.change(patch.genome[np.newaxis])[0]),
            float(patch.imbalance_pp.estimate),
        ),
    )
    return WithoutMargin(
        best.genome,
        float(space.change(best.genome[np.newaxis])[0]),
        int(space.cards_touched(best.genome[np.newaxis])[0]),
        best.imbalance_pp,
        best.n_games,
        len(seen),
        _times_games(best),
    )


def _times_games(patch: _Seen) -> int | None:
    """Return the factor on the games that would give a patch enough margin, if reasonable.

    The needed margin shrinks with the square root of the games, so the factor is the inverse square
    of the share that the patch has.
    """
    if patch.guards_lack or patch.part <= 0:
        return None
    # part = available margin / needed margin, and the needed margin is proportional to 1 / sqrt(n).
    times = ceil(1 / patch.part**2)
    return times if times <= _MOST_TIMES else None


def _selection_patches(evaluator: Evaluator, selection: Selection, games: Games) -> Iterator[_Seen]:
    """Yield the selection's candidates inside every limit without margin."""
    demands = evaluator.demands
    rates = selection.points / selection.n_games
    imbalances_pp = demands.imbalance_pp(
        demands.estimate(rates, selection.n_games, demands.joint_confidence)
    )
    for k in np.flatnonzero(selection.reads_inside & ~selection.has_room).tolist():
        lacks = bool(selection.scores.violation[k] > 0)
        genome = selection.genomes[k]
        spare = _part_of_room(evaluator, genome, demands.of(rates[k]), selection.n_games, games)
        yield _Seen(genome, imbalances_pp.at(k), selection.n_games, lacks, spare)


def _cleanup_patches(evaluator: Evaluator, cleanup: CleanUp, games: Games) -> Iterator[_Seen]:
    """Yield the clean-up's reduced patches inside every limit without margin."""
    for patch in cleanup.too_near:
        if patch.imbalance_pp is None or patch.rates is None:
            continue
        lacks = any(short.kind == "guard" for short in patch.shortfalls)
        spare = _part_of_room(evaluator, patch.genome, patch.rates, patch.n_games, games)
        yield _Seen(patch.genome, patch.imbalance_pp, patch.n_games, lacks, spare)


def _part_of_room(
    evaluator: Evaluator, genome: Steps, rates: Floats, n_games: int, games: Games
) -> float:
    """Return the least share of its needed margin that any demanded rate has.

    Args:
        evaluator: knows the demands.
        genome: patch as steps from the baseline, shape ``[K]``.
        rates: demanded rates, ``[N]``.
        n_games: games per matchup behind the rates.
        games: games per matchup of each stage.
    """
    demands = evaluator.demands
    room_pp = rooms_pp(evaluator, genome[np.newaxis], n_games, games)[0] * demands.errors
    inside = 100 * np.minimum(rates - demands.low, demands.high - rates)
    return float((inside / room_pp).min())
