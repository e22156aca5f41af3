"""Learning curves: their rows, what is ready to be drawn, and event files for TensorBoard."""

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
"""A pairing in words: the learner's deck comes first."""


class CurveRow(NamedTuple):
    """A point of a learning curve, rounded as its file has it.

    Attributes:
        steps: decisions learned from.
        updates: of the weights.
        seconds: of training by the clock; evaluations do not count.
        cpu_seconds: of training by the processor.
        win_rate: of the pilot, without random actions, over all its pairings.
        n: games of the evaluation.
        epsilon: share of random actions in training.
        loss: of the latest update.
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
    with suppress(InputError):
        if rows := read_rows(path, CurveRow):
            return rows
    raise InputError(f"{path}: damaged; run without --resume")


def trained_curves(run: FinishedRun) -> list[LearningCurve]:
    """The curves of a finished `train` run, beside the scripted agents' mean win rates.

    `experiments.plots.learning_curves` draws them.

    Raises:
        InputError: a curve's file is missing or damaged.
    """
    experiment = run.resolved["experiment"]
    usual = experiment["train"]["variant"]
    variants = {one["name"]: one["variant"] or usual for one in experiment["learner"]}
    return curves_of(
        run.summary["learners"], lambda name: run.rows(curve_file_name(name), CurveRow), variants
    )


def curves_of(
    learners: Iterable[Mapping[str, Any]],
    rows: Callable[[str], Sequence[CurveRow]],
    variants: Mapping[str, str],
) -> list[LearningCurve]:
    """The curves of some learners.

    Args:
        learners: as the summary of `train` has them.
        rows: the evaluations of the learner of a name.
        variants: of the learning, by learner.
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
    """Refuse to write event files where TensorBoard is not installed.

    Raises:
        InputError: says how to install it.
    """
    if find_spec("tensorboard") is None:
        raise InputError("--tensorboard needs a package of its own: pip install tensorboard")


class EventFile:
    """The event files of one learner, begun anew; a continued run writes all its rows again."""

    def __init__(self, run: Path, learner: str) -> None:
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415 (slow to load)

        folder = run / FOLDER / learner
        shutil.rmtree(folder, ignore_errors=True)
        self._writer = SummaryWriter(str(folder))

    def add(self, row: CurveRow) -> None:
        """Add a row of the curve."""
        told = entry(row)
        for name in _SHOWN:
            self._writer.add_scalar(name, told[name], row.steps)
        self._writer.flush()
