"""Learning curves: rows of their files, data of their figures, and files for TensorBoard."""

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
"""Format of a pairing as text, from the keys of `pairing_columns`; the learner's deck is first."""


class CurveRow(NamedTuple):
    """Point of a learning curve, rounded as in its file.

    Attributes:
        steps: number of training steps so far.
        updates: number of updates of the weights so far.
        seconds: elapsed time of training in seconds, without evaluations.
        cpu_seconds: processor time of training in seconds, without evaluations.
        win_rate: win rate of the pilot, without random actions, over all its pairings, with its
            95 % interval.
        n: number of games of the evaluation.
        epsilon: share of random actions in training, from 0 to 1.
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
        places: learner's pairings, as text.
        points: evaluations of the learner, in the order of the training.
        scripted: mean win rate of each scripted agent in the learner's pairings, in percent, by
            the agent's name.
        variant: variant of the learning algorithm.
    """

    name: str
    places: Sequence[str]
    points: Sequence[CurveRow]
    scripted: dict[str, float]
    variant: str = "improved"


def read_curve(path: Path) -> list[CurveRow]:
    """Return the rows of a learning curve's file.

    Raises:
        InputError: the file is missing, empty or damaged.
    """
    with suppress(InputError):
        if rows := read_rows(path, CurveRow):
            return rows
    raise InputError("damaged", place=path, remedy="run without --resume")


def trained_curves(run: FinishedRun) -> list[LearningCurve]:
    """Return the learning curves of a finished `train` run, for `plots.learning_curves`.

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
    """Return the learning curve of each learner.

    Args:
        learners: entries of learners in the summary of `train`.
        rows: function that returns the evaluations of a learner, given its name.
        variants: variant of the learning algorithm of each learner, by the learner's name.
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
    """Check that TensorBoard is installed, which event files need.

    Raises:
        InputError: TensorBoard is not installed; the message says how to install it.
    """
    if find_spec("tensorboard") is None:
        raise InputError(
            "needs the package tensorboard, which is not installed",
            place="--tensorboard",
            remedy="run: pip install tensorboard",
        )


class EventFile:
    """Writer of one learner's TensorBoard event files; a resumed run writes all rows again."""

    def __init__(self, run: Path, learner: str) -> None:
        """Delete earlier event files of the learner, and create new ones.

        Args:
            run: path of the run folder.
            learner: name of the learner.
        """
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415 (slow to load)

        folder = run / FOLDER / learner
        shutil.rmtree(folder, ignore_errors=True)
        self._writer = SummaryWriter(str(folder))

    def add(self, row: CurveRow) -> None:
        """Write the values of a row of the learning curve as one step, and flush them to disk."""
        values = entry(row)
        for name in _SHOWN:
            self._writer.add_scalar(name, values[name], row.steps)
        self._writer.flush()
