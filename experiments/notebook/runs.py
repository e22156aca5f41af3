"""Commands as functions, for notebooks: they fill a run folder and say nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from experiments.commands.evaluate import find_trained, run_evaluate
from experiments.commands.train import check_train, run_train
from experiments.experiment import Experiment
from experiments.runs.finished_run import FinishedRun, open_finished_run
from experiments.runs.run import Findings, Run, open_run
from experiments.screen.console import Screen


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
    return _finished("train", experiment, Path(results), run_train, threads)


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
    found = find_trained(experiment, Path(results))
    return _finished("evaluate", found, Path(results), run_evaluate, threads)


def _finished(
    command: str,
    experiment: Experiment,
    results: Path,
    work: Callable[[Run], Findings],
    threads: int | None,
) -> FinishedRun:
    run = open_run(command, experiment, results, Screen(json=True), plots=False, threads=threads)
    with run.folder.lock:
        run.carry_out(work)
    return open_finished_run(str(run.folder.path), results, command)
