"""The learning curves of a finished `train` run, ready to be drawn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from experiments.file_names import file_label
from experiments.learning.learning_curve import LearningCurve
from experiments.runs.finished_run import FinishedRun


def trained_curves(run: FinishedRun) -> list[LearningCurve]:
    """One curve per learner, beside the scripted agents' mean win rates in its place.

    `experiments.plots.learning_curves` draws them.

    Raises:
        InputError: a curve's file is missing or damaged.
    """
    experiment = run.resolved["experiment"]
    variants = {one["name"]: one["variant"] for one in experiment["learner"]}
    return [
        LearningCurve(
            name=learner["name"],
            places=[_place(pairing) for pairing in learner["pairings"]],
            points=_points(run, learner["name"]),
            scripted=_mean_percentages(learner["pairings"]),
            variant=variants[learner["name"]] or experiment["train"]["variant"],
        )
        for learner in run.summary["learners"]
    ]


class _Point(NamedTuple):
    """What is drawn of a `learner_run.CurveRow`, whose module loads torch."""

    steps: int
    win_rate: float
    low: float
    high: float
    n: int


def _points(run: FinishedRun, learner: str) -> list[_Point]:
    return run.rows(f"{file_label(learner)}_curve.csv", _Point)


def _place(pairing: dict[str, Any]) -> str:
    return "{deck} vs {opponent} ({opponent_agent}), {seat}".format_map(pairing)


def _mean_percentages(pairings: list[dict[str, Any]]) -> dict[str, float]:
    return {
        agent: 100 * float(np.mean([one["scripted"][agent]["win_rate"] for one in pairings]))
        for agent in pairings[0]["scripted"]
    }
