"""The small runs that are committed in `results/reference`, for notebooks and examples."""

from __future__ import annotations

from pathlib import Path

from experiments.experiment import load_experiment
from experiments.runs.finished_run import FinishedRun, open_finished_run
from experiments.runs.run_folder import run_path
from sim.errors import InputError

REFERENCE = Path(__file__).parents[2] / "results" / "reference"


def reference_run(name: str, command: str = "balance") -> FinishedRun:
    """The committed run of a shipped experiment, if it is that of the present file.

    Args:
        name: of the experiment.
        command: what was run.

    Raises:
        InputError: there is none, or it was made of other settings, cards or decks.
    """
    path = run_path(REFERENCE, load_experiment(name), command)
    if not path.is_dir():
        raise InputError(
            f"{path}: no such run; in a checkout, `make reference` makes the runs of the present "
            "experiment files anew"
        )
    return open_finished_run(str(path), REFERENCE, command)
