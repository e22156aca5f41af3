"""Learning curves for TensorBoard, which is optional."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sim.errors import InputError

if TYPE_CHECKING:
    from experiments.learning.learning_curve import CurveRow

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
        for name in _SHOWN:
            self._writer.add_scalar(name, getattr(row, name), row.steps)
        self._writer.flush()
