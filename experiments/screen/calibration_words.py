"""Fit of agents to observed win rates for the screen: tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from balance import Interval
from balance.observed.calibration import MISFIT, Calibration
from experiments.results.calibration import EVEN, SHRUNK, PredictionRow, PriorityRow
from experiments.screen.console import Table
from experiments.screen.wording import between, plus_minus

_MEANINGS = {
    "face": "damage to the enemy",
    "caution": "own life",
    "board": "minions of both sides",
    "hand": "cards in the own hand",
}
_WORDS = {
    "fitted": "fitted to all pairs",
    "held_out": "fitted without one of both players",
    SHRUNK: "unfitted, times the slope of the other pairs",
    EVEN: "50 % for each pair",
}


def priority_table(rows: Sequence[PriorityRow]) -> Table:
    """Return a table with the factor of each priority."""
    return Table(
        "Priorities of the fitted agent, relative to the unfitted (95 % interval)",
        ("priority", "factor", "determined"),
        [
            (
                f"{row.priority}: {_MEANINGS[row.priority]}",
                between(row.factor, form=".2f"),
                "yes" if row.is_determined else "no",
            )
            for row in rows
        ],
    )


def prediction_table(rows: Sequence[PredictionRow]) -> Table:
    """Return a table with the mean error of each prediction."""
    return Table(
        "Mean error of the pairs' win rates, pp (gain of the fits without a player: ± half of the "
        "95 % interval over players)",
        ("prediction", "error", "gain over it"),
        [
            (
                _WORDS[row.prediction],
                f"{row.error_pp:.1f}",
                "" if row.prediction in {"fitted", "held_out"} else plus_minus(row.gain_pp, "+.1f"),
            )
            for row in rows
        ],
    )


def calibration_sentences(
    found: Calibration, factor: Interval, rows: Sequence[PredictionRow]
) -> list[str]:
    """Return sentences on the fit: the factor, its quality, and its use for unseen pairs.

    Args:
        found: the fit.
        factor: factor of the differences from 50 %, with its interval.
        rows: mean errors of the predictions.
    """
    gains = {row.prediction: row.gain_pp for row in rows}
    is_better = all(float(gains[name].low) > 0 for name in (EVEN, SHRUNK))
    fits = (
        "No agent of this family plays like the table: the pairs differ by more than their games "
        "explain"
        if found.misfit < MISFIT
        else "The fit differs from the table by no more than the numbers of games explain"
    )
    times = (
        f"Observed differences from 50 % are the simulated ones times {between(factor, form='.2f')}"
    )
    if not found.factor:
        times += ": for all agents of this family, 50 % is the best prediction"
    return [
        times,
        fits,
        "Pairs of a player that was left out are predicted better than by 50 % and by a slope alone"
        if is_better
        else "It is not shown that the fit predicts pairs of a new player better than 50 % or a "
        "slope alone does",
    ]
