"""Search for smaller patches that satisfy every limit, but lack the margin for a certificate.

The recommended patch is the smallest one with enough margin. A smaller patch that is measured
inside every limit may also be balanced, but its certificate would need more games to be likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from balance.search.selection import Selection
from balance.settings.tables import Games
from balance.space.search_space import Steps
from balance.statistics.intervals import Floats, Interval
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.evaluation import Evaluator
from balance.verdict.room import rooms_pp

# Maximum factor on the games that is reported; more games would take too long. Chosen by hand.
_MOST_TIMES = 1_000


class WithoutMargin(NamedTuple):
    """Smallest patch that satisfies every limit but lacks the margin for a certificate.

    Attributes:
        genome: patch as steps from the baseline, shape ``[K]``.
        change: weighted sum of the patch's absolute steps.
        cards_touched: number of edited cards.
        imbalance_pp: imbalance in percentage points, with its simultaneous 95 % interval.
        n_games: games per matchup from which the imbalance is computed.
        n_patches: number of patches without margin that are smaller than the recommended one.
        times_games: factor on the games of selection and certificate that would give the patch
            enough margin if its true rates equal the measured ones; `None` if a guard lacks margin,
            or if the factor exceeds 1,000.
    """

    genome: Steps
    change: float
    cards_touched: int
    imbalance_pp: Interval
    n_games: int
    n_patches: int
    times_games: int | None

    def as_entry(self) -> dict[str, Any]:
        """Return the patch as data for `summary.json`, without its steps."""
        return {
            **self.imbalance_pp.as_entry("imbalance_pp"),
            "change": self.change,
            "cards_touched": self.cards_touched,
            "n": self.n_games,
            "patches": self.n_patches,
            "times_games": self.times_games,
        }


class _PatchInsideLimits(NamedTuple):
    """Measured patch that satisfies every limit but lacks margin.

    Attributes:
        genome: patch as steps from the baseline, shape ``[K]``.
        imbalance_pp: imbalance in percentage points, with its simultaneous 95 % interval.
        n_games: games per matchup from which the imbalance is computed.
        guards_lack: whether a guard lacks margin.
        part: smallest ratio, over all demanded rates, of the margin of a rate to the margin that it
            needs.
    """

    genome: Steps
    imbalance_pp: Interval
    n_games: int
    guards_lack: bool
    part: float


def smallest_without_margin(
    evaluator: Evaluator, selection: Selection, cleanup: CleanUp, games: Games
) -> WithoutMargin | None:
    """Return the smallest patch without margin that is smaller than the recommended one.

    Args:
        evaluator: evaluator with demands and search space.
        selection: candidates that were played again.
        cleanup: result of the clean-up, with the reduced patches.
        games: games per matchup of each stage.

    Returns:
        The patch; among patches of equal size, that with the smallest imbalance. `None` if the
        run measured no such patch.
    """
    recommended = float(selection.scores.size[selection.recommended])
    space = evaluator.space
    patches = (
        *_selection_patches(evaluator, selection, games),
        *_cleanup_patches(evaluator, cleanup, games),
    )
    # The clean-up's games of a patch replace those of the selection, which may have chosen it.
    seen = {
        bytes(patch.genome): patch
        for patch in patches
        if float(space.size(patch.genome[np.newaxis])[0]) < recommended
    }
    if not seen:
        return None
    best = min(
        seen.values(),
        key=lambda patch: (
            float(space.size(patch.genome[np.newaxis])[0]),
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


def _times_games(patch: _PatchInsideLimits) -> int | None:
    """Return the factor on the games that would give a patch enough margin, rounded up.

    The factor is `None` if a guard lacks margin, if a rate has no margin, or if the factor exceeds
    `_MOST_TIMES`.
    """
    if patch.guards_lack or patch.part <= 0:
        return None
    # part = available margin / needed margin, and the needed margin is proportional to 1 / sqrt(n).
    times = ceil(1 / patch.part**2)
    return times if times <= _MOST_TIMES else None


def _selection_patches(
    evaluator: Evaluator, selection: Selection, games: Games
) -> Iterator[_PatchInsideLimits]:
    """Yield the candidates of the selection that satisfy every limit but lack margin."""
    demands = evaluator.demands
    rates = selection.rates
    imbalances_pp = demands.measured_imbalance_pp(rates, selection.n_games)
    for k in np.flatnonzero(selection.reads_inside & ~selection.has_room).tolist():
        lacks = bool(selection.scores.violation[k] > 0)
        genome = selection.genomes[k]
        n_games = int(selection.n_games[k])
        spare = _smallest_margin_ratio(evaluator, genome, demands.of(rates[k]), n_games, games)
        yield _PatchInsideLimits(genome, imbalances_pp.at(k), n_games, lacks, spare)


def _cleanup_patches(
    evaluator: Evaluator, cleanup: CleanUp, games: Games
) -> Iterator[_PatchInsideLimits]:
    """Yield the reduced patches of the clean-up that satisfy every limit but lack margin."""
    for patch in cleanup.too_near:
        if patch.imbalance_pp is None or patch.rates is None:
            continue
        lacks = any(short.kind == "guard" for short in patch.shortfalls)
        spare = _smallest_margin_ratio(evaluator, patch.genome, patch.rates, patch.n_games, games)
        yield _PatchInsideLimits(patch.genome, patch.imbalance_pp, patch.n_games, lacks, spare)


def _smallest_margin_ratio(
    evaluator: Evaluator, genome: Steps, rates: Floats, n_games: int, games: Games
) -> float:
    """Return the smallest ratio of a demanded rate's margin to the margin that it needs.

    Args:
        evaluator: evaluator with the demands.
        genome: patch as steps from the baseline, shape ``[K]``.
        rates: demanded rates, ``[N]``.
        n_games: games per matchup from which the rates are computed.
        games: games per matchup of each stage, of which `certify` determines the needed margin.
    """
    demands = evaluator.demands
    room_pp = rooms_pp(evaluator, genome[np.newaxis], n_games, games)[0] * demands.errors
    inside = 100 * np.minimum(rates - demands.low, demands.high - rates)
    return float((inside / room_pp).min())
