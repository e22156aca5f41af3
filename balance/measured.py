"""Measured patches: all that a run has read in games that did not find them.

What is said of patches as a whole, such as how near any of them comes, must not contradict these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from balance.certificate import Certificate
from balance.clean_up_result import CleanUp
from balance.edit_effects import EditEffects
from balance.evaluation import Evaluator
from balance.selection import Selection
from balance.statistics.intervals import Floats, Interval


class MeasuredPatch(NamedTuple):
    """What a patch came to in games that did not find it.

    Attributes:
        games: whose they are: those that measured `today`, the `selection`, the `clean-up`, the
            `certificate`, or those of `edits` left out.
        change: of the patch; 0 of today's numbers.
        rates: ``[N]`` the demanded rates.
        imbalance_pp: with its interval, of all demands together.
        n_games: per matchup.
    """

    games: str
    change: float
    rates: tuple[float, ...]
    imbalance_pp: Interval
    n_games: int


def measured_patches(
    evaluator: Evaluator,
    selection: Selection,
    cleanup: CleanUp,
    certificate: Certificate,
    effects: EditEffects | None = None,
) -> list[MeasuredPatch]:
    """All that a run has measured, today's numbers among them.

    Args:
        evaluator: knows demands and space, and today's games.
        selection: patches that were played again.
        cleanup: patches with an edit less.
        certificate: of the recommended patch, beside today's numbers.
        effects: of its edits, if they were measured.
    """
    return [
        *_today(evaluator),
        *_selected(evaluator, selection),
        *_cleaned(evaluator, cleanup),
        *_certified(evaluator, selection, certificate),
        *_edits(evaluator, selection, effects),
    ]


def _plain(rates: Floats) -> tuple[float, ...]:
    """Rates as plain numbers, which compare."""
    return tuple(rates.tolist())


def _read(
    evaluator: Evaluator, games: str, change: float, rates: Floats, n_games: int
) -> MeasuredPatch:
    """Of ``[R]`` rates."""
    demands = evaluator.demands
    told = demands.imbalance_pp(demands.estimate(rates, n_games, demands.joint_confidence))
    return MeasuredPatch(games, change, _plain(demands.of(rates)), told, n_games)


def _today(evaluator: Evaluator) -> Iterator[MeasuredPatch]:
    if evaluator.today is not None:
        rates = evaluator.demands.rates(evaluator.today)[-1]
        yield _read(evaluator, "today", 0.0, rates, evaluator.today.n_games)


def _selected(evaluator: Evaluator, selection: Selection) -> Iterator[MeasuredPatch]:
    for points, change in zip(selection.points, selection.scores.change.tolist(), strict=True):
        rates = points / selection.n_games
        yield _read(evaluator, "selection", change, rates, selection.n_games)


def _cleaned(evaluator: Evaluator, cleanup: CleanUp) -> Iterator[MeasuredPatch]:
    for one in cleanup.smaller:
        if one.rates is not None and one.imbalance_pp is not None:
            change = float(evaluator.space.change(one.genome[np.newaxis])[0])
            yield MeasuredPatch(
                "clean-up", change, _plain(one.rates), one.imbalance_pp, one.n_games
            )


def _certified(
    evaluator: Evaluator, selection: Selection, certificate: Certificate
) -> Iterator[MeasuredPatch]:
    change = float(evaluator.space.change(selection.genome[np.newaxis])[0])
    for rates, imbalance_pp, size in (
        (certificate.before, certificate.before_pp, 0.0),
        (certificate.after, certificate.after_pp, change),
    ):
        yield MeasuredPatch(
            "certificate", size, _plain(rates.estimate), imbalance_pp, certificate.n_games
        )


def _edits(
    evaluator: Evaluator, selection: Selection, effects: EditEffects | None
) -> Iterator[MeasuredPatch]:
    """The patch without each of its edits, and the patch itself in these games."""
    if effects is None:
        return
    demands = evaluator.demands
    genome = selection.genome
    less = np.tile(genome, (len(effects.genes), 1))
    less[np.arange(len(less)), effects.genes] = 0
    for k, change in enumerate(evaluator.space.change(less).tolist()):
        rates = effects.without.at(k)
        told = demands.imbalance_pp(rates)
        yield MeasuredPatch("edits", change, _plain(rates.estimate), told, effects.n_games)
    whole = effects.gain.estimate[0] + effects.without.estimate[0]
    half = (effects.without.high[0] - effects.without.low[0]) / 2  # about as wide, of as many games
    told = demands.imbalance_pp(Interval(whole, whole - half, whole + half))
    change = float(evaluator.space.change(genome[np.newaxis])[0])
    yield MeasuredPatch("edits", change, _plain(whole), told, effects.n_games)
