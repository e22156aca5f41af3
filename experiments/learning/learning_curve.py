"""Learning curves: rows of their files, data of their figures, and TensorBoard event files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance.statistics.intervals import Interval
from experiments.files.output_file import curve_file_name
from experiments.runs.finished_run import FinishedRun
from sim import InputError, entry, read_rows

PLACE = "{deck} vs {opponent} ({opponent_agent}), {seat}"
"""Format of a pairing's description, with the learner's deck first and the learner's seat last."""


class CurveRow(NamedTuple):
    """Point of a learning curve: one evaluation during a training, rounded as in its file.

    Attributes:
        steps: number of decisions of the learner so far.
        updates: number of updates of the weights so far.
        seconds: wall-clock time of training so far, without evaluations.
        cpu_seconds: processor time of training so far, without evaluations.
        win_rate: mean win rate over all pairings of the pilot, which plays without random actions.
        n: number of games of the evaluation, over all pairings.
        epsilon: current share of random actions in training.
        loss: loss of the latest update.
    """

    steps: int
    updates: int
    seconds: float
    cpu_seconds: float
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int
    epsilon: float
    loss: float


@dataclass(frozen=True)
class LearningCurve:
    """Learning curve of one learner, with the win rates of scripted agents for comparison.

    Attributes:
        name: name of the learner.
        places: descriptions of the learner's pairings.
        points: evaluations of the learner.
        scripted: mean win rates of scripted agents in the same pairings, in percent, by name.
        variant: variant of the learning, `improved` or `dqn`.
    """

    name: str
    places: Sequence[str]
    points: Sequence[CurveRow]
    scripted: dict[str, float]
    variant: str = "improved"


def read_curve(path: Path) -> list[CurveRow]:
    """Return the rows of a learning curve's file, at least one.

    Raises:
        InputError: the file is missing, damaged or without rows.
    """
    with suppress(InputError):
        if rows := read_rows(path, CurveRow):
            return rows
    raise InputError("damaged", place=path, remedy="run without --resume")


def trained_curves(run: FinishedRun) -> list[LearningCurve]:
    """Return the learning curves of all learners of a finished `train` run.

    Raises:
        InputError: a curve's file is missing or damaged.
    """
    experiment = run.resolved["experiment"]
    default = experiment["train"]["variant"]
    variants = {learner["name"]: learner["variant"] or default for learner in experiment["learner"]}
    return curves_of(
        run.summary["learners"], lambda name: run.rows(curve_file_name(name), CurveRow), variants
    )


def curves_of(
    learners: Iterable[Mapping[str, Any]],
    rows: Callable[[str], Sequence[CurveRow]],
    variants: Mapping[str, str],
) -> list[LearningCurve]:
    """Return the learning curve of each learner, with the results of scripted agents.

    Args:
        learners: entries of the learners in the summary of `train`.
        rows: function from a learner's name to the rows of its curve.
        variants: variants of the learning, by the learner's name.
    """
    return [
        LearningCurve(
            name=learner["name"],
            places=[PLACE.format_map(pairing) for pairing in learner["pairings"]],
            points=rows(learner["name"]),
            scripted={
                agent: 100
                * float(np.mean([p["scripted"][agent]["win_rate"] for p in learner["pairings"]]))
                for agent in learner["pairings"][0]["scripted"]
            },
            variant=variants[learner["name"]],
        )
        for learner in learners
    ]


FOLDER = "tensorboard"
_SHOWN = ("win_rate", "low", "high", "epsilon", "loss", "updates", "seconds", "cpu_seconds")


def require_tensorboard() -> None:
    """Check that TensorBoard is installed, which `EventFile` needs.

    Raises:
        InputError: TensorBoard is not installed; the message says how to install it.
    """
    if find_spec("tensorboard") is None:
        raise InputError(
            "needs the package tensorboard, which is not installed",
            place="--tensorboard",
            remedy="pip install tensorboard",
        )


class EventFile:
    """Writer of TensorBoard event files with the learning curve of one learner."""

    def __init__(self, run: Path, learner: str) -> None:
        """Delete earlier event files of the learner, and create new ones.

        A continued run must therefore add all its rows again.

        Args:
            run: path of the run folder.
            learner: name of the learner.
        """
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415 (slow to load)

        folder = run / FOLDER / learner
        shutil.rmtree(folder, ignore_errors=True)
        self._writer = SummaryWriter(str(folder))

    def add(self, row: CurveRow) -> None:
        """Write the values of a row of the curve at the row's number of steps."""
        values = entry(row)
        for name in _SHOWN:
            self._writer.add_scalar(name, values[name], row.steps)
        self._writer.flush()
