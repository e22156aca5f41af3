"""Smaller patches without margin: those that read inside every limit, but not by enough.

The smallest patch that is recommended is the smallest with margin. What is smaller yet and reads
inside may be balanced as well, but its certificate is not likely with the games that are asked for.
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

_MOST_TIMES = 1_000  # times as many games: beyond that nobody would play them


class WithoutMargin(NamedTuple):
    """The smallest of the patches that read inside every limit, but lack room for a certificate.

    Attributes:
        genome: ``[K]``.
        change: of it.
        cards_touched: by it.
        imbalance_pp: in games that did not find it, with its interval for all demands together.
        n_games: per matchup, these games.
        n_patches: how many patches of less change than the recommended one read so.
        times_games: how many times the games of selection and certificate would leave it its room,
            if it truly is as it reads; `None` where a guard lacks room, or beyond reason.
    """

    genome: Steps
    change: float
    cards_touched: int
    imbalance_pp: Interval
    n_games: int
    n_patches: int
    times_games: int | None


class _Seen(NamedTuple):
    """A patch that reads inside every limit, and the least part of its room that a rate has."""

    genome: Steps
    imbalance_pp: Interval
    n_games: int
    guards_lack: bool
    part: float


def smallest_without_margin(
    evaluator: Evaluator, selection: Selection, cleanup: CleanUp, games: Games
) -> WithoutMargin | None:
    """The smallest such patch of less change than the recommended one, if there is any.

    Args:
        evaluator: knows demands and space.
        selection: patches that were played again.
        cleanup: patches with an edit less, as far as they were tried.
        games: per matchup.
    """
    recommended = float(selection.scores.change[selection.recommended])
    space = evaluator.space
    seen = {
        bytes(one.genome): one
        for one in (*_selected(evaluator, selection, games), *_tried(evaluator, cleanup, games))
        if float(space.change(one.genome[np.newaxis])[0]) < recommended
    }
    if not seen:
        return None
    best = min(
        seen.values(),
        key=lambda one: (
            float(space.change(one.genome[np.newaxis])[0]),
            float(one.imbalance_pp.estimate),
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


def _times_games(one: _Seen) -> int | None:
    """Room shrinks with the root of the games, so it takes the square of what is lacking."""
    if one.guards_lack or one.part <= 0:
        return None
    times = ceil(1 / one.part**2)
    return times if times <= _MOST_TIMES else None


def _selected(evaluator: Evaluator, selection: Selection, games: Games) -> Iterator[_Seen]:
    demands = evaluator.demands
    rates = selection.points / selection.n_games
    told = demands.imbalance_pp(
        demands.estimate(rates, selection.n_games, demands.joint_confidence)
    )
    for k in np.flatnonzero(selection.reads_inside & ~selection.has_room).tolist():
        lacks = bool(selection.scores.violation[k] > 0)
        genome = selection.genomes[k]
        spare = _part_of_room(evaluator, genome, demands.of(rates[k]), selection.n_games, games)
        yield _Seen(genome, told.at(k), selection.n_games, lacks, spare)


def _tried(evaluator: Evaluator, cleanup: CleanUp, games: Games) -> Iterator[_Seen]:
    for one in cleanup.too_near:
        if one.imbalance_pp is None or one.rates is None:
            continue
        lacks = any(short.kind == "guard" for short in one.shortfalls)
        spare = _part_of_room(evaluator, one.genome, one.rates, one.n_games, games)
        yield _Seen(one.genome, one.imbalance_pp, one.n_games, lacks, spare)


def _part_of_room(
    evaluator: Evaluator, genome: Steps, rates: Floats, n_games: int, games: Games
) -> float:
    """The least part of the room that it needs which a rate of ``[N]`` has."""
    demands = evaluator.demands
    room_pp = rooms_pp(evaluator, genome[np.newaxis], n_games, games)[0] * demands.errors
    inside = 100 * np.minimum(rates - demands.low, demands.high - rates)
    return float((inside / room_pp).min())
