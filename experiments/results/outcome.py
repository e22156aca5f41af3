"""What a balance run came to, as columns that studies and suites share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance import BalanceRun, Interval
from balance.certificate import truth_of
from experiments.results.stages import games_of_stages


def outcome(run: BalanceRun, truth_games: int) -> dict[str, Any]:
    """The verdict on the recommended patch, its size, all games, and its truth.

    Args:
        run: what was found.
        truth_games: per matchup, which tell the truth of a certified patch; with 0 nobody asks.
    """
    selection, certified = run.selection, run.certificate.certified
    chosen = selection.recommended
    truth = None
    if certified and truth_games:
        truth = truth_of(run.evaluator, selection.genomes[chosen], truth_games)
    return {
        "certified": certified,
        "imbalance_pp": run.certificate.imbalance_pp,
        "change": float(selection.scores.change[chosen]),
        "cards_touched": int(selection.scores.cards_touched[chosen]),
        "games": sum(games_of_stages(run).values()),
        "truth_pp": truth.imbalance_pp if truth else None,
        "truth_violation": truth.violation if truth else None,
        "holds": truth.holds if truth else None,
    }


def spread(values: Sequence[float | None]) -> Interval:
    """Over several runs: the median, the least and the most."""
    known = np.array(values, float)
    return Interval(*(np.array(measure(known)) for measure in (np.median, np.min, np.max)))
