"""Functions for notebooks: commands, committed runs, and results as data frames."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from balance.contest.whatif import Explored
from balance.result.frame import frame_of
from experiments.commands.evaluate import find_trained, run_evaluate
from experiments.commands.init import run_init
from experiments.commands.train import check_train, run_train
from experiments.experiment import Experiment
from experiments.loading import load_experiment
from experiments.results.compared import ChangeRow, change_rows, reported_rates
from experiments.runs.finished_run import FinishedRun, open_finished_run
from experiments.runs.run import Findings, Run, open_run
from experiments.runs.run_folder import run_path
from experiments.screen import Screen
from sim import InputError


def change_frame(rows: Iterable[Sequence[ChangeRow]]) -> pd.DataFrame:
    """Return a data frame of rates of compared cards, with the columns of `changes.csv`.

    Args:
        rows: rows of each comparison, as `compared_rows` returns them.
    """
    return frame_of(ChangeRow, (row for comparison in rows for row in comparison))


def compared_rows(
    experiment: Experiment, patches: Mapping[str, Explored], today: Explored
) -> list[list[ChangeRow]]:
    """Return rows that compare the rates of patches with those of the baseline cards.

    Args:
        experiment: experiment, which determines the rates and their goals.
        patches: games with each patch, by the name of the patch.
        today: games with the baseline cards, as many and on the same seeds.

    Returns:
        For each patch, one row per rate.
    """
    shown = reported_rates(experiment.settings, experiment.contest())
    return change_rows([*patches], [*patches.values()], today, shown)


def begin_game(folder: Path | str, sheet: Path | str | None = None) -> None:
    """Write the files of a first game, and print their names, like `evenhand init`.

    Args:
        folder: folder in which the files are written.
        sheet: spreadsheet with the cards; `None` for a small example game.

    Raises:
        InputError: the folder or the spreadsheet is one that `evenhand init` refuses.
    """
    cards = None if sheet is None else Path(sheet)
    sys.stdout.write("".join(f"{line}\n" for line in run_init(Path(folder), cards, None)))


def train(experiment: Experiment, results: Path | str) -> FinishedRun:
    """Train the learners of an experiment, like `evenhand train` but without plots.

    Args:
        experiment: experiment with learners.
        results: parent of the run folder.

    Returns:
        The finished run, read from its folder.

    Raises:
        InputError: the experiment has no learners, or cannot be trained for another reason.
    """
    check_train(experiment)
    return _run_command("train", experiment, Path(results), run_train)


def evaluate(experiment: Experiment, results: Path | str) -> FinishedRun:
    """Measure the trained agents of an experiment, like `evenhand evaluate` but without plots.

    Args:
        experiment: experiment with trained learners.
        results: parent of the run folders, including that of the training.

    Returns:
        The finished run, read from its folder.

    Raises:
        InputError: a trained agent is missing, or the experiment cannot be evaluated for another
            reason.
    """
    trained = find_trained(experiment, Path(results))
    return _run_command("evaluate", trained, Path(results), run_evaluate)


def _run_command(
    command: str,
    experiment: Experiment,
    results: Path,
    work: Callable[[Run], Findings],
) -> FinishedRun:
    """Run a command without plots, and return the finished run from its folder.

    Args:
        command: name of the command.
        experiment: experiment of the run.
        results: parent of the run folder.
        work: function that does the work of the command.
    """
    run = open_run(command, experiment, results, Screen(json=True), plots=False)
    with run.folder.lock:
        run.carry_out(work)
    return open_finished_run(str(run.folder.path), results, command)


REFERENCE = Path(__file__).parents[1] / "results" / "reference"
"""Folder with the committed runs of shipped experiments, in a checkout of the repository."""


def reference_run(name: str, command: str = "balance") -> FinishedRun:
    """Return the committed run of a shipped experiment with its current settings.

    Args:
        name: name of the experiment.
        command: command of the run.

    Raises:
        InputError: no run with the current settings, cards and decks is committed.
    """
    path = run_path(REFERENCE, load_experiment(name), command)
    if not path.is_dir():
        raise InputError(
            "no such run",
            place=path,
            remedy="in a checkout, `make reference` repeats the runs of the present experiment "
            "files",
        )
    return open_finished_run(str(path), REFERENCE, command)
