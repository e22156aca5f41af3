"""Rows with the fit of agents to observed win rates: parameters, errors and pairs."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from agents.search.turn.priorities import PRIORITIES
from balance import CONFIDENCE, Interval
from balance.observed.calibration import Calibration
from balance.observed.held_out import mean_gain
from balance.observed.rate_pairs import RatePairs
from balance.statistics.arithmetic import powers_of_two
from balance.statistics.intervals import z_score

EVEN = "even"
SHRUNK = "shrunk"


class PriorityRow(NamedTuple):
    """Row of `priorities.csv`: fitted factor of one group of weights.

    Attributes:
        priority: name of the group (`agents.search.turn.priorities`).
        factor: factor of the weights, with its 95 % interval.
        is_determined: whether the observed results say more about the factor than the prior does.
    """

    priority: str
    factor: Annotated[Interval, ("factor", "low", "high")]
    is_determined: bool


class PredictionRow(NamedTuple):
    """Row of `predictions.csv`: mean error of a prediction of the observed rates.

    Attributes:
        prediction: `fitted`; `held_out` for fits without one of both players; `shrunk` for the
            unfitted agent's rates times the slope of the other pairs; `even` for 50 %.
        error_pp: mean absolute error, in percentage points.
        gain_pp: by how much the error of `held_out` is below it, with an interval over resampled
            players; 0 for `held_out` itself.
    """

    prediction: str
    error_pp: float
    gain_pp: Annotated[Interval, ("gain_pp", "low", "high")]


class CalibrationCellRow(NamedTuple):
    """Row of `cells.csv`: observed and predicted win rates of one pair.

    Attributes:
        a: name of the first player.
        b: name of the second player.
        observed: observed win rate of `a`, with its interval.
        simulated: win rate of `a` between fitted agents.
        fitted: win rate that the fit predicts.
        held_out: win rate predicted by fits without one of both players.
    """

    a: str
    b: str
    observed: Annotated[Interval, ("observed", "observed_low", "observed_high")]
    simulated: float
    fitted: float
    held_out: float


def priority_rows(found: Calibration) -> list[PriorityRow]:
    """Return a row for each priority."""
    reach = z_score(CONFIDENCE) * found.errors
    bounds = [powers_of_two(found.point + sign * reach) for sign in (0, -1, 1)]
    return [
        PriorityRow(name, Interval(*(bound[k] for bound in bounds)), bool(found.is_determined[k]))
        for k, name in enumerate(PRIORITIES)
    ]


def factor_interval(found: Calibration) -> Interval:
    """Return the factor of the differences from 50 %, with its 95 % interval within 0 and 1."""
    reach = z_score(CONFIDENCE) * found.factor_error
    bounds = (found.factor, max(found.factor - reach, 0.0), min(found.factor + reach, 1.0))
    return Interval(*map(np.array, bounds))


def prediction_rows(pairs: RatePairs, found: Calibration, *, run_seed: int) -> list[PredictionRow]:
    """Return a row for each prediction of the observed rates.

    Args:
        pairs: observed rates.
        found: fit to these rates.
        run_seed: seed of the run.
    """
    errors = {
        name: np.abs(predicted - pairs.observed)
        for name, predicted in (
            ("fitted", found.fitted),
            ("held_out", found.held_out),
            (SHRUNK, found.shrunk),
            (EVEN, np.full(pairs.n_pairs, 0.5)),
        )
    }
    return [
        PredictionRow(
            name,
            100 * float(values.mean()),
            mean_gain(pairs.pairs, 100 * errors["held_out"], 100 * values, run_seed=run_seed),
        )
        for name, values in errors.items()
    ]


def calibration_cells(pairs: RatePairs, found: Calibration) -> list[CalibrationCellRow]:
    """Return a row for each pair."""
    observed = pairs.observed_interval()
    return [
        CalibrationCellRow(
            pairs.names[pairs.pairs[0, k]],
            pairs.names[pairs.pairs[1, k]],
            observed.at(k),
            float(found.simulated[k]),
            float(found.fitted[k]),
            float(found.held_out[k]),
        )
        for k in range(pairs.n_pairs)
    ]
