"""How learners came along: the rows of their curves, and curves that are ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments.files.file_names import curve_file_name
from experiments.runs.finished_run import FinishedRun
from sim.errors import InputError
from sim.files.row_file import read_rows


class CurveRow(NamedTuple):
    """A point of a learning curve, rounded as its file has it.

    Attributes:
        steps: decisions learned from.
        updates: of the weights.
        seconds: of training by the clock; evaluations do not count.
        cpu_seconds: of training by the processor.
        win_rate: of the pilot, without random actions, over all its pairings.
        low: lower bound of its 95 % interval.
        high: upper bound.
        n: games of the evaluation.
        epsilon: share of random actions in training.
        loss: of the latest update.
    """

    steps: int
    updates: int
    seconds: float
    cpu_seconds: float
    win_rate: float
    low: float
    high: float
    n: int
    epsilon: float
    loss: float


@dataclass(frozen=True)
class LearningCurve:
    """How one learner came along.

    Attributes:
        name: the learner's.
        places: its pairings, in words.
        points: its evaluations.
        scripted: mean win rates of the scripted agents in its place, in percent.
        variant: of the learning.
    """

    name: str
    places: Sequence[str]
    points: Sequence[CurveRow]
    scripted: dict[str, float]
    variant: str = "improved"


def read_curve(path: Path) -> list[CurveRow]:
    """The rows of a curve's file.

    Raises:
        InputError: it is missing or damaged.
    """
    try:
        rows = read_rows(path, CurveRow)
    except InputError:
        rows = []
    if not rows:
        raise InputError(f"{path}: damaged; run without --resume")
    return rows


def trained_curves(run: FinishedRun) -> list[LearningCurve]:
    """The curves of a finished `train` run, beside the scripted agents' mean win rates.

    `experiments.plots.learning_curves` draws them.

    Raises:
        InputError: a curve's file is missing or damaged.
    """
    experiment = run.resolved["experiment"]
    variants = {one["name"]: one["variant"] for one in experiment["learner"]}
    return [
        LearningCurve(
            name=learner["name"],
            places=[_PLACE.format_map(pairing) for pairing in learner["pairings"]],
            points=run.rows(curve_file_name(learner["name"]), CurveRow),
            scripted=_mean_percentages(learner["pairings"]),
            variant=variants[learner["name"]] or experiment["train"]["variant"],
        )
        for learner in run.summary["learners"]
    ]


_PLACE = "{deck} vs {opponent} ({opponent_agent}), {seat}"


def _mean_percentages(pairings: list[dict[str, Any]]) -> dict[str, float]:
    return {
        agent: 100 * float(np.mean([one["scripted"][agent]["win_rate"] for one in pairings]))
        for agent in pairings[0]["scripted"]
    }
