"""Commands as functions, for notebooks: they fill a run folder and say nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from experiments.commands.evaluate import find_trained, run_evaluate
from experiments.commands.train import check_train, run_train
from experiments.console import Screen
from experiments.experiment import Experiment
from experiments.runs.finished_run import FinishedRun, open_finished_run
from experiments.runs.run_folder import RunFolder, open_run_folder


def train(
    experiment: Experiment, results: Path | str, *, threads: int | None = None
) -> FinishedRun:
    """Train the experiment's learners, as `evenhand train` does.

    Args:
        experiment: with learners.
        results: parent of the run folder.
        threads: threads to use; default all cores.

    Raises:
        InputError: what `evenhand train` would refuse.
    """
    check_train(experiment)
    work = partial(run_train, resume=False, plots=False, threads=threads)
    return _run("train", experiment, results, work)


def evaluate(
    experiment: Experiment, results: Path | str, *, threads: int | None = None
) -> FinishedRun:
    """Measure the agents that `train` made, as `evenhand evaluate` does.

    Args:
        experiment: whose learners were trained.
        results: parent of the run folders, that of the training too.
        threads: threads to use; default all cores.

    Raises:
        InputError: what `evenhand evaluate` would refuse.
    """
    work = partial(run_evaluate, plots=False, threads=threads)
    return _run("evaluate", find_trained(experiment, Path(results)), results, work)


def _run(
    command: str,
    experiment: Experiment,
    results: Path | str,
    work: Callable[[Experiment, RunFolder, Screen], dict[str, Any]],
) -> FinishedRun:
    with open_run_folder(Path(results), experiment, command, resume=False) as folder:
        folder.log(f"{command}, seed {experiment.settings.seed}")
        work(experiment, folder, Screen(json=True))
        folder.log("done")
    return open_finished_run(str(folder.path), Path(results), command)
