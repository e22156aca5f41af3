"""Collection of all patches that a run has measured in games that did not select them.

General statements of reports, such as the smallest imbalance of any patch, must agree with these
measurements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from balance.search.selection import Selection
from balance.statistics.intervals import Floats, Interval
from balance.verdict.certificate import Certificate
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.edit_effects import EditEffects
from balance.verdict.evaluation import Evaluator


class MeasuredPatch(NamedTuple):
    """Rates of a patch in games that did not select it.

    Attributes:
        games: stage that played the games: `today` for the first games of the baseline,
            `selection`, `clean-up`, `certificate`, or `edits` for the measurement of the effects of
            edits.
        change: weighted sum of the patch's absolute steps; 0 for the baseline.
        rates: demanded rates, ``[N]``.
        imbalance_pp: imbalance in percentage points, with its simultaneous 95 % interval.
        n_games: games per matchup from which the rates are computed.
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
    """Return all measurements of patches in a run, including those of the baseline.

    A patch that several stages played is returned once for each stage.

    Args:
        evaluator: evaluator with demands, search space, and games of the baseline.
        selection: candidates that were played again.
        cleanup: result of the clean-up, with the reduced patches.
        certificate: certificate of the recommended patch.
        effects: effects of the edits of the recommended patch; `None` if they were not measured.
    """
    return [
        *_baseline(evaluator),
        *_selection_patches(evaluator, selection),
        *_cleanup_patches(evaluator, cleanup),
        *_certificate_patches(evaluator, selection, certificate),
        *_edit_patches(evaluator, selection, effects),
    ]


def _numbers(rates: Floats) -> tuple[float, ...]:
    """Return an array of rates as a tuple of Python numbers, which can be compared with `==`."""
    return tuple(rates.tolist())


def _read(
    evaluator: Evaluator, games: str, change: float, rates: Floats, n_games: int
) -> MeasuredPatch:
    """Return a measured patch with the imbalance and interval that follow from its rates.

    Args:
        evaluator: evaluator with the demands.
        games: stage that played the games.
        change: weighted sum of the patch's absolute steps.
        rates: rates of the contest, shape ``[R]``.
        n_games: games per matchup.
    """
    demands = evaluator.demands
    imbalance_pp = demands.measured_imbalance_pp(rates, n_games)
    return MeasuredPatch(games, change, _numbers(demands.of(rates)), imbalance_pp, n_games)


def _baseline(evaluator: Evaluator) -> Iterator[MeasuredPatch]:
    """Yield the baseline in the first games of the run, if the evaluator has these games."""
    if evaluator.today is not None:
        rates = evaluator.demands.rates(evaluator.today)[-1]
        yield _read(evaluator, "today", 0.0, rates, evaluator.today.n_games)


def _selection_patches(evaluator: Evaluator, selection: Selection) -> Iterator[MeasuredPatch]:
    """Yield the candidates in the games of the selection."""
    sizes = zip(selection.scores.change.tolist(), selection.n_games.tolist(), strict=True)
    for rates, (change, n_games) in zip(selection.rates, sizes, strict=True):
        yield _read(evaluator, "selection", change, rates, n_games)


def _cleanup_patches(evaluator: Evaluator, cleanup: CleanUp) -> Iterator[MeasuredPatch]:
    """Yield the reduced patches of the final recommendation that the clean-up played."""
    for patch in cleanup.smaller:
        if patch.rates is not None and patch.imbalance_pp is not None:
            change = float(evaluator.space.change(patch.genome[np.newaxis])[0])
            yield MeasuredPatch(
                "clean-up", change, _numbers(patch.rates), patch.imbalance_pp, patch.n_games
            )


def _certificate_patches(
    evaluator: Evaluator, selection: Selection, certificate: Certificate
) -> Iterator[MeasuredPatch]:
    """Yield the baseline and the recommended patch in the games of the certificate."""
    change = float(evaluator.space.change(selection.genome[np.newaxis])[0])
    for rates, imbalance_pp, size in (
        (certificate.before, certificate.before_pp, 0.0),
        (certificate.after, certificate.after_pp, change),
    ):
        yield MeasuredPatch(
            "certificate", size, _numbers(rates.estimate), imbalance_pp, certificate.n_games
        )


def _edit_patches(
    evaluator: Evaluator, selection: Selection, effects: EditEffects | None
) -> Iterator[MeasuredPatch]:
    """Yield the recommended patch without each of its edits, then the whole patch.

    The rates are from the games that measured the effects of the edits. Nothing is yielded if
    `effects` is `None`.
    """
    if effects is None:
        return
    demands = evaluator.demands
    genome = selection.genome
    # `effects` contains only the edits without which games end, in the order of the space.
    less = np.tile(genome, (len(effects.genes), 1))
    less[np.arange(len(less)), effects.genes] = 0
    for k, change in enumerate(evaluator.space.change(less).tolist()):
        rates = effects.without.at(k)
        imbalance_pp = demands.imbalance_pp(rates)
        yield MeasuredPatch(
            "edits", change, _numbers(rates.estimate), imbalance_pp, effects.n_games
        )
    whole_patch = effects.gain.estimate[0] + effects.without.estimate[0]
    # The effects contain no interval for the rates of the whole patch. That of the rates without
    # the first edit, from as many games, has about the same width.
    half = (effects.without.high[0] - effects.without.low[0]) / 2
    imbalance_pp = demands.imbalance_pp(
        Interval(whole_patch, whole_patch - half, whole_patch + half)
    )
    change = float(evaluator.space.change(genome[np.newaxis])[0])
    yield MeasuredPatch("edits", change, _numbers(whole_patch), imbalance_pp, effects.n_games)
